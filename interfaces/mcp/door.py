"""The store behind the tools: as the caller of a request may see it, and what a tool means unless it is told."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from mcp.server.mcpserver import Context

from backstory.application.memory.project import Project
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.access import ALL, OWNER, WITHIN_LIMITS, Action, Caller, allows
from backstory.domain.errors import AccessDenied, BackstoryError, InvalidInput

P = ParamSpec("P")
R = TypeVar("R")
Asked = Context[Any, Any]


@dataclass(frozen=True)
class Door:
    """A store, and the session, project and agent of calls that name none."""

    store: ContextStore
    session: str = "last"
    project: str | None = None
    agent: str | None = None

    def caller(self, asked: Asked) -> Caller:
        """Whoever sent a request: over HTTP the owner of its key."""
        request = asked.request_context.request
        caller: Caller = OWNER if request is None else request.state.caller
        return caller

    def may(self, asked: Asked, action: Action, project: str | None = None) -> bool:
        """Whether the caller may do this, to a project's data where one is named."""
        return allows(self.caller(asked), action, WITHIN_LIMITS if project is None else project)

    def open(self, asked: Asked, action: Action = Action.READ, *, whole: bool = False) -> ContextStore:
        """The store, limited to what the caller may see. Refuses a caller that may not do this, and one that acts for
        a single agent where private items of others would be shown (`whole`). Whoever asks, files of projects are read
        in the folders that the operator listed and nowhere else; a service sees to that itself."""
        caller = self.caller(asked)
        if not allows(caller, action, agent=ALL if whole else WITHIN_LIMITS):
            raise AccessDenied(f"the key {caller.name} may not {action.value} this.")
        return self.store.on_behalf_of(caller) if type(self.store) is ContextStore else self.store

    def agent_of(self, asked: Asked) -> str | None:
        """The agent that reads and writes: the door's own, or that of the caller's key."""
        return self.agent or self.caller(asked).agent

    def open_session(
        self, asked: Asked, session: str | None, action: Action = Action.READ, *, whole: bool = False
    ) -> Session:
        """The session that is named, or the door's own."""
        opened = self.open(asked, action, whole=whole).session(session or self.session)
        agent = self.agent_of(asked)
        return opened if agent is None else opened.by(agent)

    def open_project(self, asked: Asked, project: str | None, action: Action = Action.READ) -> Project:
        """The project that is named, or the door's own, or that of its session."""
        named = project or self.project or self._project_of_session(asked)
        caller = self.caller(asked)
        if not allows(caller, action, named):
            raise AccessDenied(f"the key {caller.name} may not {action.value} this project.")
        opened = self.open(asked, action).project(named)
        agent = self.agent_of(asked)
        return opened if agent is None else opened.by(agent)

    def _project_of_session(self, asked: Asked) -> str:
        found = self.open(asked).summary(self.session).project
        if found is None:
            raise InvalidInput("project", f"must be named: the session {self.session} belongs to none")
        return found


def telling_errors(of: type[Exception], function: Callable[P, R]) -> Callable[P, R]:
    """The function, whose own errors reach the client as one sentence."""

    @wraps(function)
    def told(*args: P.args, **named: P.kwargs) -> R:
        try:
            return function(*args, **named)
        except BackstoryError as error:
            raise of(f"{error.code}: {error}") from None

    return told
