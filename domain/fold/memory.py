"""Folds of a project's memory."""

from datetime import datetime

from backstory.domain import events as e
from backstory.domain.records import MemoryNote
from backstory.domain.state import ContextState
from backstory.domain.values import microseconds


def memory_recorded(state: ContextState, event: e.Event, body: e.MemoryRecorded) -> None:
    at = microseconds(event.occurred_at)
    item = event.effects.brings
    state.memories[event.version] = MemoryNote(
        kind=body.kind,
        agent=item.agent if item is not None and item.private else None,
        key=body.key,
        at=at,
        valid_from=_moment(body.valid_from),
        valid_until=_moment(body.valid_until),
        left=None,
        by=None,
    )
    for memory in body.supersedes:
        _leave(state, memory, at, event.version)


def memory_forgotten(state: ContextState, event: e.Event, body: e.MemoryForgotten) -> None:
    _leave(state, body.memory, microseconds(event.occurred_at), body.by)


def _leave(state: ContextState, memory: int, at: int, by: int | None) -> None:
    note = state.memories.get(memory)
    if note is not None and note.left is None:
        state.memories[memory] = note._replace(left=at, by=by)


def _moment(time: datetime | None) -> int | None:
    return None if time is None else microseconds(time)
