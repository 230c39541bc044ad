"""The comparison of read models with a fold of the logs. It names every row that differs.

The fold is in Python and shares nothing with the SQL that maintains the read models, so each checks the other. Unlike a
verification, this looks at read models alone, and continues after the first finding.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import psycopg

from backstory.application.bootstrap import make_runtime
from backstory.application.integrity.branch_replay import CurrentBranch
from backstory.application.integrity.evidence import read
from backstory.application.integrity.findings import Finding, IntegrityError
from backstory.application.integrity.read_model_check import (
    wrong_beginning,
    wrong_checkpoints,
    wrong_head,
    wrong_items,
)
from backstory.application.integrity.stream_log import StreamLog
from backstory.application.runtime import Runtime
from backstory.application.search.check import wrong_segments
from backstory.domain.errors import UnknownSession, VerificationFailed
from backstory.domain.fold.evolve import fold
from backstory.domain.log.lineage import BranchPoint, Lineage, lineage
from backstory.domain.state import ContextState
from backstory.infrastructure.eventsourcing_library.mapper import StoredRow
from backstory.infrastructure.postgres.queries import query, query_on
from backstory.infrastructure.postgres.snapshot_read import SnapshotRead, read_snapshot
from backstory.infrastructure.states.replay import StateReader

READ_MODELS = ("items", "checkpoints", "branch_points")
"""The tables that are read models. The summary in a stream's row is one too."""

NAMED = 20
"""Differences listed for one session. The others are counted."""

Progress = Callable[[int, int], None]


class SessionReadModels(NamedTuple):
    """The comparison of one session's read models with its log."""

    session: UUID
    version: int
    events: int
    differing: int
    """Rows that differ, are missing, or should not exist. Each entry of a summary counts as one."""
    differences: tuple[Finding, ...]
    """The first differences."""
    damaged: Finding | None = None
    """The damage of the log that prevented the comparison. `verify` tells more."""

    @property
    def ok(self) -> bool:
        """Whether nothing differs."""
        return not self.differing and self.damaged is None


class ProjectionsChecked(NamedTuple):
    """The comparison of some sessions, or of all with the rows that belong to none."""

    sessions: int
    events: int
    wrong: tuple[SessionReadModels, ...]
    orphans: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing differs."""
        return not self.wrong and not self.orphans

    def require(self) -> "ProjectionsChecked":
        """Returns itself, or raises VerificationFailed with the first difference."""
        for checked in self.wrong:
            finding = checked.damaged or checked.differences[0]
            raise VerificationFailed(f"session {checked.session}: {finding.where}: {finding.what}.")
        for orphan in self.orphans:
            raise VerificationFailed(f"{orphan.where}: {orphan.what}.")
        return self


def check_projections(
    runtime: Runtime, sessions: Sequence[UUID] | None, progress: Progress | None = None
) -> ProjectionsChecked:
    """Compares without a lock, each session in one snapshot, so that writers go on."""
    streams = streams_to_check(runtime, sessions)
    total = sum(stream.events for stream in streams)
    wrong, done, events = [], 0, 0
    for stream in streams:
        try:
            checked = check_read_models(runtime, stream.id)
        except UnknownSession:
            if sessions is not None:
                raise
            continue  # Purged since the list was read.
        finally:
            done += stream.events
            if progress is not None:
                progress(done, total)
        events += checked.events
        if not checked.ok:
            wrong.append(checked)
    orphans = () if sessions is not None else read_snapshot(runtime.database, orphaned_read_models)
    return ProjectionsChecked(len(streams), events, tuple(wrong), orphans)


class StreamToCheck(NamedTuple):
    """A stream, with the number of its own events."""

    id: UUID
    started_at: datetime
    events: int


def streams_to_check(runtime: Runtime, sessions: Sequence[UUID] | None) -> list[StreamToCheck]:
    """These streams or all, in the order of their beginnings, so that parents precede their forks."""
    parameters = {"streams": None if sessions is None else list(sessions)}
    rows = runtime.database.read(lambda c: c.execute(query("streams_to_rebuild"), parameters).fetchall())
    for missing in {*(sessions or ())} - {row[0] for row in rows}:
        raise UnknownSession(f"session {missing} does not exist.")
    return [StreamToCheck._make(row) for row in rows]


def check_read_models(runtime: Runtime, stream: UUID) -> SessionReadModels:
    """Compares one session's read models with the fold of its log."""
    return read_snapshot(runtime.database, lambda moment: _compare(runtime, moment, stream))


