"""Events of a session as a whole: its life, its agents, its windows, its place among other sessions."""

from typing import ClassVar
from uuid import UUID

from pydantic import Field

from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.values import MAIN_WINDOW, ItemId, Label


class SessionStarted(EventBody):
    """A session began."""

    type: ClassVar[str] = "session.started"
    verbs: ClassVar[tuple[str, ...]] = ("labels", "window")
    title: ContentRef | None = None
    """The session's title."""
    tags: tuple[Label, ...] = ()
    """Its tags."""
    project: Label | None = None
    """The name of the project it belongs to."""


class SessionEnded(EventBody):
    """The session was closed. It is kept, and takes no new items until it is resumed."""

    type: ClassVar[str] = "session.ended"
    verbs: ClassVar[tuple[str, ...]] = ("labels",)
    why: ContentRef | None = None
    """The reason."""


class SessionResumed(EventBody):
    """An ended session was opened again."""

    type: ClassVar[str] = "session.resumed"
    verbs: ClassVar[tuple[str, ...]] = ("labels",)


class SessionRenamed(EventBody):
    """The session got another title."""

    type: ClassVar[str] = "session.renamed"
    verbs: ClassVar[tuple[str, ...]] = ("labels",)
    title: ContentRef
    """The new title."""


class SessionTagged(EventBody):
    """The session's tags are now these."""

    type: ClassVar[str] = "session.tagged"
    verbs: ClassVar[tuple[str, ...]] = ("labels",)
    tags: tuple[Label, ...]
    """All of them: a tag that is not among these is gone."""


class SessionForked(EventBody):
    """This session's history begins as another's, up to a version. Always a fork's first own event."""

    type: ClassVar[str] = "session.forked"
    verbs: ClassVar[tuple[str, ...]] = ("resumes", "labels")
    parent: UUID
    """The session that holds the event it goes on from."""
    at: ItemId
    """That event's version; the fork's own versions follow it."""
    why: ContentRef | None = None
    """The reason."""
    title: ContentRef | None = None
    """The fork's title; None for the same as the parent's."""


class SessionBacktracked(EventBody):
    """The state at an earlier version is current again. The events between stay in the log."""

    type: ClassVar[str] = "session.backtracked"
    verbs: ClassVar[tuple[str, ...]] = ("resumes", "labels", "judges", "removes")
    to: ItemId
    """The version that is current again."""
    abandoned: ItemId
    """The version that was current before."""
    why: ContentRef
    """The reason."""


class ProjectSet(EventBody):
    """The session's project, and the state of that project."""

    type: ClassVar[str] = "project.set"
    verbs: ClassVar[tuple[str, ...]] = ("labels",)
    name: Label
    """Its name; sessions are listed by it."""
    id: Label | None = None
    """The caller's id of it."""
    current_idea: Label | None = None
    """The artifact id of the idea that is being worked on."""
    status: Label | None = None
    """Its status, in the caller's words."""


class AgentJoined(EventBody):
    """An agent joined the session, or changed its mode, version or capabilities."""

    type: ClassVar[str] = "agent.joined"
    name: Label
    """The name that the agent's events have as their actor."""
    id: Label | None = None
    """The caller's id of it."""
    version: Label | None = None
    """Its version."""
    mode: Label | None = None
    """Its current mode."""
    capabilities: tuple[Label, ...] = ()
    """Its capabilities."""


class WindowConfigured(EventBody):
    """A window's limit, encoding and model."""

    type: ClassVar[str] = "window.configured"
    verbs: ClassVar[tuple[str, ...]] = ("window",)
    window: Label = MAIN_WINDOW
    """The window's name."""
    limit: int | None = Field(default=None, ge=1)
    """Tokens it may hold; None for no limit."""
    encoding: Label | None = None
    """The token encoding; None for the default, o200k_base."""
    model: Label | None = None
    """The model it is the view of."""
