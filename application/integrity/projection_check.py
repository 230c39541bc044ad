"""The read models of sessions held against a fold of their logs: every row that differs is named.

The fold is in Python and knows nothing of the SQL that keeps the read models, so each is a check on the other. Unlike a
verification this looks at read models alone, and goes on after the first thing wrong.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import psycopg

from backstory.application.bootstrap import make_runtime
from backstory.application.integrity.branch_replay import CurrentBranch
from backstory.application.integrity.evidence import Broken, Problem, read
from backstory.application.integrity.read_model_check import (
    wrong_beginning,
    wrong_checkpoints,
    wrong_head,
    wrong_items,
)
from backstory.application.integrity.stream_log import StreamLog
from backstory.application.runtime import Runtime
from backstory.domain.errors import UnknownSession, VerificationFailed
from backstory.domain.fold.evolve import fold
from backstory.domain.log.lineage import BranchPoint, Lineage, lineage
from backstory.domain.state import ContextState
from backstory.infrastructure.eventsourcing_library.mapper import StoredRow
from backstory.infrastructure.postgres.queries import query, query_on
from backstory.infrastructure.postgres.snapshot_read import SnapshotRead, at_one_moment
from backstory.infrastructure.states.replay import StateReader

READ_MODELS = ("items", "checkpoints", "seams")
"""The tables that are read models and nothing else. A stream's own row holds one too, its summary."""

NAMED = 20
"""Differences of one session that are named. Those beyond are counted."""

Progress = Callable[[int, int], None]


class SessionReadModels(NamedTuple):
    """What came of comparing one session's read models with its log."""

    session: UUID
    version: int
    events: int
    differing: int
    """Rows that are not what the log leads to, are missing or too many. Each entry of a summary counts as one."""
    differences: tuple[Problem, ...]
    """The first values that differ."""
    damaged: Problem | None = None
    """Why the log cannot be relied on, so that nothing was compared with it. `verify` tells more."""

    @property
    def ok(self) -> bool:
        return not self.differing and self.damaged is None


class ProjectionsChecked(NamedTuple):
    """The read models of some sessions, or of all, with the rows that belong to none."""

    sessions: int
    events: int
    wrong: tuple[SessionReadModels, ...]
    orphans: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        return not self.wrong and not self.orphans

    def require(self) -> "ProjectionsChecked":
        """This, or VerificationFailed with the first thing that differs."""
        for found in self.wrong:
            problem = found.damaged or found.differences[0]
            raise VerificationFailed(f"session {found.session}: {problem.where}: {problem.what}.")
        for orphan in self.orphans:
            raise VerificationFailed(f"{orphan.where}: {orphan.what}.")
        return self


def check_projections(
    runtime: Runtime, sessions: Sequence[UUID] | None, progress: Progress | None = None
) -> ProjectionsChecked:
    """Compares without a lock, each session as it is at one moment, so writers go on."""
    wanted = listed_streams(runtime, sessions)
    total = sum(one.events for one in wanted)
    found, done, events = [], 0, 0
    for one in wanted:
        try:
            checked = check_read_models(runtime, one.stream)
        except UnknownSession:
            if sessions is not None:
                raise
            continue  # Purged since the list was read.
        finally:
            done += one.events
            if progress is not None:
                progress(done, total)
        events += checked.events
        if not checked.ok:
            found.append(checked)
    orphans = () if sessions is not None else at_one_moment(runtime.database, orphaned_read_models)
    return ProjectionsChecked(len(wanted), events, tuple(found), orphans)


class Listed(NamedTuple):
    """A stream to look at, with the number of its own events."""

    stream: UUID
    started_at: datetime
    events: int


def listed_streams(runtime: Runtime, sessions: Sequence[UUID] | None) -> list[Listed]:
    """These streams or all, in the order of their beginnings: those that others begin in come first."""
    wanted = {"streams": None if sessions is None else list(sessions)}
    rows = runtime.database.read(lambda c: c.execute(query("streams_to_rebuild"), wanted).fetchall())
    for missing in {*(sessions or ())} - {row[0] for row in rows}:
        raise UnknownSession(f"session {missing} does not exist.")
    return [Listed._make(row) for row in rows]


def check_read_models(runtime: Runtime, stream: UUID) -> SessionReadModels:
    """Holds one session's read models against the fold of its log."""
    return at_one_moment(runtime.database, lambda moment: _compare(runtime, moment, stream))


