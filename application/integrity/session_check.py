"""The check of one stream: its whole log is read once, and everything else is held against it."""

from collections.abc import Mapping
from uuid import UUID

import psycopg

from backstory.application.integrity.branch_replay import BranchReplay
from backstory.application.integrity.evidence import Broken, SnapshotCheck, check_appends, read, require_none
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

TABLES = ("events", "contents", "appends", "snapshots", "items", "seams", "checkpoints")
"""What belongs to a stream, besides its own row."""


class SessionCheck:
    """Everything about one stream."""

    def __init__(self, runtime: Runtime, stream: UUID, anchors: Mapping[int, bytes]) -> None:
        self.runtime = runtime
        self.stream = stream
        self.log = StreamLog(runtime, stream, anchors=anchors)
        self.anchors = anchors
        self.marks: dict[int, str] = {}
        self.ancestors: dict[UUID, tuple[list[BranchPoint], int]] = {}

    def run(self) -> None:
        head = self._head()
        self.log.check_seams()
        self._check_inherited()
        branch = lineage(self.stream, head.version, self._seams_of)
        replay = BranchReplay(self.stream, self.log.seams, branch, self._root)
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
        require_none(wrong_items(self.runtime, self.stream, branch, replay.trunk))
        require_none(wrong_checkpoints(self.runtime, self.stream, self.marks))
        require_none(wrong_head(head, replay.trunk, newest))

    def _head(self) -> Head:
        try:
            head = self.runtime.log.head(self.stream)
        except psycopg.DataError:
            raise Broken("streams", "holds a value that cannot be read") from None
        purged = self._exists("tombstones")
        if head is not None and purged:
            raise Broken("tombstones", "says that the stream was purged, and it is there")
        if head is not None:
            return head
        for table in TABLES:
            if self._exists(table):
                raise Broken("streams", f"has no row for this stream, and {table} has")
        gone = "was purged" if purged else "does not exist"
        raise UnknownSession(f"session {self.stream} {gone}.")

    def _require_any(self) -> None:
        if not any(self._exists(table) for table in TABLES):
            raise Broken("streams", "has a row for a stream of which there is nothing else")

    def _exists(self, table: str) -> bool:
        return bool(read(self.runtime, table, query_on("stream_in_table", table), self.stream))

    def _newest(self, head: Head) -> StoredRow:
        """The newest event, when it is the one that the head names."""
        first, newest = self.log.first, self.log.newest
        if first is None or newest is None:
            self._require_any()
            raise Broken("events", "has none of this stream's")
        require_none(wrong_beginning(head, first))
        version = newest.originator_version
        if version < head.version and self.log.chain != head.chain:
            raise Broken(f"events, version {version + 1}", "is missing: the head is beyond it")
        if version != head.version:
            raise Broken("streams.version", f"is {head.version}, the newest event has {version}")
        if self.log.chain != head.chain:
            raise Broken("streams.chain", "differs from the chain of the newest event")
        self._check_positions(first, newest)
        for anchored in sorted(self.anchors):
            if anchored > version:
                raise Broken(f"events, version {anchored}", "is missing, and its chain was kept outside")
        return newest

    def _check_positions(self, first: StoredRow, newest: StoredRow) -> None:
        if self.log.spread:
            return  # Each machine draws numbers of its own, and a session may have moved from one to another.
        ((drawn, _),) = read(self.runtime, "events", query("last_drawn_position"))
        if newest.position > drawn:
            raise Broken(f"events.position, version {newest.originator_version}", "was never drawn")
        if self.log.origin is not None:
            _, parent, at = self.log.origin
            (row,) = self.runtime.log.rows_at(parent, [at])
            if first.position <= row.position:
                raise Broken(
                    f"events.position, version {first.originator_version}", "is not after its origin's"
                )

    def _event(self, row: StoredRow) -> Event:
        try:
            return self.runtime.mapper.to_domain_event(row)
        except ValueError as error:
            raise Broken(f"events, version {row.originator_version}", f"cannot be read: {error}") from None

    def _state_after(self, event: Event, replay: BranchReplay) -> ContextState:
        try:
            return replay.evolve(event)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Broken(f"events, version {event.version}", f"cannot be folded: {error!r}") from None

    def _check_inherited(self) -> None:
        """The history that a fork began with: the log and the contents of the streams it comes from, as far
        as it comes from them. What those recorded later is not this session's."""
        log = self.log
        while log.origin is not None:
            _, parent, at = log.origin
            log = StreamLog(self.runtime, parent, f" of {parent}, where this session began", self.anchors)
            log.check_seams()
            self.ancestors[parent] = (log.seams, at)
            for _ in log.rows(at):
                pass
            if log.newest is None or log.newest.originator_version != at:
                raise log.broken(f"events, version {at}", "is missing")
            log.require_erased()
            self.log.contents.checked += log.contents.checked

    def _seams_of(self, stream: UUID) -> list[BranchPoint]:
        return self.log.seams if stream == self.stream else self.ancestors[stream][0]

    def _root(self, stream: UUID, version: int) -> ContextState:
        """The state at a version of a stream that this one comes from, folded from that one's log."""
        if stream not in self.ancestors or version > self.ancestors[stream][1]:
            raise Broken("seams", f"resumes version {version} of {stream}, which is no part of this history")
        state = fold(None, self.runtime.reader.events(lineage(stream, version, self._seams_of)))
        assert state is not None
        return state
