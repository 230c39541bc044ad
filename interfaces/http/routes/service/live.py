"""Events as they come, over Server-Sent Events."""

from functools import partial
from typing import Annotated, Any

from fastapi import Header, Query, Request

from backstory.application.feed.live import feed_page
from backstory.application.store import ContextStore
from backstory.domain.access import Action, Caller, allows
from backstory.domain.errors import AccessDenied, InvalidInput
from backstory.interfaces.http.callers import caller_of
from backstory.interfaces.http.live.channel import Line
from backstory.interfaces.http.live.hub import Hub
from backstory.interfaces.http.live.streams import EVENT_STREAM, EventStream, stream
from backstory.interfaces.http.requests import Asking, CallerStore, OpenProject, OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("live")

LAST = 2**63 - 1
After = Annotated[
    int | None, Query(ge=0, le=LAST, description="Begin after this id; otherwise with what comes next.")
]
Upto = Annotated[int | None, Query(ge=0, le=LAST, description="End with this id; otherwise never.")]
LastId = Annotated[
    str | None,
    Header(alias="Last-Event-ID", description="The id of the last event that came; sent by browsers."),
]
STREAM: dict[str, Any] = {
    "response_class": EventStream,
    "status_code": 200,
    "response_model": None,
    "responses": {200: {"description": "Events.", "content": {EVENT_STREAM: {"schema": {"type": "string"}}}}},
}


@routes.get("/sessions/{session}/live", Action.READ, **STREAM)
def live_session(
    request: Request,
    session: OpenSession,
    caller: Asking,
    after: After = None,
    upto: Upto = None,
    last_event_id: LastId = None,
) -> EventStream:
    """Follow a session's events as they come.

    The id of a message is the event's version, its data an EventDocument; a BriefEventDocument for keys of one agent.
    After `dropped` or `closing` come back with the last id."""
    hub: Hub = request.app.state.live
    show = _whole if caller.agent is None else _brief
    again = partial(_admit_to_session, request, str(session.id))
    return EventStream(stream(hub.session(session.id), _begin(after, last_event_id), upto, show, again))


@routes.get("/projects/{project}/live", Action.READ, **STREAM)
def live_project(
    request: Request,
    project: OpenProject,
    store: CallerStore,
    after: After = None,
    upto: Upto = None,
    last_event_id: LastId = None,
) -> EventStream:
    """Follow the events of a project's sessions and of its memory as they come.

    The id of a message is the event's position in the feed, its data a LiveEventDocument."""
    return _follow_feed(request, store, _begin(after, last_event_id), upto, project.name)


@routes.get("/live", Action.READ, filtered=True, **STREAM)
def live(
    request: Request,
    store: CallerStore,
    after: After = None,
    upto: Upto = None,
    last_event_id: LastId = None,
) -> EventStream:
    """Follow the events of all sessions as they come.

    The id of a message is the event's position in the feed, its data a LiveEventDocument."""
    return _follow_feed(request, store, _begin(after, last_event_id), upto, None)


def _follow_feed(
    request: Request, store: ContextStore, after: int | None, upto: int | None, project: str | None
) -> EventStream:
    hub: Hub = request.app.state.live
    caller: Caller = request.state.caller
    show = partial(of_project, caller, project)
    again = partial(_admit_to_feed, request, project)
    read = partial(feed_page, store, project=project)
    return EventStream(stream(hub.feed(), after, upto, show, again, read))


def of_project(caller: Caller, project: str | None, line: Line) -> str | None:
    """What a caller sees of an event who follows one project, or all."""
    wanted = project is None or line.project == project
    return line.brief if wanted and allows(caller, Action.READ, line.project) else None


def _whole(line: Line) -> str:
    return line.whole


def _brief(line: Line) -> str:
    return line.brief


def _begin(after: int | None, last_event_id: str | None) -> int | None:
    """Where to begin. A browser that comes back says the last id, whatever the address says."""
    if last_event_id is None:
        return after
    if not last_event_id.isascii() or not last_event_id.isdigit() or int(last_event_id) > LAST:
        raise InvalidInput("Last-Event-ID", "must be an id that the stream sent")
    return int(last_event_id)


def _admit_to_session(request: Request, session: str) -> None:
    """Raises an error if the caller may follow the session no longer."""
    caller = caller_of(request)
    store: ContextStore = request.app.state.store
    store.on_behalf_of(caller).session(session)


def _admit_to_feed(request: Request, project: str | None) -> None:
    """Raises an error if the caller may follow the project no longer."""
    caller = caller_of(request)
    if caller != request.state.caller or (project is not None and not allows(caller, Action.READ, project)):
        raise AccessDenied("the key may do other things now: come back.")
