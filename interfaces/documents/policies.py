"""Policies and tiers."""

from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document

if TYPE_CHECKING:
    from backstory.application.evaluation.recall_gate import PolicyCheck
    from backstory.application.tiers.update import TierUpdate
    from backstory.domain.records import Item


class PolicyCheckDocument(Document):
    """The result of trying a policy on recorded sessions."""

    policy: str = Field(description="The policy's name.")
    sessions: int = Field(description="The number of sessions replayed.")
    calls: int = Field(description="The number of model calls compared.")
    tokens_per_call: float = Field(description="Tokens that it would have sent, on average.")
    full_tokens_per_call: float = Field(description="Tokens of the full history at the same calls.")
    saved: float = Field(description="The share of these that was not sent.")
    most_tokens: int = Field(description="The tokens of the largest prompt.")
    uses: int = Field(description="Names in answers that had been mentioned before.")
    held: dict[str, float | None] = Field(
        description="The share of them in the prompt: all, path, identifier, far, decision; and of the prompts that "
        "have the user's newest message: instruction. Null without any."
    )
    floor: float = Field(description="The required share.")
    ok: bool = Field(
        description="Whether names and decisions both reach it, and every prompt has the newest instruction."
    )

    @classmethod
    def of(cls, check: "PolicyCheck") -> "PolicyCheckDocument":
        """The document of a policy's check."""
        return cls(
            policy=check.policy,
            sessions=check.sessions,
            calls=check.calls,
            tokens_per_call=round(check.tokens_per_call, 1),
            full_tokens_per_call=round(check.full_tokens_per_call, 1),
            saved=round(check.saved, 4),
            most_tokens=check.most_tokens,
            uses=check.uses,
            held=check.shares,
            floor=check.floor,
            ok=check.ok,
        )


class TiersUpdatedDocument(Document):
    """The result of updating tiers."""

    as_of: datetime = Field(description="The time for which the scores were computed.")
    sessions: int = Field(description="The number of sessions with items that were due.")
    updated: int = Field(description="The number of sessions in which items moved.")
    moved: int = Field(description="The number of items that changed their tier.")
    busy: int = Field(description="The number of locked sessions, which the next run updates.")

    @classmethod
    def of_session(cls, update: "TierUpdate") -> "TiersUpdatedDocument":
        """The document of one session's update."""
        updated = int(bool(update.moves))
        return cls(as_of=update.as_of, sessions=updated, updated=updated, moved=len(update.moves), busy=0)


class TierCountsDocument(Document):
    """The items that an agent sees in each tier, in a window or stored."""

    session: UUID = Field(description="The session's id.")
    agent: str | None = Field(description="The agent, or null.")
    total_items: int = Field(description="The number of items.")
    hot_count: int = Field(description="The number of HOT items.")
    warm_count: int = Field(description="The number of WARM items.")
    cold_count: int = Field(description="The number of COLD items.")
    total_tokens: int = Field(description="The tokens of all items.")
    hot_tokens: int = Field(description="The tokens of the HOT items.")
    warm_tokens: int = Field(description="The tokens of the WARM items.")
    cold_tokens: int = Field(description="The tokens of the COLD items.")
    stored_items: int = Field(description="The number of items that are in no window.")
    stored_tokens: int = Field(description="The tokens of these.")


class TierMoveDocument(Document):
    """An item that moved to another tier."""

    item: int = Field(description="Its id.")
    before: str = Field(description="Its tier before.")
    after: str = Field(description="Its tier now.")


class SessionTiersUpdatedDocument(Document):
    """The result of updating the tiers of one session."""

    session: UUID = Field(description="The session's id.")
    as_of: datetime = Field(description="The time for which the scores were computed.")
    version: int | None = Field(description="The event that records the moves; null if none was needed.")
    moves: list[TierMoveDocument] = Field(description="The items that changed their tier.")


class TierItemDocument(Document):
    """An item with its tier and its score."""

    item: int = Field(description="Its id.")
    type: str = Field(description="message, decision, code, …")
    tier: str = Field(description="HOT, WARM or COLD, as last assigned.")
    score: float = Field(description="Its score now, from 0 to 1.")
    importance: float = Field(description="Its importance when it was added.")
    accesses: int = Field(description="The number of times it was accessed.")
    touched_at: datetime = Field(description="The time of the last access.")
    tokens: int = Field(description="Its tokens.")
    agent: str | None = Field(description="The agent that it belongs to, or null.")
    private: bool = Field(description="Whether only that agent sees it.")
    live: bool = Field(description="Whether it is in a window.")

    @classmethod
    def of(cls, item: "Item", score: float) -> "TierItemDocument":
        """The document of an item with its score."""
        return cls(
            item=item.id,
            type=item.type,
            tier=item.tier,
            score=score,
            importance=item.importance,
            accesses=item.accesses,
            touched_at=item.touched_at,
            tokens=item.tokens,
            agent=item.agent,
            private=item.private,
            live=bool(item.windows),
        )


class TierItemsDocument(Document):
    """Items with their tiers and scores."""

    items: list[TierItemDocument] = Field(description="The items, the highest score first.")


class LoadedItemDocument(Document):
    """An item with its content and its score."""

    id: int = Field(description="Its id.")
    type: str = Field(description="message, decision, code, …")
    content: str = Field(description="Its text.")
    score: float = Field(description="Its score now, from 0 to 1.")
    tier: str = Field(description="HOT, WARM or COLD, as last assigned.")
    tokens: int = Field(description="Its tokens.")
    access_count: int = Field(description="The number of times it was accessed.")
    created_at: datetime = Field(description="The time at which it was added.")
    last_accessed: datetime = Field(description="The time of the last access.")
    agent: str | None = Field(description="The agent that it belongs to, or null.")
    private: bool = Field(description="Whether only that agent sees it.")
    digest: str = Field(description="SHA-256 of the content. Equal contents have equal digests.")


class LoadedItemsDocument(Document):
    """Items with their contents."""

    items: list[LoadedItemDocument] = Field(description="The items.")


class WorkingSetDocument(Document):
    """The difference between an agent's working set and a tier."""

    load: list[LoadedItemDocument] = Field(description="Items with contents that it lacks.")
    unload: list[int] = Field(description="Items that it has, with contents that the tier does not have.")
    digest: str = Field(description="SHA-256 of the whole working set after that.")
