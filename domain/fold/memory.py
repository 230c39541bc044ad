"""Folds of a project's memory."""

from datetime import datetime

from backstory.domain import events as e
from backstory.domain.log.ranges import as_ranges, from_ranges
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
        candidate=body.candidate,
    )
    for memory in body.supersedes:
        _leave(state, memory, at, event.version)


def memory_confirmed(state: ContextState, event: e.Event, body: e.MemoryConfirmed) -> None:
    note = state.memories.get(body.memory)
    if note is not None:
        at = microseconds(event.occurred_at)
        state.memories[body.memory] = note._replace(candidate=False, confirmed=at)


def memory_corroborated(state: ContextState, event: e.Event, body: e.MemoryCorroborated) -> None:
    note = state.memories.get(body.memory)
    if note is not None:
        state.memories[body.memory] = note._replace(seen=(*note.seen, event.version))


def session_reviewed(state: ContextState, event: e.Event, body: e.SessionReviewed) -> None:
    session = str(body.session)
    before = from_ranges(state.reviewed.get(session, ""))
    state.reviewed[session] = as_ranges({*before, *from_ranges(body.versions)})


def memory_forgotten(state: ContextState, event: e.Event, body: e.MemoryForgotten) -> None:
    _leave(state, body.memory, microseconds(event.occurred_at), body.by)


def _leave(state: ContextState, memory: int, at: int, by: int | None) -> None:
    note = state.memories.get(memory)
    if note is not None and note.left is None:
        state.memories[memory] = note._replace(left=at, by=by)


def _moment(time: datetime | None) -> int | None:
    return None if time is None else microseconds(time)
