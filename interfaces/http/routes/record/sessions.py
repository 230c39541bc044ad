"""Sessions: started, listed, shown."""

from typing import Annotated, Literal

from fastapi import Query
from pydantic import Field

from backstory.application.queries.lookup import forks_of
from backstory.domain.access import Action
from backstory.interfaces.documents.integrity import ErasureDocument, VerificationDocument
from backstory.interfaces.documents.sessions import (
    CommandDocument,
    HeadDocument,
    ListedSessionDocument,
    SessionDocument,
    SessionsDocument,
    ShownSessionDocument,
    WrittenDocument,
)
from backstory.interfaces.http.bodies import Body, Time
from backstory.interfaces.http.requests import CallerStore, OnceKey, OpenSession, kept_hashes
from backstory.interfaces.http.routing import Routes
from backstory.interfaces.shown import shown_session

routes = Routes("sessions")


class SessionToStart(Body):
    """A session to start."""

    id: str | None = Field(
        default=None, description="A UUID of your own: starting twice under it starts once."
    )
    title: str | None = Field(default=None, description="The title.")
    tags: list[str] = Field(default=[], description="Tags.")
    project: str | None = Field(default=None, description="The project that it belongs to.")
    limit: int | None = Field(default=None, description="The main window's limit in tokens.")
    encoding: str | None = Field(default=None, description="The encoding that tokens are counted in.")
    model: str | None = Field(default=None, description="The main window's model.")
    actor: str | None = Field(default=None, description="The agent or person who starts it.")
    occurred: Time | None = Field(default=None, description="The time at which it began, if that is not now.")


@routes.post("/sessions", Action.APPEND, filtered=True, status_code=201)
def start_session(store: CallerStore, body: SessionToStart, key: OnceKey) -> WrittenDocument:
    """Start a session."""
    session = store.start(**body.model_dump(), key=key)
    return WrittenDocument(session=session.id, version=session.version)


@routes.get("/sessions", Action.READ, filtered=True)
def list_sessions(
    store: CallerStore,
    status: Annotated[Literal["open", "ended"] | None, Query(description="Only these sessions.")] = None,
    project: Annotated[str | None, Query(description="Only sessions of this project.")] = None,
    tag: Annotated[str | None, Query(description="Only sessions with this tag.")] = None,
    since: Annotated[Time | None, Query(description="Only sessions last active then or later.")] = None,
    until: Annotated[Time | None, Query(description="Only sessions last active before.")] = None,
    actor: Annotated[str | None, Query(description="Only sessions with an event of this actor.")] = None,
    type: Annotated[list[str], Query(description="Only sessions with an event of one of these types.")] = [],  # noqa: B006
    limit: Annotated[int, Query(ge=1, le=1000, description="The most sessions of a page.")] = 50,
    after: Annotated[str | None, Query(description="The `next` of the page before.")] = None,
) -> SessionsDocument:
    """List sessions, the most recently active first."""
    sessions = store.sessions(
        status=status,
        project=project,
        tag=tag,
        since=since,
        until=until,
        actor=actor,
        types=type,
        limit=limit,
        after=after,
    )
    last = store.find("last") if sessions else None
    return SessionsDocument(
        sessions=[ListedSessionDocument.of(session, session.id == last) for session in sessions],
        next=sessions[-1].place if len(sessions) == limit else None,
    )


@routes.get("/sessions/{session}/summary", Action.READ)
def summarize_session(store: CallerStore, session: OpenSession) -> SessionDocument:
    """Show a session in a few numbers, as the list of sessions does."""
    return SessionDocument.in_short(store.summary(session.id))


@routes.get("/sessions/{session}/version", Action.READ)
def version(session: OpenSession) -> HeadDocument:
    """Show the newest version and the epoch. The cheapest way to open a session by a short form of its id."""
    opened = session._handle.opened
    return HeadDocument(session=session.id, version=opened.version, epoch=opened.epoch)


@routes.get("/sessions/{session}", Action.READ)
def show_session(store: CallerStore, session: OpenSession) -> ShownSessionDocument:
    """Show a session: its state, its branches, its forks."""
    return shown_session(store, session)


class CommandToRun(Body):
    """A chat command."""

    text: str = Field(description="The command, such as `/set_goal Add login`.")


@routes.post("/sessions/{session}/command", Action.APPEND, once="kept")
def command(session: OpenSession, body: CommandToRun) -> CommandDocument:
    """Run a chat command: see docs/reference/commands.md. One that cannot be done is answered in words."""
    return CommandDocument.of(session.id, session.command(body.text))


class ItemToErase(Body):
    """An item whose contents are to be erased."""

    item: int = Field(description="The item.")
    why: str = Field(description="The reason.")
    everywhere: bool = Field(default=False, description="Also equal contents elsewhere in the session.")
    keep_derived: bool = Field(
        default=False, description="Keep what was derived from it: summaries, noticed decisions, memories."
    )
    dry_run: bool = Field(default=False, description="Write nothing; answer what would be erased.")


@routes.post("/sessions/{session}/erase", Action.OPERATE, whole=True, once="bare")
def erase(store: CallerStore, session: OpenSession, body: ItemToErase) -> ErasureDocument:
    """Erase the contents of an item for good. The log stays verifiable."""
    forks = [fork.session for fork in forks_of(store, session.id) if fork.at >= body.item]
    done = session._with(key=None).erase(**body.model_dump())
    return ErasureDocument.of(done, body.item, body.dry_run, forks)


@routes.get("/sessions/{session}/verify", Action.READ, whole=True)
def verify(
    session: OpenSession,
    anchor: Annotated[
        list[str], Query(description="A version and the hash it had, as `VERSION:HASH`; may be repeated.")
    ] = [],  # noqa: B006
) -> VerificationDocument:
    """Check that the record of a session is intact. The answer says what is not."""
    return VerificationDocument.model_validate(session.verify(anchors=kept_hashes(anchor)))
