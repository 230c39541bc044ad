"""States at any version: the library's repository over the newest snapshot and the few events after it.

Backtracks and forks are branch points: the event there goes on from another version than the one before it. A snapshot
there, written with the event, makes every read linear again. A snapshot that is missing (deleted, or of another fold)
is computed from the version the branch point resumes, and kept.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, cast
from uuid import UUID

from eventsourcing.application import Repository
from eventsourcing.persistence import EventStore

from backstory.domain.errors import UnknownItem, UnknownSession, UnknownVersion, VerificationFailed
from backstory.domain.events import Event
from backstory.domain.fold.evolve import FOLD_VERSION, evolve, fold
from backstory.domain.log.lineage import BranchPoint, Lineage, VersionRange, first_own_version, lineage
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import microseconds
from backstory.infrastructure.eventsourcing_library.mapper import (
    EventMapper,
    NoTranscoder,
    SnapshotMapper,
    StateSnapshot,
)
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.log import EventLog
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.states.newest_states import NewestStates
from backstory.infrastructure.states.past_states import PastStates
from backstory.infrastructure.states.state_recorders import EnvelopeRecorder, SnapshotRecorder

SNAPSHOT_EVERY = 160
"""A read that folded more events than this leaves snapshots behind, so that the next one does not."""


class StateReader:
    """Reads states. Reading never changes the log; it may add snapshots, which are derived from it."""

    def __init__(
        self,
        database: Database,
        *,
        fold_version: int = FOLD_VERSION,
        snapshot_every: int = SNAPSHOT_EVERY,
    ) -> None:
        self.log = EventLog(database)
        self.fold_version = fold_version
        self.snapshot_every = snapshot_every
        mapper = SnapshotMapper(NoTranscoder())
        self._mapper = EventMapper(NoTranscoder())
        self._snapshots: EventStore[UUID] = EventStore(mapper, SnapshotRecorder(database, fold_version))
        self._events: EventStore[UUID] = EventStore(self._mapper, EnvelopeRecorder(database))
        self._repository: Repository[UUID] = Repository(self._events, snapshot_store=self._snapshots)
        self.newest = NewestStates()
        self._past = PastStates()
        self.on_other_log: Callable[[UUID], None] = lambda stream: None
        """Called when a session's log may be another than the one that was read before, so that caches forget it."""

    def state(self, stream: UUID, version: int | None = None) -> ContextState:
        """The state now, or as it was at a version."""
        if version is not None:
            return self._state_at(stream, version)
        state = self.newest.copy(stream) if self._catch_up(stream) else None
        if state is None:
            state = self._state_at(stream, None)
            self.newest.put(state, snapshot=state.version)
        return state

    def past(self, stream: UUID, version: int) -> ContextState:
        """The state as it was at a version, to be read and not to be changed. It is kept for those who ask again, as
        long as its event is the one that was read."""
        known = self._past.get(stream, version)
        if known is not None and self.has(known.stream, known.version, known.recorded):
            return known
        state = self._state_at(stream, version)
        self._past.keep(stream, version, state)
        return state

    @contextmanager
    def borrow(self, stream: UUID) -> Iterator[ContextState]:
        """The newest state, to be read and not changed until the block ends: without a copy where it is cached."""
        if self._catch_up(stream):
            with self.newest.borrow(stream, self.snapshot_every) as state:
                if state is not None:
                    yield state
                    return
        yield self.state(stream)

    def borrow_cached(self, stream: UUID) -> AbstractContextManager[ContextState | None]:
        """The cached state, without asking the log whether it is the newest: see `NewestStates.borrow`."""
        return self.newest.borrow(stream, self.snapshot_every)

    def last_erasure(self, stream: UUID) -> int:
        """The version of the session's last erasure or backtrack; 0 before the first."""
        with self.borrow(stream) as state:
            return state.last_erasure

    def has(self, stream: UUID, version: int, recorded: int) -> bool:
        """Whether the log has the event that was read at this version: one that was restored has another."""
        rows = self.log.rows(stream, version - 1, version)
        return bool(rows) and microseconds(rows[0].recorded_at) == recorded

    def warm(self, stream: UUID) -> None:
        """Leaves the snapshots that a read of the newest state would leave, so that it need not."""
        self._state_at(stream, None)

    def _catch_up(self, stream: UUID) -> bool:
        """Folds what came after the cached state, and returns whether that is the newest now. Not where none is
        cached, where too much came after it, where the history resumes another version, or where the log is not the one
        that was read."""
        known = self.newest.version(stream)
        if known is None:
            self.on_other_log(stream)
            return False
        snapshot_holds = known.version - known.snapshot < self.snapshot_every
        # Mostly nobody else wrote, and the end of the log says so in less time than its events.
        if snapshot_holds and not known.behind and self.log.end(stream) == (known.version, known.recorded):
            return True
        rows = self.log.rows(stream, known.version - 1, limit=self.snapshot_every + 2)
        same = rows and rows[0].originator_version == known.version
        if not same or microseconds(rows[0].recorded_at) != known.recorded:
            self.on_other_log(stream)
            return False
        if len(rows) > self.snapshot_every:
            return False
        if not self.newest.fold(stream, [self._mapper.to_domain_event(row) for row in rows[1:]]):
            return False
        if rows[-1].originator_version - known.snapshot >= self.snapshot_every:
            state = self.newest.copy(stream)
            if state is not None:
                self.save(state)
                self.newest.has_snapshot(stream, state.version)
        return True

    def _state_at(self, stream: UUID, version: int | None) -> ContextState:
        newest, base, branch_point, branched = self._bounds(stream, version)
        if newest is None:
            raise UnknownSession(f"session {stream} does not exist.")
        version = newest if version is None else version
        if version < 1 or version > newest:
            raise UnknownVersion(f"version {version} does not exist: the session has versions 1 to {newest}.")
        owner = stream if branch_point or not branched else self.owner(stream, version)
        if owner != stream:
            return self.state(owner, version)
        try:
            return self._read(stream, version, base, branch_point)
        except _SnapshotGone:
            state = fold(None, self.events(self.lineage(stream, version)))
            assert state is not None
            return state

    def _read(self, stream: UUID, version: int, base: int, branch_point: int) -> ContextState:
        """The fold from the newest snapshot on, which is not before the newest branch point."""
        if branch_point > base:
            self._restore_branch_points(stream, version)
            base = branch_point
        if version - base > self.snapshot_every:
            self._leave_snapshots(stream, base, version)
        # The repository's types want aggregates of its own; a state is one by what it does.
        state: Any = self._repository.get(stream, version=version, projector_func=cast(Any, _project))
        assert isinstance(state, ContextState)
        return state

    def lineage(self, stream: UUID, version: int) -> Lineage:
        return lineage(stream, version, self.log.branch_points)

    def log_of(self, stream: UUID, last: int) -> Lineage:
        """All of a session's log up to a version, abandoned branches too: a fork's begins with its parent's."""
        pieces: list[VersionRange] = []
        while True:
            branch_points = self.log.branch_points(stream)
            first = first_own_version(branch_points, stream)
            if last >= first:
                pieces.append(VersionRange(stream, first, last))
            if first == 1:
                return Lineage(reversed(pieces))
            if branch_points[0].resumed_version >= first:
                raise VerificationFailed(
                    f"branch_points, version {first}: resumes a version that is not before it."
                )
            stream, last = branch_points[0].resumed_stream, min(last, branch_points[0].resumed_version)

    def inherited_items(self, stream: UUID, branch: Lineage, wanted: Collection[int]) -> list[Item]:
        """Items that left every window before a fork began, as they were then. Only the ancestors' logs know them, so
        those are folded from their beginning."""
        state: ContextState | None = None
        for event in self.events(Lineage(piece for piece in branch if piece.stream != stream)):
            state = evolve(state, event, keep_removed=True)
        known = {} if state is None else state.items
        for item in sorted(wanted):
            if item not in known:
                raise UnknownItem(f"item {item} is not on this branch.")
        return [known[item] for item in wanted]

    def owner(self, stream: UUID, version: int) -> UUID:
        """The stream that holds the event of this version of a session."""
        return self.log_of(stream, version).owner(version)

    def events(self, pieces: Lineage, after: int = 0) -> Iterable[Event]:
        """The events of a branch, oldest first."""
        for piece in pieces:
            for batch in self.log.batches(piece.stream, max(after, piece.first - 1), piece.last):
                for row in batch:
                    yield self._mapper.to_domain_event(row)

    def _bounds(self, stream: UUID, version: int | None) -> tuple[int | None, int, int, bool]:
        """The head, the newest snapshot and branch point at or below the version, and whether there is any branch
        point, in one round trip."""
        row = self.log.database.read(
            lambda c: c.execute(
                query("state_bounds"), {"stream": stream, "fold": self.fold_version, "version": version}
            ).fetchone()
        )
        return (None, 0, 0, False) if row is None else (row[0], row[1], row[2], row[3])

    def _restore_branch_points(self, stream: UUID, version: int) -> None:
        """Writes the snapshot at the newest branch point, and first those of the branch points it goes back to."""
        wanted: list[tuple[UUID, BranchPoint]] = []
        while True:
            branch_points = [
                branch_point
                for branch_point in self.log.branch_points(stream)
                if branch_point.version <= version
            ]
            if not branch_points:
                break
            branch_point = branch_points[-1]
            _, base, _, _ = self._bounds(stream, version)
            if base >= branch_point.version:
                break
            wanted.append((stream, branch_point))
            stream, version = branch_point.resumed_stream, branch_point.resumed_version
        for owner, branch_point in reversed(wanted):
            resumed = self.state(branch_point.resumed_stream, branch_point.resumed_version)
            (row,) = self.log.rows(owner, branch_point.version - 1, branch_point.version)
            self.save(evolve(resumed, self._mapper.to_domain_event(row)))

    def _leave_snapshots(self, stream: UUID, base: int, version: int) -> None:
        """Folds a long stretch once, keeping a state every few hundred events."""
        state: ContextState | None = None
        if base:
            found = list(self._snapshots.get(stream, gt=base - 1, lte=base))
            if not found:
                raise _SnapshotGone
            assert isinstance(found[0], StateSnapshot)
            state = found[0].state
        for stop in range(base + self.snapshot_every, version + 1, self.snapshot_every):
            events = self._events.get(stream, gt=stop - self.snapshot_every, lte=stop)
            state = fold(state, cast(Iterable[Event], events))
            assert state is not None
            self.save(state)

    def save(self, state: ContextState) -> None:
        """Keeps a state as a snapshot."""
        self._snapshots.put([StateSnapshot(state.stream, state.version, state)])


class _SnapshotGone(Exception):
    """A snapshot was deleted between two queries of one read."""


def _project(state: ContextState | None, events: Iterable[Event | StateSnapshot]) -> ContextState | None:
    for event in events:
        if isinstance(event, StateSnapshot):
            state = event.state
        elif event.effects.resumes is None:
            state = evolve(state, event)
        else:
            # A branch point does not go on from the version before it. Its snapshot was there, or no fold would come
            # this way.
            raise _SnapshotGone
    return state