def orphaned_read_models(moment: SnapshotRead) -> tuple[Problem, ...]:
    """Rows of streams that have no head."""
    runtime = make_runtime(moment)
    what = "has rows of a stream that does not exist"
    return tuple(
        Problem(f"{table}, stream {stream}", what)
        for table in READ_MODELS
        for (stream,) in read(runtime, table, query_on("headless_streams", table))
    )


def _compare(runtime: Runtime, moment: SnapshotRead, stream: UUID) -> SessionReadModels:
    held = make_runtime(moment, StateReader(moment, fold_version=runtime.reader.fold_version))
    check = _ReadModelCheck(held, stream)
    named: list[Problem] = []
    rows: set[str] = set()
    damaged = None
    try:
        for problem in check.differences():
            rows.add(row_of(problem))
            if len(named) < NAMED:
                named.append(problem)
    except Broken as broken:
        damaged = broken.problem
    return SessionReadModels(stream, check.version, check.events, len(rows), tuple(named), damaged)


def row_of(problem: Problem) -> str:
    """In which row something is wrong: `items.tokens, item 5` is in row `items, item 5`."""
    column, _, row = problem.where.partition(", ")
    return f"{column.partition('.')[0]}, {row}"


class _ReadModelCheck:
    """One stream's log folded, its abandoned branches left aside."""

    def __init__(self, runtime: Runtime, stream: UUID) -> None:
        self.runtime = runtime
        self.stream = stream
        self.version = 0
        self.events = 0
        self._seams: dict[UUID, list[BranchPoint]] = {}

    def differences(self) -> Iterator[Problem]:
        """Everything that is not as the log says."""
        try:
            head = self.runtime.log.head(self.stream)
        except psycopg.DataError:
            raise Broken("streams", "holds a value that cannot be read") from None
        if head is None:
            raise UnknownSession(f"session {self.stream} does not exist.")
        self.version = head.version
        log = StreamLog(self.runtime, self.stream)
        self._seams[self.stream] = log.seams
        for seam in sorted({*log.seam_rows()} ^ {*log.seams}):
            yield Problem(f"seams, version {seam.version}", "differs from the event")
        try:
            branch = lineage(self.stream, head.version, self._seams_of)
        except VerificationFailed as error:
            raise Broken("seams", str(error)) from None
        trunk, marks, first, newest = self._fold(branch)
        if newest.originator_version != head.version or newest.chain != head.chain:
            raise Broken("streams.version", "the head is not that of the newest event")
        yield from wrong_items(self.runtime, self.stream, branch, trunk)
        yield from wrong_checkpoints(self.runtime, self.stream, marks)
        yield from wrong_beginning(head, first)
        yield from wrong_head(head, trunk, newest)

    def _fold(self, branch: Lineage) -> tuple[CurrentBranch, dict[int, str], StoredRow, StoredRow]:
        trunk, marks = CurrentBranch(), {}
        own = [piece for piece in branch if piece.stream == self.stream]
        first = newest = None
        for batch in self.runtime.log.batches(self.stream):
            for row in batch:
                version = row.originator_version
                if newest is not None and version != newest.originator_version + 1:
                    raise Broken(f"events, version {newest.originator_version + 1}", "is missing")
                first, newest = first or row, row
                self.events += 1
                try:
                    event = self.runtime.mapper.to_domain_event(row)
                    if event.effects.marks is not None:
                        marks[version] = event.effects.marks.name
                    if any(piece.first <= version <= piece.last for piece in own):
                        resumes = event.effects.resumes
                        if resumes is not None and resumes.stream != self.stream:
                            trunk.begin(self._root(resumes.stream, resumes.version))
                        trunk.evolve(event)
                except (LookupError, TypeError, ValueError, AttributeError) as error:
                    raise Broken(f"events, version {version}", f"cannot be folded: {error!r}") from None
        if first is None or newest is None:
            raise Broken("events", "has none of this stream's")
        return trunk, marks, first, newest

    def _root(self, stream: UUID, version: int) -> ContextState:
        """The state at a version of a stream that this one comes from, folded from that one's log."""
        state = fold(None, self.runtime.reader.events(lineage(stream, version, self._seams_of)))
        assert state is not None
        return state

    def _seams_of(self, stream: UUID) -> list[BranchPoint]:
        if stream not in self._seams:
            self._seams[stream] = StreamLog(self.runtime, stream).seams
        return self._seams[stream]
