"""The check of one stream: its whole log is read once, and everything else is held against it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

import psycopg

from backstory.branch_replay import BranchReplay
from backstory.core import Core
from backstory.domain.chain import next_chain
from backstory.domain.effects import Effects
from backstory.domain.errors import UnknownSession
from backstory.domain.events import ContentErased, Event
from backstory.domain.fold import fold
from backstory.domain.lineage import Seam, first_own_version, lineage
from backstory.domain.references import references_in
from backstory.domain.state import ContextState
from backstory.evidence import Broken, ContentCheck, SnapshotCheck, check_appends, read
from backstory.infrastructure.log import Head
from backstory.infrastructure.mapper import StoredRow
from backstory.infrastructure.recorder import OPAQUE
from backstory.read_model_check import check_checkpoints, check_head, check_items

BATCH = 500
TABLES = ("events", "contents", "appends", "snapshots", "items", "seams", "checkpoints")
"""What belongs to a stream, besides its own row."""


class StreamLog:
    """A stream's own events, checked one after the other: dense versions, chain, order of times and positions."""

    def __init__(self, core: Core, stream: UUID, whose: str = "", anchors: Mapping[int, bytes] | None = None) -> None:
        self.core = core
        self.stream = stream
        self.whose = whose
        self.anchors = anchors or {}
        self.contents = ContentCheck(core, stream, whose)
        self.seams = self._noted_seams()
        self.origin = self.seams[0] if first_own_version(self.seams, stream) > 1 else None
        self.chain = b""
        self.events = 0
        self.first: StoredRow | None = None
        self.newest: StoredRow | None = None

    def rows(self, last: int | None = None, *, contents: bool = True) -> Iterator[StoredRow]:
        """The rows up to a version, or all, each of them sound."""
        self._begin()
        for batch in self._batches(last):
            if contents:
                self.contents.load(batch[0].originator_version, batch[-1].originator_version)
            for row in batch:
                self._check(row)
                if contents:
                    self._check_contents(row)
                yield row
            if contents:
                self.contents.finish_batch()

    def check_seams(self) -> None:
        """The seams table says what the events say, and no branch begins in its own future."""
        found = [Seam._make(row) for row in self._seam_rows()]
        wrong = [seam for seam in self.seams if self._is_impossible(seam)] or sorted({*found} ^ {*self.seams})
        if not wrong:
            return
        # Whose fault it is, the chain tells: an event that was changed does not match its own.
        for _ in self.rows(contents=False):
            pass
        raise self.broken(f"seams, version {wrong[0].version}", "differs from the event")

    def broken(self, where: str, what: str) -> Broken:
        return Broken(where + self.whose, what)

    def _begin(self) -> None:
        self.events, self.first, self.newest, self.chain = 0, None, None, b""
        if self.origin is not None:
            parent = self.origin.resumed_stream
            self.chain = self.core.log.chain_at(parent, self.origin.resumed_version) or b""

    def _batches(self, last: int | None) -> Iterator[list[StoredRow]]:
        upto = 2**31 - 1 if last is None else last
        try:
            yield from self.core.log.batches(self.stream, -(2**31), upto, BATCH)
        except psycopg.DataError:
            raise self.broken("events", "holds a value that cannot be read") from None

    def _check(self, row: StoredRow) -> None:
        version, previous = row.originator_version, self.newest
        before = self.origin.resumed_version if self.origin else 0
        expected = (previous.originator_version if previous else before) + 1
        where = f"events, version {version}"
        if version != expected:
            raise self.broken(f"events, version {expected}", f"is missing: version {version} follows")
        self.chain = next_chain(self.chain, row.envelope)
        if self.chain != row.chain:
            raise self.broken(where, "does not match its chain")
        if self.anchors.get(version, self.chain) != self.chain:
            raise self.broken(where, "has another chain than the one that was kept outside")
        if previous is not None and row.recorded_at < previous.recorded_at:
            raise self.broken(where, "was recorded before the one in front of it")
        if previous is not None and row.position <= previous.position:
            raise self.broken(f"events.position, version {version}", "is not after the one in front of it")
        self.events += 1
        self.first = self.first or row
        self.newest = row

    def _check_contents(self, row: StoredRow) -> None:
        payload = json.loads(row.state) if row.schema_version != OPAQUE else None
        self.contents.check(row.originator_version, references_in(payload))
        if row.topic == ContentErased.type and payload is not None:
            self.contents.erased.update((version, part) for version, part in payload["erased"])

    def _noted_seams(self) -> list[Seam]:
        """The seams that the events tell of. They are not yet checked; an event that cannot be read tells of none."""
        rows = read(
            self.core,
            "events",
            "select version, effects from backstory.events where stream_id = %s "
            "and effects like '%%\"resumes\"%%' order by version",
            (self.stream,),
        )
        noted = []
        for version, effects in rows:
            try:
                resumes = Effects.decode(effects).resumes
            except ValueError:
                continue
            if resumes is not None:
                noted.append(Seam(version, resumes.stream, resumes.version))
        return noted or [Seam._make(row) for row in self._seam_rows()][:1]

    def _seam_rows(self) -> list[Any]:
        return read(
            self.core,
            "seams",
            "select version, resumed_stream, resumed_version from backstory.seams where stream_id = %s order by version",
            (self.stream,),
        )

    def _is_impossible(self, seam: Seam) -> bool:
        if seam.resumed_version < 1 or seam.resumed_version >= seam.version:
            return True
        return seam == self.origin and seam.version != seam.resumed_version + 1


