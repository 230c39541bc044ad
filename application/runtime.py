"""The parts that all handles of a store share, and the loop that decides and appends."""

import random
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import psycopg

from backstory.application.contents.cache import ContentCache
from backstory.application.writing.requests import Request, key_of
from backstory.domain.errors import (
    BackstoryError,
    BranchMoved,
    Conflict,
    IdempotencyConflict,
    ItemsChanged,
    OutcomeUnknown,
    SessionPurged,
    UnknownSession,
    VersionConflict,
)
from backstory.domain.events import Change, Event
from backstory.domain.fold.evolve import evolve
from backstory.domain.log.chain import Envelope
from backstory.domain.log.guards import Guard
from backstory.domain.state import ContextState
from backstory.infrastructure.eventsourcing_library.mapper import EventMapper
from backstory.infrastructure.feed.horizon import Horizon
from backstory.infrastructure.llm.summarizers import Summarizer
from backstory.infrastructure.postgres.append import NO_ROOT, Appended, Key, PendingEvent, Root, append
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.log import EventLog, Head
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.postgres.standby import from_primary
from backstory.infrastructure.states.replay import StateReader

T = TypeVar("T")

Coming = tuple[Change, PendingEvent]
"""A change on its way in, and its event."""

OPTIMISTIC_ATTEMPTS = 4
"""Attempts to decide a change without the session's lock, before the lock is taken."""
MOST_CACHED = 32
"""Events of one append that are cached for the reads that follow. A caller who appends more of them imports a session,
and may never read it."""


