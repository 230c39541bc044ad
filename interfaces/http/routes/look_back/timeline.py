"""The timeline of a session."""

from typing import Annotated

from fastapi import Query, Request

from backstory.application.window.timeline import MOST_COLUMNS, Timelines
from backstory.domain.access import Action
from backstory.domain.values import MAIN_WINDOW
from backstory.interfaces.documents.timeline import TimelineDocument
from backstory.interfaces.http.requests import OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("timeline")


@routes.get("/sessions/{session}/timeline", Action.READ, whole=True)
def timeline(
    request: Request,
    session: OpenSession,
    window: Annotated[str, Query(description="The window.")] = MAIN_WINDOW,
    after: Annotated[int, Query(ge=0, description="Only versions after this one.")] = 0,
    upto: Annotated[int | None, Query(description="Only versions up to this one.")] = None,
    columns: Annotated[int, Query(ge=1, le=MOST_COLUMNS, description="The most columns.")] = 1_000,
) -> TimelineDocument:
    """Show a window over the versions of a session, in columns, with what stands out."""
    timelines: Timelines = request.app.state.timelines
    return TimelineDocument.of(timelines.read(session, window, after=after, upto=upto, columns=columns))