class SessionCheck:
    """Everything about one stream."""

    def __init__(self, core: Core, stream: UUID, anchors: Mapping[int, bytes]) -> None:
        self.core = core
        self.stream = stream
        self.log = StreamLog(core, stream, anchors=anchors)
        self.anchors = anchors
        self.marks: dict[int, str] = {}
        self.ancestors: dict[UUID, tuple[list[Seam], int]] = {}

    def run(self) -> None:
        head = self._head()
        self.log.check_seams()
        self._check_inherited()
        branch = lineage(self.stream, head.version, self._seams_of)
        replay = BranchReplay(self.stream, self.log.seams, branch, self._root)
        snapshots = SnapshotCheck(self.core, self.stream)
        for row in self.log.rows():
            event = self._event(row)
            snapshots.compare(replay.evolve(event))
            if event.effects.marks is not None:
                self.marks[event.version] = event.effects.marks.name
        first, newest = self._ends(head)
        snapshots.finish()
        self.log.contents.finish()
        check_appends(self.core, self.stream)
        check_items(self.core, self.stream, branch, replay.trunk)
        check_checkpoints(self.core, self.stream, self.marks)
        check_head(head, replay.trunk, first, newest)

    def _head(self) -> Head:
        try:
            head = self.core.log.head(self.stream)
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

    def _exists(self, table: str) -> bool:
        return bool(read(self.core, table, f"select 1 from backstory.{table} where stream_id = %s limit 1", (self.stream,)))

    def _ends(self, head: Head) -> tuple[StoredRow, StoredRow]:
        """The first and the newest event, when the newest is the one the head names."""
        first, newest = self.log.first, self.log.newest
        before = self.log.origin.resumed_version if self.log.origin else 0
        version = newest.originator_version if newest else before
        if first is None or newest is None or (version < head.version and self.log.chain != head.chain):
            raise Broken(f"events, version {version + 1}", "is missing: the head is beyond it")
        if version != head.version:
            raise Broken("streams.version", f"is {head.version}, the newest event has {version}")
        if self.log.chain != head.chain:
            raise Broken("streams.chain", "differs from the chain of the newest event")
        self._check_positions(first, newest)
        for anchored in sorted(self.anchors):
            if anchored > version:
                raise Broken(f"events, version {anchored}", "is missing, and its chain was kept outside")
        return first, newest

    def _check_positions(self, first: StoredRow, newest: StoredRow) -> None:
        ((drawn,),) = read(self.core, "events", "select last_value from backstory.positions", ())
        if newest.position > drawn:
            raise Broken(f"events.position, version {newest.originator_version}", "was never drawn")
        if self.log.origin is not None:
            _, parent, at = self.log.origin
            (row,) = self.core.log.rows_at(parent, [at])
            if first.position <= row.position:
                raise Broken(f"events.position, version {first.originator_version}", "is not after its origin's")

    def _event(self, row: StoredRow) -> Event:
        try:
            return self.core.mapper.to_domain_event(row)
        except ValueError as error:
            raise Broken(f"events, version {row.originator_version}", f"cannot be read: {error}") from None

    def _check_inherited(self) -> None:
        """The history that a fork began with: the log and the contents of the streams it comes from, as far as it
        comes from them. What those recorded later is not this session's."""
        log = self.log
        while log.origin is not None:
            _, parent, at = log.origin
            log = StreamLog(self.core, parent, f" of {parent}, where this session began", self.anchors)
            log.check_seams()
            self.ancestors[parent] = (log.seams, at)
            for _ in log.rows(at):
                pass
            if log.newest is None or log.newest.originator_version != at:
                raise log.broken(f"events, version {at}", "is missing")
            _require_erased(log)
            self.log.contents.checked += log.contents.checked

    def _seams_of(self, stream: UUID) -> list[Seam]:
        return self.log.seams if stream == self.stream else self.ancestors[stream][0]

    def _root(self, stream: UUID, version: int) -> ContextState:
        """The state at a version of a stream that this one comes from, folded from that one's log."""
        if stream not in self.ancestors or version > self.ancestors[stream][1]:
            raise Broken("seams", f"resumes version {version} of {stream}, which is no part of this session's history")
        state = fold(None, self.core.reader.events(lineage(stream, version, self._seams_of)))
        assert state is not None
        return state


def _require_erased(log: StreamLog) -> None:
    """Contents that are missing from a parent's part of the history may have been erased after the fork: the parent's
    log is then read on, and its chain checked, until it says so."""
    left = log.contents.missing - log.contents.erased
    if left:
        later = StreamLog(log.core, log.stream, log.whose)
        for row in later.rows(contents=False):
            if row.topic == ContentErased.type:
                left -= {(version, part) for version, part in json.loads(row.state)["erased"]}
            if not left:
                break
    for version, part in sorted(left):
        raise log.broken(f"contents, version {version} part {part}", "is missing, and no event says that it was erased")
