"""Tiers of a session: brought up to date, and looked up."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionPart
from backstory.application.tiers.load import (
    ContextItem,
    agent_of,
    checked_tier,
    digests_of,
    items_in_tier,
    load_items,
    visible_items,
)
from backstory.application.tiers.update import TierUpdate, update_session
from backstory.domain.errors import InvalidInput
from backstory.domain.policies.tiers import tier_policy_of
from backstory.domain.records import Item
from backstory.domain.values import Tier


class ContextDiff(NamedTuple):
    """The difference between an agent's working set and a tier."""

    load: list[ContextItem]
    """Items that it lacks, or has in an older form."""
    unload: tuple[int, ...]
    """Items that it has and the tier does not."""
    digest: str
    """The digest of the whole working set after that. Equal digests mean equal sets."""


class TierCounts(NamedTuple):
    """The number of live items that an agent sees in each tier, and their tokens."""

    total_items: int
    hot_count: int
    warm_count: int
    cold_count: int
    total_tokens: int


class SessionTiers(SessionPart):
    """Tiers of a session: `session.tiers`."""

    def update(self, as_of: datetime | None = None) -> TierUpdate:
        """Puts every live item into the tier that its score gives it now, or at another moment. Only items that are due
        are looked at; one event records the moves. An ended session is brought up to date when it is resumed."""
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
        """The number of live items that an agent sees in each tier, and their tokens."""
        seen = visible_items(self._runtime.reader.state(self._id), agent_of(self._handle, agent))
        counts = {tier: sum(item.tier == tier for item in seen) for tier in Tier}
        return TierCounts(
            len(seen),
            counts[Tier.HOT],
            counts[Tier.WARM],
            counts[Tier.COLD],
            sum(item.tokens for item in seen),
        )

    def diff(
        self, known: Mapping[int, str], *, tier: str = Tier.HOT, agent: str | None = None
    ) -> ContextDiff:
        """The items to load and unload so that an agent has the live items of a tier, by the digests of those it has:
        ``{item.id: item.digest for item in session.items.load()}``. Loaded items count as accessed."""
        if not isinstance(known, Mapping):
            raise InvalidInput("known", f"must map items to digests, got {type(known).__name__}")
        wanted_tier, state = checked_tier(tier), self._runtime.reader.state(self._id)
        items = {
            item.id: item
            for item in visible_items(state, agent_of(self._handle, agent))
            if item.tier == wanted_tier
        }
        digests = digests_of(state.stream, items.values())
        if state.last_erasure:
            reader = ContentReader.on_branch(self._runtime, self._id, state.version)
            kept = {version for version, _ in reader.present(v for i in items.values() for v in i.versions)}
            digests = {
                item: digest for item, digest in digests.items() if not kept.isdisjoint(items[item].versions)
            }
        missing = [items[item] for item, digest in digests.items() if known.get(item) != digest]
        loaded = load_items(self._handle, state, missing)
        readable = {item.id for item in loaded} | {
            item for item, digest in digests.items() if known.get(item) == digest
        }
        held = sorted(readable)
        whole = hashlib.sha256("\n".join(f"{item} {digests[item]}" for item in held).encode()).hexdigest()
        return ContextDiff(loaded, tuple(sorted(item for item in known if item not in readable)), whole)
