"""Tiers: an item's importance falls with time and rises with accesses, and its tier follows from it.

The score only falls between two accesses, so the moments at which it crosses a threshold are known beforehand. The SQL
functions `cools_from` and `warms_until` compute them in the same way, and a test holds both to the same numbers.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from backstory.domain.errors import InvalidInput
from backstory.domain.policies.settings import changed_settings
from backstory.domain.records import Item
from backstory.domain.values import LARGEST, Tier, is_number, label, whole_number

TIER_LABEL = "tier_policy"
"""The label under which a stream keeps the numbers of its tier policy, where the SQL finds them."""
ALWAYS = -LARGEST - 1
"""The minute since which an item is due that was never worth its tier."""
SLACK = 1.0
"""Seconds by which an item is looked at too early rather than too late: two libraries may round a logarithm apart."""

_HOUR = 3_600.0
_MINUTE = 60.0


class Due(NamedTuple):
    """The minutes since 1970 at which an item's tier stops being right: from `cools_from` on its score is too low for
    the tier, up to `warms_until` it is too high. The tier itself is decided by the exact score."""

    cools_from: int | None
    warms_until: int | None


NOT_DUE = Due(None, None)


class TieredItem(NamedTuple):
    """The values that an item's tier depends on, and the tier it is in."""

    item: int
    importance: float
    accesses: int
    touched: int
    tier: str


class Move(NamedTuple):
    """An item that is worth another tier than it is in."""

    item: int
    before: str
    after: str


@dataclass(frozen=True)
class TierPolicy:
    """score = min(1, importance × boost × decay), with boost = 1 + weight × ln(1 + accesses) and decay = e^(−age / τ),
    where the age counts from the last access."""

    kind: ClassVar[str] = "tiers"
    """The kind of policy, as a session's state lists it."""
    name: str = "default"
    """The name, recorded in the events made with the policy. Why: a record then says which numbers applied."""
    version: int = 1
    """The version of the numbers. Why: it is raised when they change; old events keep their own."""
    hot: float = 0.8
    """The score from which an item is HOT. Why: CodeFRAME's threshold."""
    warm: float = 0.4
    """The score from which an item is WARM; below it is COLD. Why: CodeFRAME's threshold."""
    tau_hours: float = 48.0
    """The hours in which the score falls to about a third (1/e). Why: CodeFRAME leaves the constant open. With 48, a
    new task is HOT for ten hours, a working day, and WARM for the next day; with 24 it would be COLD before the next
    evening."""
    boost_weight: float = 0.1
    """The weight of accesses, by the logarithm of their number. Why: CodeFRAME's log(n + 1) / 10, added to 1; otherwise
    an item without accesses would have no score."""

    def __post_init__(self) -> None:
        label("policy.name", self.name)
        whole_number("policy.version", self.version, minimum=1)
        for name in ("hot", "warm", "tau_hours", "boost_weight"):
            value = getattr(self, name)
            if not is_number(value):
                raise InvalidInput(f"policy.{name}", f"must be a number, got {value!r}")
        if not 1e-6 <= self.warm < self.hot <= 1:
            raise InvalidInput(
                "policy.warm",
                f"must be above 0 and below hot, which is at most 1, got {self.warm!r} and {self.hot!r}",
            )
        if not 1e-3 <= self.tau_hours <= 1e6:
            raise InvalidInput(
                "policy.tau_hours", f"must be from 0.001 to 1,000,000 hours, got {self.tau_hours!r}"
            )
        if not 0 <= self.boost_weight <= 1:
            raise InvalidInput("policy.boost_weight", f"must be from 0 to 1, got {self.boost_weight!r}")

    def score(self, importance: float, accesses: int, touched: int, at: int) -> float:
        """Between 0 and 1. Times are microseconds since 1970; before its last access an item has not aged."""
        age = max(0, at - touched) / 1e6
        return min(1.0, self._fresh(importance, accesses) * math.exp(-age / (self.tau_hours * _HOUR)))

    def tier(self, score: float) -> Tier:
        """The tier of a score."""
        return Tier.HOT if score >= self.hot else Tier.WARM if score >= self.warm else Tier.COLD

    def moves(self, weighed: Iterable[TieredItem], at: int) -> list[Move]:
        """The items that are in another tier than their score at a moment gives."""
        found = []
        for one in weighed:
            tier = self.tier(self.score(one.importance, one.accesses, one.touched, at))
            if tier != one.tier:
                found.append(Move(one.item, one.tier, tier.value))
        return found

    def due(self, importance: float, accesses: int, touched: int, tier: str) -> Due:
        """The times at which the tier must be computed again."""
        above = {
            Tier.HOT: (self.hot, None),
            Tier.WARM: (self.warm, self.hot),
            Tier.COLD: (None, self.warm),
        }
        floor, ceiling = above[Tier(tier)]
        cools, warms = None, None
        if floor is not None:
            after = self._seconds_above(floor, importance, accesses)
            cools = ALWAYS if after is None else _minute(touched / 1e6 + after - SLACK)
        if ceiling is not None:
            after = self._seconds_above(ceiling, importance, accesses)
            warms = None if after is None else _minute(touched / 1e6 + after + SLACK)
        return Due(cools, warms)

    def _fresh(self, importance: float, accesses: int) -> float:
        """The score right after an access, were it not cut off at 1."""
        return importance * (1.0 + self.boost_weight * math.log(1.0 + accesses))

    def _seconds_above(self, threshold: float, importance: float, accesses: int) -> float | None:
        """Seconds after an access during which the score is at a threshold or above; None if it never is."""
        fresh = self._fresh(importance, accesses)
        return self.tau_hours * _HOUR * math.log(fresh / threshold) if fresh >= threshold else None

    def settings(self) -> dict[str, Any]:
        """The numbers that differ from the defaults, as JSON."""
        return changed_settings(self, DEFAULT_TIERS)

    def as_label(self) -> list[str]:
        """The policy as the label of a stream, for `Effects(labels={TIER_LABEL: …})`."""
        numbers = (self.hot, self.warm, self.tau_hours, self.boost_weight)
        return [self.name, str(self.version), *(repr(float(number)) for number in numbers)]


DEFAULT_TIERS = TierPolicy()


def tier_policy_of(labels: Mapping[str, Any]) -> TierPolicy:
    """The tier policy that a session with these labels has chosen, else the default."""
    chosen = labels.get(TIER_LABEL)
    if chosen is None:
        return DEFAULT_TIERS
    name, version, *numbers = chosen
    hot, warm, tau_hours, boost_weight = map(float, numbers)
    return TierPolicy(name, int(version), hot, warm, tau_hours, boost_weight)


def chosen_tier_policy(policies: Mapping[str, Mapping[str, Any]]) -> TierPolicy:
    """The tier policy among those that a state has, else the default."""
    chosen = policies.get(TierPolicy.kind)
    if chosen is None:
        return DEFAULT_TIERS
    return TierPolicy(name=chosen["name"], version=chosen["version"], **chosen["settings"])


def due_of(item: Item, labels: Mapping[str, Any]) -> Due:
    """The times at which an item's tier must be computed again: only while its session is open."""
    if labels.get("status") == "ended":
        return NOT_DUE
    return tier_policy_of(labels).due(item.importance, item.accesses, item.touched, item.tier)


def _minute(seconds: float) -> int:
    return max(ALWAYS, min(LARGEST, math.floor(seconds / _MINUTE)))
