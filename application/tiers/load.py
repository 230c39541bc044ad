"""The items of a tier, with their contents and scores."""

from datetime import datetime
from typing import Any, NamedTuple

from backstory.application.contents.items import ItemReader
from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionHandle
from backstory.application.queries.read_models import item_of
from backstory.application.writing.access import record_access
from backstory.domain.errors import InvalidInput
from backstory.domain.messages.contents import content_digest, text_of
from backstory.domain.policies.tiers import tier_policy_of
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import Tier, label
from backstory.infrastructure.postgres.queries import query

_CHANGING_TYPES = ("tool_exchange", "goal")
"""Items whose text may be in other events than the one that brought them."""


class ContextItem(NamedTuple):
    """An item with its content and its score."""

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
    """SHA-256 of the content. Equal contents have equal digests."""


def items_in_tier(handle: SessionHandle, tier: str | None, *, agent: str | None, live: bool) -> list[Item]:
    """The items in a tier, or with None in all, that an agent may see. With `live` off, also those that have left every
    window."""
    wanted = {
        "stream": handle.id,
        "tier": None if tier is None else checked_tier(tier),
        "agent": agent_of(handle, agent),
        "live": live,
    }
    rows: list[Any] = handle.runtime.database.read(
        lambda c: c.execute(query("items_in_tier"), wanted).fetchall()
    )
    return [item_of(row) for row in rows]


def load_items(
    handle: SessionHandle, state: ContextState, items: list[Item], *, record: bool = True
) -> list[ContextItem]:
    """Reads the contents of items, which counts as an access to each unless `record` is off. Erased items are left
    out."""
    if not items:
        return []
    items = [_with_versions(handle, state, item) for item in items]
    messages = ItemReader.of_newest(handle.runtime, handle.id, state, whole=True).messages(items)
    policy, at = tier_policy_of(state.labels), handle.now_us()
    loaded = [
        ContextItem(
            id=item.id,
            type=item.type,
            content=text_of(part for message in messages[item.id] for part in message.parts),
            score=policy.score(item.importance, item.accesses, item.touched, at),
            tier=item.tier,
            tokens=item.tokens,
            access_count=item.accesses,
            created_at=item.brought_at,
            last_accessed=item.touched_at,
            agent=item.agent,
            private=item.private,
            digest=content_digest(messages[item.id]),
        )
        for item in items
        if item.id in messages
    ]
    if record:
        record_access(handle, [item.id for item in loaded], "loaded")
    return loaded


def agent_of(handle: SessionHandle, agent: str | None) -> str | None:
    """The named agent, else the one who writes here."""
    return handle.actor if agent is None else handle.runtime.agent(label("agent", agent))


def _with_versions(handle: SessionHandle, state: ContextState, item: Item) -> Item:
    """The item with the versions that hold its content, which the read model does not keep."""
    if item.id in state.items:
        return state.items[item.id]
    if item.type not in _CHANGING_TYPES:
        return item
    return ContentReader.on_branch(handle.runtime, handle.id, state.version).completed(item)


def visible_items(state: ContextState, agent: str | None) -> list[Item]:
    """The live items that an agent may see: shared ones and its own."""
    return [item for item in state.items.values() if not item.private or item.agent == agent]


def checked_tier(tier: str) -> str:
    """The name of a tier."""
    try:
        return Tier(tier).value
    except ValueError:
        raise InvalidInput("tier", f"must be HOT, WARM or COLD, got {tier!r}") from None
