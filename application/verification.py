"""Whether a session's record is what was written, and what of that cannot be seen from inside the database."""

from dataclasses import dataclass
from uuid import UUID

from backstory.core import Core
from backstory.domain.chain import next_chain
from backstory.domain.errors import UnknownSession, VerificationFailed
from backstory.domain.fold import evolve
from backstory.domain.lineage import Seam, first_own_version
from backstory.domain.state import ContextState
from backstory.infrastructure.log import Head
from backstory.infrastructure.mapper import StoredRow
from backstory.evidence import Broken, ContentCheck, Problem, check_appends, check_read_models, check_snapshots

CANNOT_SEE = (
    "a rewrite of the whole stream with a new chain, or a cut of its newest events together with everything derived "
    "from them: only a chain hash kept outside the database shows those"
)


@dataclass(frozen=True)
class Verification:
    """The outcome. `chain` is the newest hash: kept outside, it is what a later check can be held to."""

    session: UUID
    events: int
    contents: int
    erased: int
    chain: str
    problem: Problem | None = None
    cannot_see: str = CANNOT_SEE

    @property
    def ok(self) -> bool:
        return self.problem is None

    def require(self) -> "Verification":
        """This, or VerificationFailed with the first thing wrong."""
        if self.problem is not None:
            raise VerificationFailed(f"{self.problem.where}: {self.problem.what}.")
        return self


def verify_session(core: Core, stream: UUID) -> Verification:
    """Reads the session's whole log once and holds everything against it. Takes no lock: appends that come while
    it reads are left to the next check."""
    check = _Check(core, stream)
    problem = None
    try:
        check.run()
    except Broken as broken:
        problem = broken.problem
    return Verification(
        stream, check.events, check.contents.checked, check.contents.erased, check.chain.hex(), problem
    )


class _Check:
    def __init__(self, core: Core, stream: UUID) -> None:
        self.core = core
        self.stream = stream
        self.events = 0
        self.chain = b""
        self.contents = ContentCheck(core, stream)
        self.kept: dict[int, ContextState] = {}

    def run(self) -> None:
        head = self._head()
        seams = self.core.log.seams(self.stream)
        state = self._replay(head, seams)
        if self.chain != head.chain:
            raise Broken("streams.chain", "differs from the chain of the newest event")
        self.contents.finish(head.version)
        check_appends(self.core, self.stream, head.version)
        check_read_models(self.core, self.stream, head, state, self.first)

    def _head(self) -> Head:
        head = self.core.log.head(self.stream)
        if head is not None:
            return head
        if self.core.log.rows(self.stream, limit=1):
            raise Broken("streams", "the stream's row is missing while its events are there")
        raise UnknownSession(f"session {self.stream} does not exist.")

    def _replay(self, head: Head, seams: list[Seam]) -> ContextState:
        """Folds the log from its beginning, trusting no snapshot and no read model, and checks each event."""
        self.first = first_own_version(seams, self.stream)
        resumed_later = {seam.resumed_version for seam in seams if seam.resumed_stream == self.stream}
        by_version = {seam.version: seam for seam in seams}
        state: ContextState | None = None
        expected = self.first
        previous: StoredRow | None = None
        if self.first > 1:
            origin = by_version[self.first]
            self.chain = self.core.log.chain_at(origin.resumed_stream, origin.resumed_version) or b""
        snapshots = check_snapshots(self.core, self.stream)
        for batch in self.core.log.batches(self.stream, 0, head.version):
            self.contents.load(batch)
            for row in batch:
                self._check_row(row, expected, previous)
                event = self.core.mapper.to_domain_event(row)
                seam = by_version.get(row.originator_version)
                resumes = event.effects.resumes
                if (resumes is None) != (seam is None) or (
                    resumes and seam and (resumes.stream, resumes.version) != seam[1:]
                ):
                    raise Broken(f"seams, version {row.originator_version}", "differs from the event")
                if resumes is not None:
                    state = self._resumed(resumes.stream, resumes.version)
                state = evolve(state, event, keep_removed=True)
                snapshots.compare(state)
                self.contents.check(row)
                if state.version in resumed_later:
                    self.kept[state.version] = state.copy()
                previous = row
                expected += 1
        if expected - 1 != head.version:
            raise Broken(f"events, version {expected}", "is missing: the head is beyond it")
        newer = self.core.log.rows(self.stream, head.version, limit=1)
        if newer and self.core.log.head(self.stream) == head:
            raise Broken(f"events, version {newer[0].originator_version}", "is beyond the head")
        extra = [seam.version for seam in seams if not self.first <= seam.version <= head.version]
        if extra:
            raise Broken(f"seams, version {extra[0]}", "belongs to no event")
        snapshots.finish()
        assert state is not None
        return state

    def _check_row(self, row: StoredRow, expected: int, previous: StoredRow | None) -> None:
        version = row.originator_version
        if version != expected:
            raise Broken(f"events, version {expected}", f"is missing: version {version} follows")
        self.chain = next_chain(self.chain, row.envelope)
        if self.chain != row.chain:
            raise Broken(f"events, version {version}", "does not match its chain")
        if previous is not None:
            if row.recorded_at < previous.recorded_at:
                raise Broken(f"events, version {version}", "was recorded before the one in front of it")
            if row.position <= previous.position:
                raise Broken(f"events.position, version {version}", "is not after the one in front of it")
        self.events += 1

    def _resumed(self, stream: UUID, version: int) -> ContextState:
        """The state a seam goes on from. Another stream's is folded from that stream's log."""
        if stream == self.stream:
            if version not in self.kept:
                raise Broken(f"seams, version {version}", "a seam resumes a version that is not before it")
            return self.kept[version].copy()
        state: ContextState | None = None
        for event in self.core.reader.events(self.core.reader.lineage(stream, version)):
            state = evolve(state, event)
        if state is None or state.version != version:
            raise Broken(f"seams, resumed version {version}", "the stream it resumes is not there")
        return state
