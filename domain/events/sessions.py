"""Events of a session as a whole: its life, its agents, its windows, its place among other sessions."""

from typing import ClassVar
from uuid import UUID

from pydantic import Field

from backstory.domain.events.base import EventBody
from backstory.domain.references import ContentRef
from backstory.domain.values import MAIN_WINDOW, ItemId, Label


class SessionStarted(EventBody):
    """A session began."""

    type: ClassVar[str] = "session.started"
    title: ContentRef | None = None
    tags: tuple[Label, ...] = ()
    project: Label | None = None


class SessionEnded(EventBody):
    """The session was closed. It is kept, and takes no new items until it is resumed."""

    type: ClassVar[str] = "session.ended"
    why: ContentRef | None = None


class SessionResumed(EventBody):
    """An ended session was opened again."""

    type: ClassVar[str] = "session.resumed"


class SessionRenamed(EventBody):
    """The session got another title."""

    type: ClassVar[str] = "session.renamed"
    title: ContentRef


class SessionTagged(EventBody):
    """The session's tags are now these."""

    type: ClassVar[str] = "session.tagged"
    tags: tuple[Label, ...]


class SessionForked(EventBody):
    """This session's history begins as another's, up to a version. Always a fork's first own event."""

    type: ClassVar[str] = "session.forked"
    parent: UUID
    at: ItemId
    why: ContentRef | None = None
    title: ContentRef | None = None


class SessionBacktracked(EventBody):
    """The state at an earlier version is current again. What came between stays in the log."""

    type: ClassVar[str] = "session.backtracked"
    to: ItemId
    abandoned: ItemId
    """The version that was current before."""
    why: ContentRef


class ProjectSet(EventBody):
    """What project the session works on, and where that stands."""

    type: ClassVar[str] = "project.set"
    name: Label
    id: Label | None = None
    current_idea: Label | None = None
    status: Label | None = None


class AgentJoined(EventBody):
    """An agent takes part from here on, or takes part differently."""

    type: ClassVar[str] = "agent.joined"
    name: Label
    id: Label | None = None
    version: Label | None = None
    mode: Label | None = None
    capabilities: tuple[Label, ...] = ()


class WindowConfigured(EventBody):
    """A window's limit, encoding and model."""

    type: ClassVar[str] = "window.configured"
    window: Label = MAIN_WINDOW
    limit: int | None = Field(default=None, ge=1)
    encoding: Label | None = None
    model: Label | None = None
