"""Branches and forks."""

from pydantic import Field

from backstory.application.queries.resume import resume
from backstory.domain.access import Action
from backstory.interfaces.documents.sessions import (
    BranchesDocument,
    ForkDocument,
    LogBranchDocument,
    ResumedSessionDocument,
)
from backstory.interfaces.http.bodies import Body
from backstory.interfaces.http.requests import OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("branches")


class ForkToMake(Body):
    """A fork to make."""

    at: int | None = Field(default=None, description="The last version to share; otherwise the newest.")
    id: str | None = Field(default=None, description="A UUID of your own: forking twice under it forks once.")
    title: str | None = Field(default=None, description="The title; otherwise the parent's.")
    why: str | None = Field(default=None, description="The reason.")


class SessionToContinue(Body):
    """A session to go on with."""

    fork: bool = Field(default=False, description="Leave it as it is, and go on in a fork of it.")


@routes.get("/sessions/{session}/views/branches", Action.READ)
def branches(session: OpenSession) -> BranchesDocument:
    """List the runs of the log between backtracks, oldest first, those inherited by a fork included."""
    return BranchesDocument(
        branches=[LogBranchDocument.model_validate(one) for one in session.views.branches()]
    )


@routes.post("/sessions/{session}/fork", Action.APPEND, status_code=201)
def fork(session: OpenSession, body: ForkToMake) -> ForkDocument:
    """Start a session with the history of this one up to a version."""
    child = session.fork(body.at, id=body.id, title=body.title, why=body.why)
    began = child._runtime.log.branch_points(child.id)[0]
    return ForkDocument(session=child.id, version=child.version, parent=session.id, at=began.resumed_version)


@routes.post("/sessions/{session}/continue", Action.APPEND, once="kept")
def continue_session(session: OpenSession, body: SessionToContinue) -> ResumedSessionDocument:
    """Open a session to go on with, again if it had ended; or a fork of it."""
    return ResumedSessionDocument.of(resume(session, fork=body.fork))
