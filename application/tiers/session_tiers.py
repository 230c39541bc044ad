"""Tiers of a session: brought up to date, and looked up."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from backstory.application.contents.items import ItemReader
from backstory.application.handle import SessionPart
from backstory.application.tiers.kept_sets import keep_set, kept_set
from backstory.application.tiers.load import (
    ContextItem,
    agent_of,
    checked_tier,
    items_in_tier,
    load_items,
    visible_items,
)
from backstory.application.tiers.update import TierUpdate, update_session
from backstory.domain.errors import InvalidInput
from backstory.domain.policies.tiers import tier_policy_of
from backstory.domain.records import Item
from backstory.domain.values import Tier, version_number
from backstory.infrastructure.postgres.queries import query


class ContextDiff(NamedTuple):
    """The difference between an agent's working set and a tier, by content: an item with the content of another that
    the agent has is not loaded."""

    load: list[ContextItem]
    """Items with contents that it lacks."""
    unload: tuple[int, ...]
    """Items that it has, with contents that the tier does not have."""
    digest: str
    """SHA-256 of the whole working set after that. Equal digests mean equal contents."""


class TierCounts(NamedTuple):
    """The items that an agent sees in each tier, in a window or stored, and their tokens."""

    total_items: int
    hot_count: int
    warm_count: int
    cold_count: int
    total_tokens: int
    hot_tokens: int
    warm_tokens: int
    cold_tokens: int
    stored_items: int
    """Those of all that are in no window."""
    stored_tokens: int


class SessionTiers(SessionPart):
    """Tiers of a session: `session.tiers`."""

    def update(self, as_of: datetime | None = None) -> TierUpdate:
        """Puts every item, in a window or stored, into the tier that its score gives it now, or at another moment. Only
        items that are due are looked at; one event records the moves. An ended session is brought up to date when it is
        resumed."""
        return update_session(self._runtime, self._id, as_of, self._handle.provenance)

    def items(
        self, tier: str | None = Tier.HOT, *, agent: str | None = None, live: bool = True
    ) -> list[Item]:
        """The items in a tier, or with None in all, that an agent may see: shared ones and its own. The agent is by
        default the one who writes here. With `live` off, also items that have left every window. Not an access."""
        return items_in_tier(self._handle, tier, agent=agent, live=live)

    def weighed(
        self, tier: str | None = None, *, agent: str | None = None, live: bool = True
    ) -> list[tuple[Item, float]]:
        """The same as `items`, each with its score now, the highest first."""
        found = self.items(tier, agent=agent, live=live)
        policy, at = tier_policy_of(self._runtime.require_head(self._id).labels), self._handle.now_us()
        scores = [policy.score(item.importance, item.accesses, item.touched, at) for item in found]
        return sorted(zip(found, scores, strict=True), key=lambda pair: (-pair[1], pair[0].id))

    def stats(self, *, agent: str | None = None) -> TierCounts:
        """The items that an agent sees in each tier, in a window or stored, and their tokens."""
        wanted = {"stream": self._id, "agent": agent_of(self._handle, agent)}
        rows: list[Any] = self._runtime.database.read(
            lambda c: c.execute(query("tier_counts"), wanted).fetchall()
        )
        counts, tokens = dict.fromkeys(Tier, 0), dict.fromkeys(Tier, 0)
        stored_items = stored_tokens = 0
        for tier, live, items, of_them in rows:
            counts[Tier(tier)] += items
            tokens[Tier(tier)] += of_them
            if not live:
                stored_items += items
                stored_tokens += of_them
        return TierCounts(
            sum(counts.values()),
            counts[Tier.HOT],
            counts[Tier.WARM],
            counts[Tier.COLD],
            sum(tokens.values()),
            tokens[Tier.HOT],
            tokens[Tier.WARM],
            tokens[Tier.COLD],
            stored_items,
            stored_tokens,
        )

    def diff(
        self,
        known: Mapping[int, str] | None = None,
        *,
        tier: str = Tier.HOT,
        agent: str | None = None,
        keep: bool = False,
    ) -> ContextDiff:
        """The items to load and unload so that an agent has the contents of a tier's live items, by the digests of
        those it has: ``{item.id: item.digest for item in session.items.load()}``. Without them, by the working set that
        the agent's last diff with `keep` recorded. Loaded items count as accessed."""
        if known is not None:
            _check_known(known)
        wanted_tier, state = checked_tier(tier), self._runtime.reader.state(self._id)
        of_agent = agent_of(self._handle, agent)
        if known is None:
            known = kept_set(self._handle, state, of_agent, wanted_tier)
        items = [item for item in visible_items(state, of_agent) if item.tier == wanted_tier]
        digests = ItemReader.of_newest(self._runtime, self._id, state, whole=True).digests(items)
        held = set(known.values())
        missing = [item for item in items if item.id in digests and digests[item.id] not in held]
        loaded = load_items(self._handle, state, missing)
        contents = (held & set(digests.values())) | {item.digest for item in loaded}
        now = {item: digest for item, digest in known.items() if digest in contents}
        now |= {item.id: item.digest for item in loaded}
        whole = hashlib.sha256("\n".join(sorted(contents)).encode()).hexdigest()
        if keep:
            keep_set(self._handle, of_agent, wanted_tier, whole, now)
        return ContextDiff(loaded, tuple(sorted(item for item in known if item not in now)), whole)


def _check_known(known: Mapping[int, str]) -> None:
    if not isinstance(known, Mapping):
        raise InvalidInput("known", f"must map items to digests, got {type(known).__name__}")
    for item, digest in known.items():
        version_number("known", item)
        if not isinstance(digest, str):
            raise InvalidInput("known", f"must map item {item} to its digest, got {type(digest).__name__}")
