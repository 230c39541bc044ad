"""The log of one stream, checked event by event."""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

import psycopg

from backstory.application.integrity.evidence import BEFORE_ALL, ContentCheck, read
from backstory.application.integrity.findings import IntegrityError
from backstory.application.runtime import Runtime
from backstory.domain.effects import Effects
from backstory.domain.events import ContentsErased
from backstory.domain.log.chain import next_chain
from backstory.domain.log.lineage import BranchPoint
from backstory.domain.log.references import references_in
from backstory.domain.records import Place
from backstory.infrastructure.eventsourcing_library.mapper import StoredRow
from backstory.infrastructure.eventsourcing_library.recorder import OPAQUE
from backstory.infrastructure.postgres.queries import query

BATCH = 500


class StreamLog:
    """Checks the stream's own events one after the other: dense versions, chain, order of times and positions."""

    def __init__(
        self, runtime: Runtime, stream: UUID, whose: str = "", anchors: Mapping[int, bytes] | None = None
    ) -> None:
        self.runtime = runtime
        self.stream = stream
        self.whose = whose
        self.anchors = anchors or {}
        self.contents = ContentCheck(runtime, stream, whose)
        self.branch_points = self._logged_branch_points()
        self.origin = self._origin()
        ((self.spread,),) = read(runtime, "events", query("is_distributed"))
        self.chain = b""
        self.events = 0
        self.first: StoredRow | None = None
        self.newest: StoredRow | None = None

    def rows(self, last: int | None = None, *, contents: bool = True) -> Iterator[StoredRow]:
        """Checks and returns the rows up to a version, or all."""
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

    def check_branch_points(self) -> None:
        """Checks that the table of branch points agrees with the events, and that no branch begins in its own
        future."""
        impossible = [point for point in self.branch_points if self._is_impossible(point)]
        wrong = impossible or sorted({*self.stored_branch_points()} ^ {*self.branch_points})
        if not wrong:
            return
        # If an event was changed, the chain shows it, and that is the finding.
        for _ in self.rows(contents=False):
            pass
        raise self.error(f"branch_points, version {wrong[0].version}", "differs from the event")

    def error(self, where: str, what: str) -> IntegrityError:
        return IntegrityError(where + self.whose, what)

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
            raise self.error("events", "holds a value that cannot be read") from None

    def _check(self, row: StoredRow) -> None:
        version, previous = row.originator_version, self.newest
        before = self.origin.resumed_version if self.origin else 0
        expected = (previous.originator_version if previous else before) + 1
        where = f"events, version {version}"
        if version != expected:
            raise self.error(f"events, version {expected}", f"is missing: version {version} follows")
        self.chain = next_chain(self.chain, row.envelope)
        if self.chain != row.chain:
            raise self.error(where, "does not match its chain")
        if self.anchors.get(version, self.chain) != self.chain:
            raise self.error(where, "has another chain than the one that was kept outside")
        if previous is not None and row.recorded_at < previous.recorded_at:
            raise self.error(where, "was recorded before the one in front of it")
        if previous is not None and row.position <= previous.position and not self.spread:
            raise self.error(f"events.position, version {version}", "is not after the one in front of it")
        self.events += 1
        self.first = self.first or row
        self.newest = row

    def _check_contents(self, row: StoredRow) -> None:
        self.contents.check(row.originator_version, references_in(self._payload(row)))
        self.contents.erased.update(self.erased_by(row))

    def erased_by(self, row: StoredRow) -> set[Place]:
        """The contents that an event erased."""
        if row.topic != ContentsErased.type or row.schema_version == OPAQUE:
            return set()
        try:
            return {(version, part) for version, part in self._payload(row)["erased"]}
        except (LookupError, TypeError, ValueError):
            raise self.error(f"events, version {row.originator_version}", "cannot be read") from None

    def require_erased(self) -> None:
        """Checks that missing contents were erased. The event may be after the last row that was read, so the log is
        read on, with its chain checked, until it is found."""
        left = self.contents.missing - self.contents.erased
        if left:
            later = StreamLog(self.runtime, self.stream, self.whose)
            for row in later.rows(contents=False):
                left -= later.erased_by(row)
                if not left:
                    break
        for version, part in sorted(left):
            where = f"contents, version {version} part {part}"
            raise self.error(where, "is missing, and no event says that it was erased")

    def _payload(self, row: StoredRow) -> Any:
        if row.schema_version == OPAQUE:
            return None
        try:
            return json.loads(row.state)
        except ValueError:
            raise self.error(f"events, version {row.originator_version}", "cannot be read") from None

    def _logged_branch_points(self) -> list[BranchPoint]:
        """The branch points in the events, not yet checked. An event that cannot be read has none."""
        points = []
        for version, effects in read(self.runtime, "events", query("events_that_resume"), self.stream):
            try:
                resumes = Effects.decode(effects).resumes
            except ValueError:
                continue
            if resumes is not None:
                points.append(BranchPoint(version, resumes.stream, resumes.version))
        return points

    def _origin(self) -> BranchPoint | None:
        """The branch point that a fork began at. If its event is gone, the table still has it."""
        for point in self.branch_points[:1] or self.stored_branch_points()[:1]:
            known = (
                point in self.branch_points or self.runtime.log.chain_at(self.stream, point.version) is None
            )
            if known and point.resumed_stream != self.stream:
                return point
        return None

    def stored_branch_points(self) -> list[BranchPoint]:
        return [
            BranchPoint._make(row)
            for row in read(self.runtime, "branch_points", query("branch_points"), self.stream)
        ]

    def _is_impossible(self, point: BranchPoint) -> bool:
        before = self.origin.resumed_version if self.origin else 0
        own = point.resumed_stream == self.stream
        if point == self.origin:
            return point.resumed_version < 1 or point.version != point.resumed_version + 1
        return not (before if own else 0) < point.resumed_version < point.version