class Runtime(NamedTuple):
    """The parts behind a store."""

    database: Database
    log: EventLog
    reader: StateReader
    mapper: EventMapper
    contents: ContentCache
    horizon: Horizon
    summarizer: Summarizer
    on_alert: Callable[[Any], None] | None = None
    """Called with every alert of a window that a session of this store raises."""

    def append(
        self,
        stream: UUID,
        events: Sequence[PendingEvent],
        *,
        guard: Guard,
        epoch: int | None,
        key: Key | None = None,
        kind: str | None = None,
        root: Root = NO_ROOT,
        certain: bool = False,
    ) -> Appended:
        """One append, repeated when the connection is lost only if a key, or its nature, makes that safe."""
        done = self.database.repeat(
            lambda connection: append(
                connection,
                stream,
                events,
                guard=guard,
                epoch=epoch,
                key=key,
                kind=kind,
                root=root,
            ),
            certain=certain or key is not None,
        )
        self.database.announcer.appended(stream)
        self.reader.newest.has_version(stream, done.last_version)
        return done

    def append_branch_point(
        self,
        connection: psycopg.Connection,
        stream: UUID,
        event: PendingEvent,
        resumed: ContextState,
        *,
        guard: Guard,
        epoch: int | None,
        key: Key | None,
        kind: str | None,
        root: Root,
    ) -> Appended:
        """Appends a backtrack or a fork together with the snapshot of the state it restores."""
        with connection.transaction():
            done = append(
                connection, stream, [event], guard=guard, epoch=epoch, key=key, kind=kind, root=root
            )
            if not done.repeated:
                state = evolve(resumed, self.recorded(stream, event, done))
                connection.execute(
                    query("save_snapshot"),
                    (stream, state.version, self.reader.fold_version, state.encode()),
                )
        return done

    def recorded(self, stream: UUID, event: PendingEvent, done: Appended) -> Event:
        """The event that an append made of a pending one."""
        envelope = Envelope(
            stream,
            done.last_version,
            event.type,
            event.schema_version,
            done.recorded_at,
            event.occurred_at,
            done.epoch,
            event.cause,
            event.actor,
            event.effects,
            event.payload,
        )
        return envelope.event()

    def known_append(self, stream: UUID, key: Key | None) -> Appended | None:
        """The first result of a request that was made before under this key."""
        if key is None:
            return None
        earlier = self.log.earlier_append(stream, key.key)
        if earlier is None:
            return None
        first, last, known = earlier
        if known != key.fingerprint:
            raise IdempotencyConflict("the idempotency key was used for another request.")
        (row,) = self.log.rows_at(stream, [last])
        return Appended(first, last, row.recorded_at, row.epoch, True)

    def decide_and_append(
        self,
        stream: UUID,
        requests: Sequence[Request],
        *,
        epoch: int,
        key: str | None,
        read_at: int | None = None,
        asked: Sequence[Request] | None = None,
    ) -> Appended:
        """Decides the requests on the current state and appends what they come to, together. When the state moved
        meanwhile they are decided again, unless the caller's code has itself looked at the state (`read_at`).
        `asked` is what the key stands for, where that is not the requests themselves."""
        keyed = None if key is None else key_of(requests if asked is None else asked, key)
        blind = not any(request.needs_state for request in requests)
        if len(requests) == 1 and blind and read_at is None:
            (request,) = requests
            change, guard = request.decide(None)
            return self.append_and_cache(stream, [(change, request.pending(change))], guard, epoch, keyed)
        if keyed is None and read_at is None and not blind:
            quick = self._decide_on_cached(stream, requests, epoch)
            if quick is not None:
                return quick
        if (known := self.known_append(stream, keyed)) is not None:
            return known

        def attempt(do_append: Callable[[Sequence[Coming], Guard], Appended]) -> Appended:
            try:
                state = None if blind else self.state_in_epoch(stream, epoch)
                coming, guard = decided_on(self, state, requests)
            except BackstoryError:
                # The same request, made at the same time, may have come first: then this is its answer.
                if (known := self.known_append(stream, keyed)) is not None:
                    return known
                raise
            if read_at is not None:
                guard = Guard(expected=read_at)
            return do_append(coming, guard)

        return self.insist(
            stream,
            lambda: attempt(lambda coming, guard: self.append_and_cache(stream, coming, guard, epoch, keyed)),
            lambda connection: attempt(
                lambda coming, guard: append(
                    connection,
                    stream,
                    [pending for _, pending in coming],
                    guard=guard,
                    epoch=epoch,
                    key=keyed,
                )
            ),
            retry=read_at is None,
            certain=keyed is not None,
        )

    def _decide_on_cached(self, stream: UUID, requests: Sequence[Request], epoch: int) -> Appended | None:
        """Decides on the cached state, and appends under the guard that nothing came after it: a session's only writer
        reads nothing before writing. Where something came, what is guarded by its own items still holds, unless it was
        about these. None where the log has to be read: also for a command that is refused, since that may have been so
        only in the past."""
        with self.reader.borrow_cached(stream) as state:
            if state is None or state.epoch != epoch:
                return None
            try:
                coming, own = decided_on(self, state if len(requests) == 1 else state.copy(), requests)
            except BackstoryError:
                return None
            version, recorded = state.version, state.recorded
        exact = Guard(expected=version, recorded=recorded)
        try:
            return self.append_and_cache(stream, coming, exact, epoch, None)
        except (VersionConflict, UnknownSession):
            if not own.items or own.since is None or not self.reader.has(stream, version, recorded):
                return None
        try:
            return self.append_and_cache(stream, coming, own, epoch, None)
        except (VersionConflict, ItemsChanged):
            return None

    def append_and_cache(
        self, stream: UUID, coming: Sequence[Coming], guard: Guard, epoch: int, key: Key | None
    ) -> Appended:
        """Appends, and folds what was appended into the cached state, for the reads that follow."""
        cached = self.reader.newest.version(stream)
        pending = [event for _, event in coming]
        done = self.append(stream, pending, guard=guard, epoch=epoch, key=key)
        if cached is not None and not done.repeated and len(coming) <= MOST_CACHED:
            for version, (change, event) in enumerate(coming, done.first_version):
                self._cache(stream, version, change, event, done, cached.last_erasure)
        return done

    def _cache(
        self,
        stream: UUID,
        version: int,
        change: Change,
        pending: PendingEvent,
        done: Appended,
        last_erasure: int,
    ) -> None:
        event = pending.recorded(change, stream, version, done.recorded_at, done.epoch)
        self.reader.newest.appended(event)
        if pending.contents:
            contents = {content.part: content.data for content in pending.contents}
            size = 1_000 + sum(map(len, contents.values()))
            self.contents.put(stream, last_erasure, version, (event, contents), size)

    def insist(
        self,
        stream: UUID,
        optimistic: Callable[[], T],
        locked: Callable[[psycopg.Connection], T],
        *,
        retry: bool = True,
        certain: bool = False,
    ) -> T:
        """Tries without the session's lock, again after a conflict, and at last while holding it: however busy the
        session is, a change that is still allowed goes through. One that is `certain` to have the same outcome twice is
        repeated when the connection that holds the lock is lost."""
        with from_primary():
            done = self._insist(stream, optimistic, locked, retry, certain)
        self.database.announcer.appended(stream)
        return done

    def _insist(
        self,
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
        return self._locked(stream, locked, certain)

    def _locked(self, stream: UUID, locked: Callable[[psycopg.Connection], T], certain: bool) -> T:
        deadline = time.monotonic() + self.database.patience
        while True:
            try:
                with self.database.holding(stream) as connection:
                    return locked(connection)
            except (OutcomeUnknown, Conflict) as error:
                # A bare conflict is the database's, which undid everything; those of the log have names of their own.
                again = certain if isinstance(error, OutcomeUnknown) else type(error) is Conflict
                if not again or time.monotonic() > deadline:
                    raise

    def state_in_epoch(self, stream: UUID, epoch: int) -> ContextState:
        """The state now, for a writer who saw this epoch. After a backtrack what he means may be gone or may be
        something else, so that comes before any other reason to refuse him."""
        return in_epoch(self.reader.state(stream), epoch)

    def require_head(self, stream: UUID) -> Head:
        head = self.log.head(stream)
        if head is None or head.kind != "session":
            raise self._gone(stream)
        return head

    def _gone(self, stream: UUID) -> UnknownSession:
        left = self.log.tombstone(stream)
        if left is None:
            return UnknownSession(f"session {stream} does not exist.")
        return SessionPurged(
            f"session {stream} was purged on {left.purged_at:%Y-%m-%d %H:%M:%S} UTC: it had {left.version} versions, "
            f"and its final chain was {left.chain.hex()}."
        )


def pause_before_retry(number: int) -> float:
    """Seconds to wait after a conflict: longer each time and never the same for two, so that they get out of each
    other's way."""
    return random.uniform(0, 0.002 * 2.0 ** min(number, 7))


def in_epoch(state: ContextState, epoch: int) -> ContextState:
    """The state, unless a backtrack came after this epoch."""
    if state.epoch != epoch:
        raise BranchMoved(
            f"the session was backtracked and is in epoch {state.epoch}: this append belongs to an older one."
        )
    return state


def decided_on(
    runtime: Runtime, state: ContextState | None, requests: Sequence[Request]
) -> tuple[list[Coming], Guard]:
    """Each request decided on the state that the ones before it lead to, with the guard for all of them. Of several,
    the state is folded on."""
    coming: list[Coming] = []
    guards: list[Guard] = []
    for request in requests:
        decided = request.decide(state)
        event = request.pending(decided.change)
        coming.append((decided.change, event))
        guards.append(decided.guard)
        if state is not None and len(requests) > 1:
            done = Appended(state.version + 1, state.version + 1, state.recorded_at, state.epoch, False)
            state = evolve(state, runtime.recorded(state.stream, event, done))
    if len(requests) == 1:
        return coming, guards[0]
    if state is not None:
        return coming, Guard(expected=state.version - len(requests))
    items = tuple(dict.fromkeys(item for guard in guards for item in guard.items))
    return coming, Guard(items=items)
