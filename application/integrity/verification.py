"""Whether the record is what was written, and what of that cannot be seen from inside the database."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from backstory.application.bootstrap import make_runtime
from backstory.application.integrity.evidence import Broken, Problem, read
from backstory.application.integrity.session_check import TABLES, SessionCheck
from backstory.application.runtime import Runtime
from backstory.domain.errors import InvalidInput, UnknownSession, VerificationFailed
from backstory.domain.values import version_number
from backstory.infrastructure.postgres.queries import query, query_on
from backstory.infrastructure.postgres.snapshot_read import SnapshotRead, at_one_moment
from backstory.infrastructure.states.replay import StateReader

CANNOT_SEE = (
    "a rewrite of the whole stream with a new chain, or a cut of its newest events together with everything "
    "derived from them: only a chain hash kept outside the database shows those"
)


@dataclass(frozen=True)
class Verification:
    """The outcome. `version` and `chain` are the newest event's: kept outside, they are what a later check
    can be held to."""

    session: UUID
    version: int
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


@dataclass(frozen=True)
class StoreVerification:
    """The outcome for a whole store: each stream's own, and what belongs to none."""

    sessions: tuple[Verification, ...]
    orphans: tuple[Problem, ...]
    cannot_see: str = CANNOT_SEE

    @property
    def problems(self) -> tuple[tuple[UUID | None, Problem], ...]:
        """Everything wrong, with the session it is in."""
        found = [(check.session, check.problem) for check in self.sessions if check.problem is not None]
        return (*found, *((None, orphan) for orphan in self.orphans))

    @property
    def ok(self) -> bool:
        return not self.problems

    def require(self) -> "StoreVerification":
        """This, or VerificationFailed with the first thing wrong."""
        for session, problem in self.problems:
            whose = f"session {session}: " if session else ""
            raise VerificationFailed(f"{whose}{problem.where}: {problem.what}.")
        return self


def verify_session(runtime: Runtime, stream: UUID, anchors: Mapping[int, str] | None = None) -> Verification:
    """Holds everything that is kept of a session against its log, as all of it is at one moment. It takes no
    lock: what is appended meanwhile is left to the next check. `anchors` are chain hashes that were kept
    outside, by their versions."""
    known = _hashes(anchors or {})
    return at_one_moment(runtime.database, lambda moment: _verify(_core_at(runtime, moment), stream, known))


def verify_store(runtime: Runtime) -> StoreVerification:
    """Checks every stream, and looks for rows that belong to none."""
    return StoreVerification(tuple(_verify_all(runtime)), at_one_moment(runtime.database, _orphans))


def _verify_all(runtime: Runtime) -> Iterator[Verification]:
    for (stream,) in read(runtime, "streams", query("streams")):
        try:
            yield verify_session(runtime, stream)
        except UnknownSession:
            continue  # Purged since the list was read.


def _verify(runtime: Runtime, stream: UUID, anchors: Mapping[int, bytes]) -> Verification:
    check = None
    problem = None
    try:
        check = SessionCheck(runtime, stream, anchors)
        check.run()
    except Broken as broken:
        problem = broken.problem
    if check is None:
        return Verification(stream, 0, 0, 0, 0, "", problem)
    log = check.log
    return Verification(
        session=stream,
        version=log.newest.originator_version if log.newest else 0,
        events=log.events,
        contents=log.contents.checked,
        erased=len(log.contents.erased),
        chain=log.newest.chain.hex() if log.newest else "",
        problem=problem,
    )


def _core_at(runtime: Runtime, moment: SnapshotRead) -> Runtime:
    return make_runtime(moment, StateReader(moment, fold_version=runtime.reader.fold_version))


def _orphans(moment: SnapshotRead) -> tuple[Problem, ...]:
    """Rows of streams that have no head, and places in the feed that were given twice."""
    runtime = make_runtime(moment)
    found = []
    for table in TABLES:
        what = "has rows of a stream that does not exist"
        headless = read(runtime, table, query_on("headless_streams", table))
        found += [Problem(f"{table}, stream {stream}", what) for (stream,) in headless]
    what = "is that of several events"
    twice = read(runtime, "events", query("positions_given_twice"))
    found += [Problem(f"events.position {position}", what) for (position,) in twice]
    return tuple(found)


def _hashes(anchors: Mapping[int, str]) -> dict[int, bytes]:
    known = {}
    for version, chain in anchors.items():
        version_number("anchors", version)
        try:
            known[version] = bytes.fromhex(chain)
        except (TypeError, ValueError):
            raise InvalidInput("anchors", f"must be chain hashes in hex, got {chain!r}") from None
    return known
