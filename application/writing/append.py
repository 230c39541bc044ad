"""Decides requests on the newest state and appends what they come to.

A change is first decided on the cached state, then on the state that is read, and after a few conflicts under the
session's lock: however busy the session is, a change that is still allowed goes through.
"""

import random
import time
from collections.abc import Callable, Sequence
from typing import TypeVar
from uuid import UUID

import psycopg

from backstory.application.runtime import DecidedEvent, Runtime
from backstory.application.safety.policy import chosen_policy
from backstory.application.safety.suspicion import with_flags
from backstory.application.writing.requests import Request, key_of
from backstory.domain.errors import (
    BackstoryError,
    Conflict,
    IdempotencyConflict,
    ItemsChanged,
    OutcomeUnknown,
    UnknownSession,
    VersionConflict,
)
from backstory.domain.events.base import Change
from backstory.domain.fold.evolve import evolve
from backstory.domain.log.guards import Guard
from backstory.domain.state import ContextState
from backstory.infrastructure.postgres.append import Appended, Key
from backstory.infrastructure.postgres.standby import from_primary

T = TypeVar("T")

OPTIMISTIC_ATTEMPTS = 4
"""Attempts to decide a change without the session's lock, before the lock is taken."""

GuardedEvents = tuple[list[DecidedEvent], Guard]
"""Events, and the guard that they are appended under."""
PlacedRequests = Callable[[int], Sequence[Request]]
"""Requests that name versions of their own append, given the version that they come after."""


def decide_and_append(
    runtime: Runtime,
    stream: UUID,
    requests: Sequence[Request],
    *,
    epoch: int,
    key: str | None,
    read_at: int | None = None,
    asked: Sequence[Request] | None = None,
) -> Appended:
    """Decides requests and appends them together. When the state moved meanwhile they are decided again, unless the
    caller's own code has read it at a version (`read_at`). `asked` is what the key stands for, where that is not the
    requests themselves."""
    keyed = key_of(requests if asked is None else asked, key)

    def decide(state: ContextState | None) -> GuardedEvents:
        events, guard = _decided(runtime, stream, state, requests)
        return events, guard if read_at is None else Guard(expected=read_at)

    if not any(request.needs_state for request in requests):
        return runtime.append_and_cache(stream, *decide(None), epoch, keyed)
    return _append_decided(runtime, stream, decide, epoch=epoch, key=keyed, retry=read_at is None)


def append_after(
    runtime: Runtime, stream: UUID, placed: PlacedRequests, *, epoch: int, key: str | None
) -> Appended:
    """Appends requests that name versions of their own append: of an answer, those of its call and its context. When
    others wrote meanwhile, they are placed after that."""
    # The same is asked for wherever it is placed.
    keyed = None if key is None else key_of(placed(0), key)

    def decide(state: ContextState) -> GuardedEvents:
        requests = placed(state.version)
        blind = not any(request.needs_state for request in requests)
        events, _ = _decided(runtime, stream, None if blind else state, requests)
        return events, Guard(expected=state.version, recorded=state.recorded)

    return _append_decided(runtime, stream, decide, epoch=epoch, key=keyed)


def known_append(runtime: Runtime, stream: UUID, key: Key | None) -> Appended | None:
    """The first result of a request that was made before under this key."""
    if key is None:
        return None
    earlier = runtime.log.earlier_append(stream, key.key)
    if earlier is None:
        return None
    first, last, fingerprint = earlier
    if fingerprint != key.fingerprint:
        raise IdempotencyConflict("the idempotency key was used for another request.")
    (row,) = runtime.log.rows_at(stream, [last])
    done = Appended(first, last, row.recorded_at, row.epoch, True)
    if runtime.conditions is not None:
        runtime.conditions.note(stream, done)
    return done


def insist(
    runtime: Runtime,
    stream: UUID,
    optimistic: Callable[[], T],
    locked: Callable[[psycopg.Connection], T],
    *,
    retry: bool = True,
    certain: bool = False,
) -> T:
    """Tries without the session's lock, again after a conflict, and at last while holding it. With `certain`, twice has
    the same outcome as once: then it is repeated when the connection that holds the lock is lost."""
    with from_primary():
        done = _insist(runtime, stream, optimistic, locked, retry, certain)
    runtime.database.announcer.appended(stream)
    return done


