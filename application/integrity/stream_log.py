"""A stream's own log, checked event by event."""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

import psycopg

from backstory.application.integrity.evidence import BEFORE_ALL, Broken, ContentCheck, read
from backstory.application.runtime import Runtime
from backstory.domain.effects import Effects
from backstory.domain.events import ContentErased
from backstory.domain.log.chain import next_chain
from backstory.domain.log.lineage import BranchPoint
from backstory.domain.log.references import references_in
from backstory.domain.records import Place
from backstory.infrastructure.eventsourcing_library.mapper import StoredRow
from backstory.infrastructure.eventsourcing_library.recorder import OPAQUE
from backstory.infrastructure.postgres.queries import query

BATCH = 500


class StreamLog:
    """A stream's own events, checked one after the other: dense versions, chain, order of times and
    positions."""

    def __init__(
        self, runtime: Runtime, stream: UUID, whose: str = "", anchors: Mapping[int, bytes] | None = None
    ) -> None:
        self.runtime = runtime
        self.stream = stream
        self.whose = whose
        self.anchors = anchors or {}
        self.contents = ContentCheck(runtime, stream, whose)
        self.seams = self._noted_seams()
        self.origin = self._origin()
        ((self.spread,),) = read(runtime, "events", query("is_distributed"))
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
        impossible = [seam for seam in self.seams if self._is_impossible(seam)]
        wrong = impossible or sorted({*self.seam_rows()} ^ {*self.seams})
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
            self.chain = self.runtime.log.chain_at(parent, self.origin.resumed_version) or b""

    def _batches(self, last: int | None) -> Iterator[list[StoredRow]]:
        upto = 2**31 - 1 if last is None else last
        try:
            yield from self.runtime.log.batches(self.stream, BEFORE_ALL, upto, BATCH)
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
        if previous is not None and row.position <= previous.position and not self.spread:
            raise self.broken(f"events.position, version {version}", "is not after the one in front of it")
        self.events += 1
        self.first = self.first or row
        self.newest = row

    def _check_contents(self, row: StoredRow) -> None:
        self.contents.check(row.originator_version, references_in(self._payload(row)))
        self.contents.erased.update(self.erased_by(row))

    def erased_by(self, row: StoredRow) -> set[Place]:
        """The contents that an event says were erased."""
        if row.topic != ContentErased.type or row.schema_version == OPAQUE:
            return set()
        try:
            return {(version, part) for version, part in self._payload(row)["erased"]}
        except (LookupError, TypeError, ValueError):
            raise self.broken(f"events, version {row.originator_version}", "cannot be read") from None

    def require_erased(self) -> None:
        """Contents that are missing may have been erased after the last row that was read: the log is then read on,
        and its chain checked, until it says so."""
        left = self.contents.missing - self.contents.erased
        if left:
            later = StreamLog(self.runtime, self.stream, self.whose)
            for row in later.rows(contents=False):
                left -= later.erased_by(row)
                if not left:
                    break
        for version, part in sorted(left):
            where = f"contents, version {version} part {part}"
            raise self.broken(where, "is missing, and no event says that it was erased")

    def _payload(self, row: StoredRow) -> Any:
        if row.schema_version == OPAQUE:
            return None
        try:
            return json.loads(row.state)
        except ValueError:
            raise self.broken(f"events, version {row.originator_version}", "cannot be read") from None

    def _noted_seams(self) -> list[BranchPoint]:
        """The seams that the events tell of, not yet checked. An event that cannot be read tells of none."""
        noted = []
        for version, effects in read(self.runtime, "events", query("events_that_resume"), self.stream):
            try:
                resumes = Effects.decode(effects).resumes
            except ValueError:
                continue
            if resumes is not None:
                noted.append(BranchPoint(version, resumes.stream, resumes.version))
        return noted

    def _origin(self) -> BranchPoint | None:
        """Where a fork began. When the event that says so is gone, the seams table still does."""
        for seam in self.seams[:1] or self.seam_rows()[:1]:
            told = seam in self.seams or self.runtime.log.chain_at(self.stream, seam.version) is None
            if told and seam.resumed_stream != self.stream:
                return seam
        return None

    def seam_rows(self) -> list[BranchPoint]:
        return [BranchPoint._make(row) for row in read(self.runtime, "seams", query("seams"), self.stream)]

    def _is_impossible(self, seam: BranchPoint) -> bool:
        before = self.origin.resumed_version if self.origin else 0
        own = seam.resumed_stream == self.stream
        if seam == self.origin:
            return seam.resumed_version < 1 or seam.version != seam.resumed_version + 1
        return not (before if own else 0) < seam.resumed_version < seam.version
