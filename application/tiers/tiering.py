"""Tiers of a session: brought up to date, looked up, loaded for an agent."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from uuid import UUID

from backstory.application.contents.items import ItemReader
from backstory.application.contents.reader import ContentReader
from backstory.application.queries.read_models import item_of
from backstory.application.tiers.tier_updates import TierUpdate, update_session
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.writer import Writer
from backstory.domain.commands import facts
from backstory.domain.errors import InvalidInput
from backstory.domain.messages.contents import Message
from backstory.domain.policies.tiers import tier_policy_of
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import Tier, label
from backstory.infrastructure.postgres.queries import query

if TYPE_CHECKING:
    from backstory.application.session import Session
    from backstory.application.tiers.agents import ContextAgent

_CHANGING_TYPES = ("tool_exchange", "goal")
"""Items whose text may be in other events than the one that brought them."""


class ContextItem(NamedTuple):
    """An item with what it says and what it is worth."""

    id: int
    type: str
    content: str
    score: float
    tier: str
    tokens: int
    access_count: int
    created_at: datetime
    last_accessed: datetime
    agent: str | None
    private: bool
    digest: str
    """Changes whenever what the item says does."""


class ContextDiff(NamedTuple):
    """What brings an agent's working set up to date."""

    load: list[ContextItem]
    """What it lacks, or has in an older form."""
    unload: tuple[int, ...]
    """What it has and should not have any more."""
    digest: str
    """Of the whole working set after that: two agents with the same digest have the same."""


class TierCounts(NamedTuple):
    """How many live items an agent sees in each tier, and their tokens."""

    total_items: int
    hot_count: int
    warm_count: int
    cold_count: int
    total_tokens: int