def pause_before_retry(number: int) -> float:
    """Seconds to wait after a conflict: longer each time, and never the same for two writers."""
    return random.uniform(0, 0.002 * 2.0 ** min(number, 7))


def _append_decided(
    runtime: Runtime,
    stream: UUID,
    decide: Callable[[ContextState], GuardedEvents],
    *,
    epoch: int,
    key: Key | None,
    retry: bool = True,
) -> Appended:
    if key is None and retry:
        done = _append_on_cached_state(runtime, stream, decide, epoch)
        if done is not None:
            return done
    if (known := known_append(runtime, stream, key)) is not None:
        return known

    def attempt(do_append: Callable[[list[DecidedEvent], Guard], Appended]) -> Appended:
        try:
            events, guard = decide(runtime.state_in_epoch(stream, epoch))
        except BackstoryError:
            # The same request, made at the same time, may have come first: then this is its answer.
            if (known := known_append(runtime, stream, key)) is not None:
                return known
            raise
        return do_append(events, guard)

    def append_on(connection: psycopg.Connection) -> Appended:
        return attempt(
            lambda events, guard: runtime.append_on(
                connection, stream, [event for _, event in events], guard=guard, epoch=epoch, key=key
            )
        )

    return insist(
        runtime,
        stream,
        lambda: attempt(lambda events, guard: runtime.append_and_cache(stream, events, guard, epoch, key)),
        append_on,
        retry=retry,
        certain=key is not None,
    )


def _append_on_cached_state(
    runtime: Runtime, stream: UUID, decide: Callable[[ContextState], GuardedEvents], epoch: int
) -> Appended | None:
    """Decides on the cached state, and appends under the guard that nothing came after it: a session's only writer
    reads nothing before writing. None where the log has to be read: also for a command that is refused, since that may
    have been so only in the past."""
    with runtime.reader.borrow_cached(stream) as state:
        if state is None or state.epoch != epoch:
            return None
        try:
            events, _ = decide(state)
        except BackstoryError:
            return None
        exact = Guard(expected=state.version, recorded=state.recorded)
    try:
        return runtime.append_and_cache(stream, events, exact, epoch, None)
    except (VersionConflict, UnknownSession):
        return None


def _decided(
    runtime: Runtime, stream: UUID, state: ContextState | None, requests: Sequence[Request]
) -> GuardedEvents:
    """Each request decided on the state that the ones before it lead to, with the guard for all of them."""

    def event_of(request: Request, change: Change) -> DecidedEvent:
        change = with_flags(change, request.bundle, lambda: chosen_policy(runtime, stream))
        return change, request.pending(change)

    if len(requests) == 1:
        decided = requests[0].decide(state)
        return [event_of(requests[0], decided.change)], decided.guard
    events: list[DecidedEvent] = []
    guards: list[Guard] = []
    before = None if state is None else state.version
    state = None if state is None else state.copy()
    for request in requests:
        decided = request.decide(state)
        change, event = event_of(request, decided.change)
        events.append((change, event))
        guards.append(decided.guard)
        if state is not None:
            done = Appended(state.version + 1, state.version + 1, state.recorded_at, state.epoch, False)
            state = evolve(state, runtime.recorded(state.stream, event, done))
    if before is not None:
        return events, Guard(expected=before)
    return events, Guard(items=tuple(dict.fromkeys(item for guard in guards for item in guard.items)))


def _insist(
    runtime: Runtime,
    stream: UUID,
    optimistic: Callable[[], T],
    locked: Callable[[psycopg.Connection], T],
    retry: bool,
    certain: bool,
) -> T:
    for number in range(OPTIMISTIC_ATTEMPTS):
        try:
            return optimistic()
        except (VersionConflict, ItemsChanged):
            if not retry:
                raise
        time.sleep(pause_before_retry(number))
    deadline = time.monotonic() + runtime.database.patience
    while True:
        try:
            with runtime.database.holding(stream) as connection:
                return locked(connection)
        except (OutcomeUnknown, Conflict) as error:
            # A bare conflict is the database's, which undid everything; those of the log have names of their own.
            again = certain if isinstance(error, OutcomeUnknown) else type(error) is Conflict
            if not again or time.monotonic() > deadline:
                raise
