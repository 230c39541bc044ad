"""The rebuild of one session's read models from its log.

They are drawn beside the rows in use, compared with them, and replace the rows that differ, under the lock that appends
take. A long session is drawn without the lock; under it only the newer events are added, so that writers wait for
little more than the comparison.
"""

import json
from collections.abc import Iterator
from typing import NamedTuple
from uuid import UUID

from backstory.application.integrity.findings import Finding, IntegrityError
from backstory.application.integrity.projection_check import NAMED, SessionReadModels, row_of
from backstory.application.integrity.read_model_check import wrong_values
from backstory.application.runtime import Runtime
from backstory.domain.errors import UnknownSession, VerificationFailed
from backstory.domain.fold.evolve import fold
from backstory.domain.log.lineage import BranchPoint, Lineage, VersionRange, lineage
from backstory.infrastructure.postgres.draft_read_models import (
    DRAWN_AT_ONCE,
    KEYS,
    DraftReadModels,
    Logged,
    RowDifference,
)
from backstory.infrastructure.postgres.locks import lock_stream
from backstory.infrastructure.postgres.queries import query
from backstory.projections.base_rows import base_rows

SHORT = 1_000
"""Events drawn while the lock is held: some 30 ms. A session with more is drawn before."""
ATTEMPTS = 5
"""Drawings without the lock of a session that is backtracked again and again. The next one is under the lock."""


class _Plan(NamedTuple):
    """The current branch of a session at a version: its root in other streams, and its own events from there."""

    version: int
    branch_points: list[BranchPoint]
    root: Lineage
    own: list[VersionRange]


class _Moved(Exception):
    """Raised when the session was backtracked while it was drawn."""


