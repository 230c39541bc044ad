"""Events as they come: what streams and sockets send."""

from datetime import datetime
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.window import TierStatusDocument, WindowStatusDocument

if TYPE_CHECKING:
    from backstory.application.feed.feed import FeedEvent
    from backstory.application.queries.history import LogEntry
    from backstory.application.queries.status import Figures


class BriefEventDocument(Document):
    """An event without what it says."""

    session: UUID = Field(description="The session that recorded it.")
    version: int = Field(description="Its version in that session.")
    type: str = Field(description="Its type, such as message.added.")
    recorded_at: datetime = Field(description="The time at which the database recorded it.")
    occurred_at: datetime = Field(description="The time at which it happened.")
    actor: str | None = Field(description="Who did it, or null.")
    epoch: int = Field(description="The number of backtracks before it.")

    @classmethod
    def of(cls, entry: "LogEntry") -> "BriefEventDocument":
        """The document of one line of the log."""
        return cls.model_validate(
            {name: getattr(entry.event, name) for name in cls.model_fields if name != "session"}
            | {"session": entry.event.stream}
        )


class LiveEventDocument(BriefEventDocument):
    """An event of any session, without what it says."""

    position: int = Field(description="Its position in the feed.")
    project: str | None = Field(description="The project that the session belongs to now, or null.")

    @classmethod
    def found(cls, event: "FeedEvent") -> "LiveEventDocument":
        """The document of one event of the feed."""
        stored = event.event
        return cls(
            session=event.session,
            version=event.version,
            type=event.type,
            recorded_at=stored.recorded_at,
            occurred_at=stored.occurred_at,
            actor=stored.actor,
            epoch=stored.epoch,
            position=event.position,
            project=event.project,
        )


class DroppedDocument(Document):
    """The end of a stream whose client may come back."""

    reason: str = Field(description="Why it ends.")
    after: int = Field(description="The id to continue after.")


class TiersMessage(Document):
    """The items of a session by tier, in numbers."""

    type: Literal["tiers"] = Field(default="tiers", description="tiers.")
    session: UUID = Field(description="The session's id.")
    version: int = Field(description="The version that they are of.")
    total_items: int = Field(description="The number of live items.")
    hot_count: int = Field(description="Those that are HOT.")
    warm_count: int = Field(description="Those that are WARM.")
    cold_count: int = Field(description="Those that are COLD.")
    total_tokens: int = Field(description="The tokens of all.")
    tiers: dict[str, TierStatusDocument] = Field(description="Items and tokens of each tier.")

    @classmethod
    def of(cls, session: UUID, figures: "Figures") -> "TiersMessage":
        """The message of a session's tiers."""
        counts = {name.upper(): tier for name, tier in figures.tiers.items()}
        return cls(
            session=session,
            version=figures.version,
            total_items=sum(tier.items for tier in counts.values()),
            hot_count=counts["HOT"].items,
            warm_count=counts["WARM"].items,
            cold_count=counts["COLD"].items,
            total_tokens=sum(tier.tokens for tier in counts.values()),
            tiers={name: TierStatusDocument.model_validate(tier) for name, tier in figures.tiers.items()},
        )


class WindowMessage(Document):
    """The windows of a session."""

    type: Literal["window"] = Field(default="window", description="window.")
    session: UUID = Field(description="The session's id.")
    version: int = Field(description="The version that they are of.")
    windows: list[WindowStatusDocument] = Field(description="The windows.")

    @classmethod
    def of(cls, session: UUID, figures: "Figures") -> "WindowMessage":
        """The message of a session's windows."""
        return cls(
            session=session,
            version=figures.version,
            windows=[
                WindowStatusDocument(window=fields.pop("name"), **fields)
                for fields in (window._asdict() for window in figures.windows)
            ],
        )
