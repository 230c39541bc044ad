"""Who may do what: the callers of a store, and the one function that every door asks."""

from dataclasses import dataclass
from enum import Enum, StrEnum


class Action(StrEnum):
    """What a caller may do. Each includes those before it."""

    READ = "read"
    """See sessions, contexts, searches."""
    APPEND = "append"
    """Start sessions and write to them."""
    OPERATE = "operate"
    """Export, import, erase, run jobs."""
    ADMIN = "admin"
    """Purge, set retention, make and revoke keys."""

    def includes(self, other: "Action") -> bool:
        """Whether who may do this may do the other too."""
        order = list(Action)
        return order.index(self) >= order.index(other)


class Reach(Enum):
    """Projects or agents, when a request does not name one."""

    WITHIN_LIMITS = "within limits"
    """Those that the caller is limited to: the answer is filtered."""
    ALL = "all"
    """All of them: the answer cannot be filtered."""


WITHIN_LIMITS, ALL = Reach.WITHIN_LIMITS, Reach.ALL


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a key, or whoever holds the store itself."""

    name: str | None = None
    """Recorded with each event that the caller appends. None: the process that opened the store."""
    action: Action = Action.ADMIN
    """The most it may do."""
    projects: frozenset[str] | None = None
    """The only projects that it reaches. None: all, and sessions without a project."""
    agent: str | None = None
    """The only agent that it acts for. None: any."""


OWNER = Caller()
"""Whoever opened the store: allowed everything."""


def allows(
    caller: Caller,
    action: Action,
    project: str | Reach | None = WITHIN_LIMITS,
    agent: str | Reach | None = WITHIN_LIMITS,
) -> bool:
    """Whether the caller may do this to a project's data, as an agent. A project of None is what belongs to none."""
    return (
        caller.action.includes(action)
        and (caller.projects is None or project is WITHIN_LIMITS or project in caller.projects)
        and (caller.agent is None or agent is WITHIN_LIMITS or agent in (caller.agent, None))
    )