class SessionRebuild:
    """The rebuild of one session."""

    def __init__(self, runtime: Runtime, draft: DraftReadModels, stream: UUID) -> None:
        self.runtime = runtime
        self.draft = draft
        self.stream = stream
        self.summary = ""
        self.drawn = 0
        """The newest version that is drawn, 0 for none."""

    def run(self) -> SessionReadModels:
        try:
            for _ in range(ATTEMPTS):
                try:
                    return self._attempt()
                except _Moved:
                    continue
            with self.draft.connection.transaction():
                self._lock()
                return self._finish(self._begin())
        except IntegrityError as error:
            return SessionReadModels(self.stream, 0, 0, 0, (), error.finding)

    def _attempt(self) -> SessionReadModels:
        """Draws a long branch without the lock, and the rest under it."""
        plan = self._begin()
        if sum(range_.last - range_.first + 1 for range_ in plan.own) > SHORT:
            self._draw(plan)
            while (ahead := self._logged().version) - self.drawn > SHORT:
                self._draw_on(ahead)
        with self.draft.connection.transaction():
            self._lock()
            return self._finish(plan)

    def _begin(self) -> _Plan:
        """Reads the branch and begins the drawing at its root."""
        logged = self._logged()
        points = self.draft.branch_points(self.stream)
        known = {self.stream: points}
        try:
            branch = lineage(
                self.stream,
                logged.version,
                lambda stream: known.get(stream) or self.draft.branch_points(stream),
            )
        except VerificationFailed as error:
            raise IntegrityError("events", str(error)) from None
        own = [range_ for range_ in branch if range_.stream == self.stream]
        root = Lineage(range_ for range_ in branch if range_.stream != self.stream)
        self.summary = self.draft.begin(self.stream, self._base(root) if root else None)
        self.drawn = 0
        return _Plan(logged.version, points, root, own)

    def _logged(self) -> Logged:
        """The stream's row and the ends of its log. IntegrityError if they disagree."""
        logged = self.draft.logged(self.stream)
        if logged is None:
            raise UnknownSession(f"session {self.stream} does not exist.")
        if logged.newest_chain is None or logged.newest_chain != logged.chain:
            raise IntegrityError("streams.chain", "the head is not that of the newest event")
        assert logged.first_version is not None
        if logged.events != logged.version - logged.first_version + 1:
            raise IntegrityError("events", "some are missing, or there are some beyond the head")
        return logged

    def _base(self, root: Lineage) -> dict[str, object]:
        """The read models at the root of a branch that began in another stream. They never change."""
        last = root[-1]
        streams = {range_.stream for range_ in root}
        if all(
            self.runtime.log.branch_points(stream) == self.draft.branch_points(stream) for stream in streams
        ):
            state = self.runtime.reader.state(last.stream, last.last)
        else:
            # Reads use the table of branch points, and a row of an ancestor differs from its log.
            folded = fold(None, self.runtime.reader.events(root))
            assert folded is not None
            state = folded
        return base_rows(state, root)

    def _lock(self) -> None:
        self.draft.connection.execute(query("limit_lock_wait"))
        lock_stream(self.draft.connection, self.stream)

    def _draw(self, plan: _Plan) -> None:
        """Draws the whole branch, and the checkpoints of all branches."""
        for range_ in plan.own:
            self._draw_range(range_.first, range_.last)
        self.draft.draw_marks(self.stream, 0, plan.branch_points)
        self.drawn = plan.version

    def _draw_on(self, version: int) -> None:
        """Draws the events appended since."""
        if self.draft.branch_points(self.stream, self.drawn):
            raise _Moved
        self._draw_range(self.drawn + 1, version)
        self.draft.draw_marks(self.stream, self.drawn, ())
        self.drawn = version

    def _draw_range(self, first: int, last: int) -> None:
        for start in range(first, last + 1, DRAWN_AT_ONCE):
            stop = min(last, start + DRAWN_AT_ONCE - 1)
            self.summary = self.draft.draw(self.stream, start, stop, self.summary)

    def _finish(self, plan: _Plan) -> SessionReadModels:
        """Under the lock: draws the rest, compares, and replaces the rows that differ."""
        logged = self._logged()
        if not self.drawn and self.draft.branch_points(self.stream, plan.version):
            raise _Moved
        if not self.drawn:
            self._draw(plan)
        if logged.version > self.drawn:
            self._draw_on(logged.version)
        rows, findings = 0, list[Finding]()
        for table in KEYS:
            if keys := self.draft.differing(table, self.stream):
                rows += len(keys)
                for difference in self.draft.differences(table, self.stream, keys[: NAMED - len(findings)]):
                    findings += _wrong_row(difference)
                self.draft.replace(table, self.stream, keys)
        if wrong := list(_wrong_head(logged, self.summary)):
            rows += len({row_of(finding) for finding in wrong})
            findings += wrong
            self.draft.replace_head(self.stream, self.summary, logged)
        return SessionReadModels(self.stream, logged.version, logged.events, rows, tuple(findings[:NAMED]))


def _wrong_row(row: RowDifference) -> Iterator[Finding]:
    """The differences in a row."""
    where = f"{KEYS[row.table]} {row.key}"
    if row.found is None:
        yield Finding(f"{row.table}, {where}", "is missing")
    elif row.drawn is None:
        yield Finding(f"{row.table}, {where}", "was brought by no event of this branch")
    else:
        yield from wrong_values(row.table + ".{}, " + where, row.found, row.drawn)


def _wrong_head(logged: Logged, summary: str) -> Iterator[Finding]:
    """The differences in the stream's own row."""
    yield from wrong_values(
        "streams.{}",
        {"epoch": logged.epoch, "started_at": logged.started_at, "recorded_at": logged.recorded_at},
        {"epoch": logged.newest_epoch, "started_at": logged.began_at, "recorded_at": logged.newest_at},
    )
    stored = json.loads(logged.summary)
    if not isinstance(stored, dict):
        yield Finding("streams.summary", "is no document")
    else:
        yield from wrong_values("streams.summary, {}", stored, json.loads(summary))
