"""A row for every route, by operation id: the action that its caller must be allowed, and an example that works.

In an example, `$name` stands for a value of the world (`world.py`), and so do the parameters of the path. The tests of
keys make each request with every kind of key.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from backstory.application.session import Session
from backstory.domain.access import Action


@dataclass(frozen=True)
class Row:
    """A route's action, and a request that it answers with success. None: the route asks for no key."""

    action: Action | None
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    """Sent as JSON."""
    content: str | None = None
    """Sent as it is, in place of a body."""
    headers: Mapping[str, str] = field(default_factory=dict)
    path: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the path that the world has no value for, or another one."""
    before: Sequence[str] = ()
    """Rows whose requests are made first, by whoever may: what this one ends, erases or answers."""
    prepare: Callable[[Session], object] | None = None
    """Done in the session before the request."""
    streams: bool = False
    """The answer does not end by itself; its status and headers are looked at."""


def _compact(session: Session) -> None:
    for number in range(20):
        session.message(f"{number}: the lamp fails in fog. " * 40)
    session.window.compact("everything")


READ, APPEND, OPERATE, ADMIN = Action.READ, Action.APPEND, Action.OPERATE, Action.ADMIN

MATRIX: dict[str, Row] = {
    "start_session": Row(APPEND, body={"project": "$project"}),
    "list_sessions": Row(READ),
    "show_session": Row(READ),
    "search": Row(READ, {"query": "lighthouse"}),
    "search_session": Row(READ, {"query": "lighthouse"}),
    "dropped": Row(READ, prepare=_compact),
    "list_projects": Row(READ),
    "remember": Row(APPEND, body={"text": "The lamp is new."}),
    "list_memories": Row(READ),
    "recall": Row(READ, {"query": "keeper"}),
    "show_memory": Row(READ),
    "show_memory_history": Row(READ),
    "supersede": Row(APPEND, body={"text": "The keeper left."}),
    "forget": Row(APPEND, body={"why": "she left"}),
    "erase_memory": Row(OPERATE, body={"why": "asked to"}),
    "remember_from_session": Row(APPEND, body={"text": "The lens is clean.", "items": ["$item"]}),
    "recall_in_session": Row(READ, {"query": "keeper"}),
}
