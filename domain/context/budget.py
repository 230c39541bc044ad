"""Divides a budget: the essentials first, then each part its share. Unused tokens pass to the next part."""

from collections.abc import Callable, Mapping

from backstory.domain.context.calibration import Calibration
from backstory.domain.errors import BudgetTooSmall
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.values import LARGEST

STEPS = 16
"""A limit that comes from a provider's counts is taken down to a sixteenth of the budget: it moves a little with every
call, and the start of the history must not."""


class Limit:
    """Tokens a prompt may have for a budget: without the reserve, and as far as the provider's counts are known."""

    def __init__(
        self,
        policy: AssemblyPolicy,
        reserve: int | None,
        calibration: Calibration | None = None,
        *,
        for_query: bool = False,
    ) -> None:
        self._policy = policy
        self._reserve = reserve
        self._for_query = for_query
        self._calibration = calibration if policy.calibrated else None

    def reserve(self, budget: int) -> int:
        if self._reserve is not None:
            return self._reserve
        return self._policy.reserve(budget, for_query=self._for_query)

    def of(self, budget: int) -> int:
        left = max(0, budget - self.reserve(budget))
        if self._calibration is None:
            return left
        step = max(1, left // STEPS)
        return min(left, self._calibration.most(left) // step * step)


class Allowances:
    """The tokens of each part, as parts are filled one after the other."""

    def __init__(
        self, limit: int, *, steady: int, hot_state: int, said: int, shares: Mapping[str, float]
    ) -> None:
        """`steady` are the essentials that seldom change, `said` are the messages that are in any case. The shares are
        of what the steady ones and the hot state, in coarse steps, leave, so that they hardly move from call to call.
        """
        step = max(1, limit // STEPS)
        self._shared = max(0, limit - steady - -(-hot_state // step) * step)
        self._free = max(0, limit - steady - hot_state - said)
        self._said = said
        self._shares = shares
        self._passed_on = 0.0

    @property
    def free(self) -> int:
        """The tokens that are left."""
        return self._free

    def besides(self, *parts: str) -> int:
        """The tokens that are left for the history if these later parts get their shares."""
        shares = sum(self._shares.get(part, 0.0) for part in parts)
        return self._free + self._said - int(shares * self._shared)

    def share(self, part: str) -> int:
        """A part's own share, without what those before it have left."""
        return int(self._shares.get(part, 0.0) * self._shared)

    def next(self, part: str) -> int:
        """The allowance of the next part: its share and what those before it have left; nothing for one without a
        share. The history's holds the messages that are in any case, which have their place already."""
        if part not in self._shares:
            return 0
        self._passed_on += self._shares[part] * self._shared
        return min(self._free + (self._said if part == "history" else 0), int(self._passed_on))

    def used(self, tokens: int, part: str = "") -> int:
        # A part that took more than its share takes it from what is left at last, not from the next one's share.
        self._passed_on = max(0.0, self._passed_on - tokens)
        self._free -= tokens - (self._said if part == "history" else 0)
        return tokens


def require_room(
    essentials: Mapping[str, int], hot_state: int, limit: Limit, budget: int, policy: AssemblyPolicy
) -> None:
    """Refuses a budget that does not hold the essentials, each named with its tokens, and the hot state as far as the
    policy guarantees it."""
    tokens = sum(essentials.values())

    def fits(budget: int) -> bool:
        return tokens + min(hot_state, policy.hot_state(budget)) <= limit.of(budget)

    if fits(budget):
        return
    needed = _least(fits, tokens)
    room, reserve = limit.of(needed), limit.reserve(needed)
    told = [f"{name} {count}" for name, count in essentials.items() if count]
    if room > tokens:
        told.append(f"goals, files and actions {room - tokens}")
    told.append(f"the response {reserve}")
    if needed > room + reserve:
        told.append(f"what the provider counts more {needed - room - reserve}")
    raise BudgetTooSmall(
        f"budget: must be at least {needed} tokens, got {budget}. Needed are: {', '.join(told)}.", needed
    )


def _least(fits: Callable[[int], bool], tokens: int) -> int:
    """The least budget that fits, which is more than so many tokens."""
    low, high = tokens, max(1, tokens)
    while not fits(high) and high < LARGEST:
        low, high = high, high * 2
    while low < high:
        middle = (low + high) // 2
        if fits(middle):
            high = middle
        else:
            low = middle + 1
    return low