def orphaned_read_models(moment: SnapshotRead) -> tuple[Finding, ...]:
    """Rows of streams that have no head."""
    runtime = make_runtime(moment)
    what = "has rows of a stream that does not exist"
    return tuple(
        Finding(f"{table}, stream {stream}", what)
        for table in READ_MODELS
        for (stream,) in read(runtime, table, query_on("headless_streams", table))
    )


def _compare(runtime: Runtime, moment: SnapshotRead, stream: UUID) -> SessionReadModels:
    held = make_runtime(moment, StateReader(moment, fold_version=runtime.reader.fold_version))
    check = _ReadModelCheck(held, stream)
    named: list[Finding] = []
    rows: set[str] = set()
    damaged = None
    try:
        for finding in check.differences():
            rows.add(row_of(finding))
            if len(named) < NAMED:
                named.append(finding)
    except IntegrityError as error:
        damaged = error.finding
    return SessionReadModels(stream, check.version, check.events, len(rows), tuple(named), damaged)


def row_of(finding: Finding) -> str:
    """The row of a finding: `items.tokens, item 5` is in row `items, item 5`."""
    column, _, row = finding.where.partition(", ")
    return f"{column.partition('.')[0]}, {row}"


class _ReadModelCheck:
    """The fold of one stream's log, without its abandoned branches."""

    def __init__(self, runtime: Runtime, stream: UUID) -> None:
        self.runtime = runtime
        self.stream = stream
        self.version = 0
        self.events = 0
        self._branch_points: dict[UUID, list[BranchPoint]] = {}

    def differences(self) -> Iterator[Finding]:
        """All differences from the log."""
        try:
            head = self.runtime.log.head(self.stream)
        except psycopg.DataError:
            raise IntegrityError("streams", "holds a value that cannot be read") from None
        if head is None:
            raise UnknownSession(f"session {self.stream} does not exist.")
        self.version = head.version
        log = StreamLog(self.runtime, self.stream)
        self._branch_points[self.stream] = log.branch_points
        for point in sorted({*log.stored_branch_points()} ^ {*log.branch_points}):
            yield Finding(f"branch_points, version {point.version}", "differs from the event")
        try:
            branch = lineage(self.stream, head.version, self._branch_points_of)
        except VerificationFailed as error:
            raise IntegrityError("branch_points", str(error)) from None
        current, marks, first, newest = self._fold(branch)
        if newest.originator_version != head.version or newest.chain != head.chain:
            raise IntegrityError("streams.version", "the head is not that of the newest event")
        yield from wrong_items(self.runtime, self.stream, branch, current)
        yield from wrong_checkpoints(self.runtime, self.stream, marks)
        yield from wrong_beginning(head, first)
        yield from wrong_head(head, current, newest)
        yield from wrong_segments(self.runtime, self.stream)

    def _fold(self, branch: Lineage) -> tuple[CurrentBranch, dict[int, str], StoredRow, StoredRow]:
        current, marks = CurrentBranch(), {}
        own = [range_ for range_ in branch if range_.stream == self.stream]
        first = newest = None
        for batch in self.runtime.log.batches(self.stream):
            for row in batch:
                version = row.originator_version
                if newest is not None and version != newest.originator_version + 1:
                    raise IntegrityError(f"events, version {newest.originator_version + 1}", "is missing")
                first, newest = first or row, row
                self.events += 1
                try:
                    event = self.runtime.mapper.to_domain_event(row)
                    if event.effects.marks is not None:
                        marks[version] = event.effects.marks.name
                    if any(range_.first <= version <= range_.last for range_ in own):
                        resumes = event.effects.resumes
                        if resumes is not None and resumes.stream != self.stream:
                            current.begin(self._root(resumes.stream, resumes.version))
                        current.evolve(event)
                except (LookupError, TypeError, ValueError, AttributeError) as error:
                    raise IntegrityError(
                        f"events, version {version}", f"cannot be folded: {error!r}"
                    ) from None
        if first is None or newest is None:
            raise IntegrityError("events", "has none of this stream's")
        return current, marks, first, newest

    def _root(self, stream: UUID, version: int) -> ContextState:
        """The state at a version of a stream that this one was forked from, folded from its log."""
        state = fold(None, self.runtime.reader.events(lineage(stream, version, self._branch_points_of)))
        assert state is not None
        return state

    def _branch_points_of(self, stream: UUID) -> list[BranchPoint]:
        if stream not in self._branch_points:
            self._branch_points[stream] = StreamLog(self.runtime, stream).branch_points
        return self._branch_points[stream]
