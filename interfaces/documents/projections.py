"""Projections: read models and consumers of the feed."""

from datetime import date, datetime
from typing import TYPE_CHECKING
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document

if TYPE_CHECKING:
    from backstory.application.feed.projection_runner import Retried


class FindingDocument(Document):
    """A place where the database differs from the log."""

    where: str = Field(description="The place.")
    what: str = Field(description="The difference.")


class ProjectionDocument(Document):
    """A read model."""

    name: str = Field(description="Its name.")
    kind: str = Field(description="inline: updated by every append; feed: updated by a consumer of the feed.")
    rows: int | None = Field(description="The number of rows in its table, or null.")
    bytes: int | None = Field(description="The size of its table with indexes, or null.")
    position: int | None = Field(description="A consumer's position in the feed, 0 before it ran; or null.")
    behind: int = Field(description="The number of positions it has still to process.")
    rebuilt_at: datetime | None = Field(
        description="The time at which the last rebuild of all sessions ended, or null."
    )


class ProjectionsDocument(Document):
    """The read models."""

    projections: list[ProjectionDocument] = Field(description="The read models.")


class ProjectionStatusDocument(Document):
    """The progress of a projection of the feed."""

    name: str = Field(description="The projection's name.")
    position: int = Field(description="The last position it has processed.")
    behind: int = Field(description="The number of positions it has still to process.")
    seconds: float = Field(description="The age of the oldest event it has not processed.")
    leader: int | None = Field(description="The database process that applies events to it, or null.")
    set_aside: int = Field(description="The number of events that were set aside.")
    error: str | None = Field(description="The reason why it was stopped, or null.")


class SetAsideDocument(Document):
    """An event that a projection could not apply."""

    projection: str = Field(description="The projection.")
    position: int = Field(description="The event's position in the feed.")
    session: UUID = Field(description="The event's session.")
    version: int = Field(description="Its version there.")
    type: str = Field(description="Its type.")
    reason: str = Field(description="The error.")
    attempts: int = Field(description="The number of attempts.")
    at: datetime = Field(description="The time at which it was set aside.")


class SetAsidesDocument(Document):
    """Events that projections could not apply."""

    events: list[SetAsideDocument] = Field(description="The events.")


class RetriedDocument(Document):
    """The result of applying events again that were set aside."""

    projection: str = Field(description="The projection.")
    applied: int = Field(description="The number of events that were applied now.")
    left: int = Field(description="The number of events that still could not be applied.")

    @classmethod
    def of(cls, projection: str, done: "Retried") -> "RetriedDocument":
        """The document of a retry."""
        return cls(projection=projection, **done._asdict())


class SessionReadModelsDocument(Document):
    """One session's read models, compared with its log."""

    session: UUID = Field(description="The session's id.")
    version: int = Field(description="Its newest version.")
    events: int = Field(description="The number of its own events.")
    differing: int = Field(description="The number of rows that differ.")
    differences: list[FindingDocument] = Field(description="The first rows that differ.")
    damaged: FindingDocument | None = Field(description="The damage of its log, or null.")


class ProjectionsCheckedDocument(Document):
    """The read models compared with the log."""

    sessions: int = Field(description="The number of sessions compared.")
    events: int = Field(description="The number of events folded.")
    ok: bool = Field(description="Whether every read model equals the log.")
    wrong: list[SessionReadModelsDocument] = Field(description="The sessions whose read models differ.")
    orphans: list[FindingDocument] = Field(description="The rows that belong to no session.")


class ProjectionsRebuiltDocument(Document):
    """The result of rebuilding the read models."""

    sessions: int = Field(description="The number of sessions rebuilt.")
    events: int = Field(description="The number of events applied.")
    changed: list[SessionReadModelsDocument] = Field(description="The sessions whose read models differed.")
    damaged: list[SessionReadModelsDocument] = Field(
        description="The sessions with a damaged log, which were not changed."
    )
    busy: list[UUID] = Field(description="The sessions that stayed locked, which were not changed.")
    orphans: list[FindingDocument] = Field(description="The rows of no session, which were removed.")
    done_before: int = Field(description="The number of sessions that an interrupted run had rebuilt.")


class FeedProjectionRebuiltDocument(Document):
    """The result of rebuilding a projection of the feed."""

    projection: str = Field(description="The projection.")
    position: int = Field(description="The position it has reached.")


class ActivityDocument(Document):
    """The events, tokens and costs of one day and project."""

    day: date = Field(description="The day, in UTC.")
    project: str | None = Field(description="The project, or null for sessions without one.")
    events: int = Field(description="The number of events.")
    messages: int = Field(description="The number of messages.")
    decisions: int = Field(description="The number of decisions.")
    model_calls: int = Field(description="The number of model calls.")
    tokens: int = Field(description="The tokens of the items that were added or extended.")
    input_tokens: int = Field(description="The tokens of the prompts, as providers counted them.")
    output_tokens: int = Field(description="The tokens of the answers.")
    cost_usd: float = Field(description="The cost of the calls with a known price.")
    types: dict[str, int] = Field(description="The number of events by type.")


class ActivitiesDocument(Document):
    """The activity of several days."""

    days: list[ActivityDocument] = Field(description="Each day and project, the newest day first.")