class Tiering(Writer):
    """What a session knows of tiers."""

    def update_tiers(self, as_of: datetime | None = None) -> TierUpdate:
        """Puts every live item into the tier that its score gives it now, or at another moment. Only what is due is
        looked at; what moved is said by one event. An ended session is brought up to date when it is resumed."""
        return update_session(self._runtime, self.id, as_of, self._provenance)

    def complete_task(self, task: str) -> int:
        """Completes a task, and brings the tiers up to date."""
        version = super().complete_task(task)
        self.update_tiers()
        return version

    def resume(self) -> int:
        """Opens an ended session again, and brings the tiers up to date."""
        version = super().resume()
        self.update_tiers()
        return version

    def tier_items(
        self, tier: str | None = Tier.HOT, *, agent: str | None = None, live: bool = True
    ) -> list[Item]:
        """The items in a tier, or with None in all, that an agent may see: shared ones and its own. Without an agent,
        those of whoever speaks here. With `live` off, also those that have left every window. Not an access."""
        wanted = {
            "stream": self.id,
            "tier": None if tier is None else checked_tier(tier),
            "agent": self._agent(agent),
            "live": live,
        }
        rows: list[Any] = self._runtime.database.read(
            lambda c: c.execute(query("items_in_tier"), wanted).fetchall()
        )
        return [item_of(row) for row in rows]

    def weighed_items(
        self, tier: str | None = None, *, agent: str | None = None, live: bool = True
    ) -> list[tuple[Item, float]]:
        """The same as `tier_items`, each with its score now, the highest first."""
        found = self.tier_items(tier, agent=agent, live=live)
        policy, at = tier_policy_of(self._runtime.require_head(self.id).labels), self._handle.now_us()
        scores = [policy.score(item.importance, item.accesses, item.touched, at) for item in found]
        return sorted(zip(found, scores, strict=True), key=lambda pair: (-pair[1], pair[0].id))

    def load(self, tier: str = Tier.HOT, *, agent: str | None = None, live: bool = True) -> list[ContextItem]:
        """The items in a tier with what they say, as `tier_items` finds them. Loading is an access to each. What was
        erased is left out."""
        items = self.tier_items(checked_tier(tier), agent=agent, live=live)
        state = self._runtime.reader.state(self.id)
        loaded = self._read(state, [self._with_versions(state, item) for item in items])
        if loaded:
            self._write(ContentBundle(), facts.touch_items([item.id for item in loaded], "loaded"))
        return loaded

    def context_stats(self, *, agent: str | None = None) -> TierCounts:
        """How many live items an agent sees in each tier, and their tokens."""
        seen = visible_items(self._runtime.reader.state(self.id), self._agent(agent))
        counts = {tier: sum(item.tier == tier for item in seen) for tier in Tier}
        return TierCounts(
            len(seen),
            counts[Tier.HOT],
            counts[Tier.WARM],
            counts[Tier.COLD],
            sum(item.tokens for item in seen),
        )

    def context_diff(
        self, known: Mapping[int, str], *, tier: str = Tier.HOT, agent: str | None = None
    ) -> ContextDiff:
        """What an agent has to load and unload to have the live items of a tier, by the digests of what it has:
        ``{item.id: item.digest for item in session.load()}``. What it loads is accessed, what it has is not."""
        if not isinstance(known, Mapping):
            raise InvalidInput("known", f"must map items to digests, got {type(known).__name__}")
        wanted_tier, state = checked_tier(tier), self._runtime.reader.state(self.id)
        items = {
            item.id: item for item in visible_items(state, self._agent(agent)) if item.tier == wanted_tier
        }
        digests = digests_of(state.stream, items.values())
        if state.last_erasure:
            reader = ContentReader.on_branch(self._runtime, self.id, state.version)
            kept = {version for version, _ in reader.present(v for i in items.values() for v in i.versions)}
            digests = {
                item: digest for item, digest in digests.items() if not kept.isdisjoint(items[item].versions)
            }
        missing = [items[item] for item, digest in digests.items() if known.get(item) != digest]
        loaded = self._read(state, missing)
        if loaded:
            self._write(ContentBundle(), facts.touch_items([item.id for item in loaded], "loaded"))
        readable = {item.id for item in loaded} | {
            item for item, digest in digests.items() if known.get(item) == digest
        }
        held = sorted(readable)
        whole = hashlib.sha256("\n".join(f"{item} {digests[item]}" for item in held).encode()).hexdigest()
        return ContextDiff(loaded, tuple(sorted(item for item in known if item not in readable)), whole)

    def agent(self, name: str) -> "ContextAgent":
        """This session as one agent has it: what it saves is its own, and it sees that and what is shared."""
        from backstory.application.tiers.agents import ContextAgent

        return ContextAgent(cast("Session", self.by(name)))

    def _agent(self, agent: str | None) -> str | None:
        return self._provenance.actor if agent is None else label("agent", agent)

    def _with_versions(self, state: ContextState, item: Item) -> Item:
        """The item with the events that hold what it says, which the read model does not keep."""
        if item.id in state.items:
            return state.items[item.id]
        if item.type not in _CHANGING_TYPES:
            return item
        return ContentReader.on_branch(self._runtime, self.id, state.version).completed(item)

    def _said_by(self, state: ContextState, items: list[Item]) -> dict[int, str]:
        """By item what it says, as text. What was erased is left out."""
        item_reader = ItemReader.of_newest(self._runtime, self.id, state, whole=True)
        return {item: _text(messages) for item, messages in item_reader.messages(items).items()}

    def _read(self, state: ContextState, items: list[Item]) -> list[ContextItem]:
        if not items:
            return []
        said = self._said_by(state, items)
        policy, at, digests = (
            tier_policy_of(state.labels),
            self._handle.now_us(),
            digests_of(state.stream, items),
        )
        return [
            ContextItem(
                id=item.id,
                type=item.type,
                content=said[item.id],
                score=policy.score(item.importance, item.accesses, item.touched, at),
                tier=item.tier,
                tokens=item.tokens,
                access_count=item.accesses,
                created_at=item.brought_at,
                last_accessed=item.touched_at,
                agent=item.agent,
                private=item.private,
                digest=digests[item.id],
            )
            for item in items
            if item.id in said
        ]


def visible_items(state: ContextState, agent: str | None) -> list[Item]:
    """The live items that an agent may see: shared ones and its own."""
    return [item for item in state.items.values() if not item.private or item.agent == agent]


def digests_of(stream: UUID, items: Iterable[Item]) -> dict[int, str]:
    """By item, SHA-256 of where its text stands. Events never change, so what an item says changes only with the events
    that hold it, and no text has to be read."""
    place = stream.bytes
    return {item.id: _digest(place, item.id, item.versions) for item in items}


# Most of a working set is the same from one diff to the next.
@lru_cache(maxsize=100_000)
def _digest(stream: bytes, item: int, versions: tuple[int, ...]) -> str:
    return hashlib.sha256(stream + repr((item, versions)).encode()).hexdigest()


def checked_tier(tier: str) -> str:
    try:
        return Tier(tier).value
    except ValueError:
        raise InvalidInput("tier", f"must be HOT, WARM or COLD, got {tier!r}") from None


def _text(messages: Sequence[Message]) -> str:
    parts = [part for message in messages for part in message.parts]
    said = [part for part in parts if part.media_type.startswith("text/") or part.kind == "tool_result"]
    return "\n".join(part.data.decode(errors="replace") for part in said)
