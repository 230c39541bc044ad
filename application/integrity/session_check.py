"""The check of one stream: its log is read once, and everything else is compared with it."""

from collections.abc import Mapping
from uuid import UUID

import psycopg

from backstory.application.integrity.branch_replay import BranchReplay
from backstory.application.integrity.evidence import SnapshotCheck, check_appends, read
from backstory.application.integrity.findings import IntegrityError, require_none
from backstory.application.integrity.read_model_check import (
    wrong_beginning,
    wrong_checkpoints,
    wrong_head,
    wrong_items,
)
from backstory.application.integrity.stream_log import StreamLog
from backstory.application.runtime import Runtime
from backstory.domain.errors import UnknownSession
from backstory.domain.events import Event
from backstory.domain.fold.evolve import fold
from backstory.domain.log.lineage import BranchPoint, lineage
from backstory.domain.state import ContextState
from backstory.infrastructure.eventsourcing_library.mapper import StoredRow
from backstory.infrastructure.postgres.log import Head
from backstory.infrastructure.postgres.queries import query, query_on

TABLES = ("events", "contents", "appends", "snapshots", "items", "branch_points", "checkpoints")
"""The tables with rows of a stream, besides its own row."""


class SessionCheck:
    """Checks everything about one stream. `run` raises IntegrityError at the first finding."""

    def __init__(self, runtime: Runtime, stream: UUID, anchors: Mapping[int, bytes]) -> None:
        self.runtime = runtime
        self.stream = stream
        self.log = StreamLog(runtime, stream, anchors=anchors)
        self.anchors = anchors
        self.marks: dict[int, str] = {}
        self.ancestors: dict[UUID, tuple[list[BranchPoint], int]] = {}

    def run(self) -> None:
        head = self._head()
        self.log.check_branch_points()
        self._check_inherited()
        branch = lineage(self.stream, head.version, self._branch_points_of)
        replay = BranchReplay(self.stream, self.log.branch_points, branch, self._root)
        snapshots = SnapshotCheck(self.runtime, self.stream)
        for row in self.log.rows():
            event = self._event(row)
            snapshots.compare(self._state_after(event, replay))
            if event.effects.marks is not None:
                self.marks[event.version] = event.effects.marks.name
        newest = self._newest(head)
        snapshots.finish()
        self.log.contents.finish()
        check_appends(self.runtime, self.stream)
        require_none(wrong_items(self.runtime, self.stream, branch, replay.current))
        require_none(wrong_checkpoints(self.runtime, self.stream, self.marks))
        require_none(wrong_head(head, replay.current, newest))

    def _head(self) -> Head:
        try:
            head = self.runtime.log.head(self.stream)
        except psycopg.DataError:
            raise IntegrityError("streams", "holds a value that cannot be read") from None
        purged = self._exists("tombstones")
        if head is not None and purged:
            raise IntegrityError("tombstones", "says that the stream was purged, and it is there")
        if head is not None:
            return head
        for table in TABLES:
            if self._exists(table):
                raise IntegrityError("streams", f"has no row for this stream, and {table} has")
        gone = "was purged" if purged else "does not exist"
        raise UnknownSession(f"session {self.stream} {gone}.")

    def _require_any(self) -> None:
        if not any(self._exists(table) for table in TABLES):
            raise IntegrityError("streams", "has a row for a stream of which there is nothing else")

    def _exists(self, table: str) -> bool:
        return bool(read(self.runtime, table, query_on("stream_in_table", table), self.stream))

    def _newest(self, head: Head) -> StoredRow:
        """The newest event. IntegrityError if the head names another one."""
        first, newest = self.log.first, self.log.newest
        if first is None or newest is None:
            self._require_any()
            raise IntegrityError("events", "has none of this stream's")
        require_none(wrong_beginning(head, first))
        version = newest.originator_version
        if version < head.version and self.log.chain != head.chain:
            raise IntegrityError(f"events, version {version + 1}", "is missing: the head is beyond it")
        if version != head.version:
            raise IntegrityError("streams.version", f"is {head.version}, the newest event has {version}")
        if self.log.chain != head.chain:
            raise IntegrityError("streams.chain", "differs from the chain of the newest event")
        self._check_positions(first, newest)
        for anchored in sorted(self.anchors):
            if anchored > version:
                raise IntegrityError(
                    f"events, version {anchored}", "is missing, and its chain was kept outside"
                )
        return newest

    def _check_positions(self, first: StoredRow, newest: StoredRow) -> None:
        if self.log.spread:
            return  # Each machine has its own sequence, and a session may have moved between machines.
        ((drawn, _),) = read(self.runtime, "events", query("last_drawn_position"))
        if newest.position > drawn:
            raise IntegrityError(f"events.position, version {newest.originator_version}", "was never drawn")
        if self.log.origin is not None:
            _, parent, at = self.log.origin
            (row,) = self.runtime.log.rows_at(parent, [at])
            if first.position <= row.position:
                raise IntegrityError(
                    f"events.position, version {first.originator_version}", "is not after its origin's"
                )

    def _event(self, row: StoredRow) -> Event:
        try:
            return self.runtime.mapper.to_domain_event(row)
        except ValueError as error:
            raise IntegrityError(
                f"events, version {row.originator_version}", f"cannot be read: {error}"
            ) from None

    def _state_after(self, event: Event, replay: BranchReplay) -> ContextState:
        try:
            return replay.evolve(event)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise IntegrityError(f"events, version {event.version}", f"cannot be folded: {error!r}") from None

    def _check_inherited(self) -> None:
        """Checks the history that a fork inherited: the log and contents of its ancestors up to the branch points."""
        log = self.log
        while log.origin is not None:
            _, parent, at = log.origin
            log = StreamLog(self.runtime, parent, f" of {parent}, where this session began", self.anchors)
            log.check_branch_points()
            self.ancestors[parent] = (log.branch_points, at)
            for _ in log.rows(at):
                pass
            if log.newest is None or log.newest.originator_version != at:
                raise log.error(f"events, version {at}", "is missing")
            log.require_erased()
            self.log.contents.checked += log.contents.checked

    def _branch_points_of(self, stream: UUID) -> list[BranchPoint]:
        return self.log.branch_points if stream == self.stream else self.ancestors[stream][0]

    def _root(self, stream: UUID, version: int) -> ContextState:
        """The state at a version of a stream that this one was forked from, folded from its log."""
        if stream not in self.ancestors or version > self.ancestors[stream][1]:
            raise IntegrityError(
                "branch_points", f"resumes version {version} of {stream}, which is no part of this history"
            )
        state = fold(None, self.runtime.reader.events(lineage(stream, version, self._branch_points_of)))
        assert state is not None
        return state
