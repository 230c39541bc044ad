"""The health of the service, its metrics, and the page's login. Outside of the versioned API."""

from typing import Annotated, Any

from fastapi import Depends, Request, Response
from fastapi.responses import PlainTextResponse
from fastapi.security import HTTPAuthorizationCredentials
from pydantic import Field

from backstory.application.access.keys import prefix_of
from backstory.domain.access import OWNER, Action, Caller
from backstory.domain.errors import KeyRequired
from backstory.interfaces.documents.service import LivenessDocument, LoginDocument, ReadinessDocument
from backstory.interfaces.http.bodies import Body
from backstory.interfaces.http.callers import Callers, caller_of
from backstory.interfaces.http.requests import BEARER
from backstory.interfaces.http.routing import Routes
from backstory.interfaces.http.serving.cookies import COOKIE, LIFETIME
from backstory.interfaces.http.serving.hosts import require_own_page

routes = Routes("service", prefix="")

NOT_READY: dict[int | str, Any] = {
    503: {"model": ReadinessDocument, "description": "It cannot answer requests now."}
}


@routes.open("GET", "/livez")
async def livez() -> LivenessDocument:
    """Tell that the process answers."""
    return LivenessDocument(status="alive")


@routes.open("GET", "/readyz", answers=NOT_READY)
def readyz(request: Request, response: Response) -> ReadinessDocument:
    """Tell whether requests can be answered: the database, its schema, the feed."""
    found = request.app.state.readiness.check()
    response.status_code = 200 if found.ready else 503
    if not found.ready:
        response.headers["Retry-After"] = "1"
    return ReadinessDocument.model_validate(found._asdict())


@routes.get("/metrics", Action.READ, response_class=PlainTextResponse)
def metrics(request: Request) -> PlainTextResponse:
    """Export the metrics of Prometheus: see docs/reference/metrics.md."""
    text: bytes = request.app.state.metrics.text()
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")


class Login(Body):
    """A login of the page."""

    key: str = Field(description="The key.", max_length=200)


@routes.open("GET", "/login")
def who_is_logged_in(
    request: Request, _: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)]
) -> LoginDocument:
    """Show who is logged in."""
    try:
        caller = caller_of(request)
    except KeyRequired:
        return LoginDocument(required=True, name=None, action=None, projects=None, agent=None, csrf=None)
    return _login(request, caller, request.cookies.get(COOKIE))


@routes.open("POST", "/login")
def log_in(request: Request, response: Response, body: Login) -> LoginDocument:
    """Log the page in with a key, which is not kept: a cookie that expires stands for it."""
    callers: Callers = request.app.state.callers
    require_own_page(request, {request.url.hostname or ""})
    caller = callers.by_key(body.key)
    cookie = callers.sessions.cookie(prefix_of(body.key))
    response.set_cookie(
        COOKIE,
        cookie,
        max_age=LIFETIME,
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return _login(request, caller, cookie)


@routes.open("POST", "/logout", status_code=204)
def log_out(request: Request, response: Response) -> None:
    """Log the page out."""
    require_own_page(request, {request.url.hostname or ""})
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")


def _login(request: Request, caller: Caller, cookie: str | None) -> LoginDocument:
    callers: Callers = request.app.state.callers
    return LoginDocument(
        required=caller is not OWNER,
        name=caller.name,
        action=caller.action.value,
        projects=None if caller.projects is None else sorted(caller.projects),
        agent=caller.agent,
        csrf=None if cookie is None or caller is OWNER else callers.sessions.token(cookie),
    )
