"""The verification of sessions against their logs, and its limits."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import UUID

from backstory.application.anchors.sessions import wrong_absences
from backstory.application.bootstrap import make_runtime
from backstory.application.integrity.evidence import read
from backstory.application.integrity.findings import Finding, IntegrityError
from backstory.application.integrity.session_check import TABLES, SessionCheck
from backstory.application.runtime import Runtime
from backstory.domain.errors import InvalidInput, UnknownSession, VerificationFailed
from backstory.domain.values import version_number
from backstory.infrastructure.postgres.queries import query, query_on
from backstory.infrastructure.postgres.snapshot_read import SnapshotRead, read_snapshot
from backstory.infrastructure.schema.protection import find_gaps
from backstory.infrastructure.states.replay import StateReader

if TYPE_CHECKING:
    from backstory.application.anchors.files import Anchors

_LOGGER = logging.getLogger(__name__)

CANNOT_SEE = (
    "a rewrite of the whole stream with a new chain, or a cut of its newest events together with everything "
    "derived from them: only a chain hash kept outside the database shows those"
)


@dataclass(frozen=True)
class Verification:
    """The result for one session. `version` and `chain` are those of the newest event. Kept outside the database, they
    can be given to a later verification."""

    session: UUID
    version: int
    events: int
    contents: int
    erased: int
    chain: str
    problem: Finding | None = None
    unprotected: tuple[str, ...] = ()
    """Tables whose triggers or grants are off, so that they could be changed."""
    cannot_see: str = CANNOT_SEE

    @property
    def ok(self) -> bool:
        """Whether no problem was found."""
        return self.problem is None

    def require(self) -> "Verification":
        """Returns itself, or raises VerificationFailed with the first problem."""
        if self.problem is not None:
            raise VerificationFailed(f"{self.problem.where}: {self.problem.what}.")
        return self


@dataclass(frozen=True)
class StoreVerification:
    """The result for a whole store: of each stream, and the rows that belong to none."""

    sessions: tuple[Verification, ...]
    orphans: tuple[Finding, ...]
    cannot_see: str = CANNOT_SEE

    @property
    def problems(self) -> tuple[tuple[UUID | None, Finding], ...]:
        """All problems, each with its session."""
        in_sessions = [(check.session, check.problem) for check in self.sessions if check.problem is not None]
        return (*in_sessions, *((None, orphan) for orphan in self.orphans))

    @property
    def ok(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    def require(self) -> "StoreVerification":
        """Returns itself, or raises VerificationFailed with the first problem."""
        for session, problem in self.problems:
            whose = f"session {session}: " if session else ""
            raise VerificationFailed(f"{whose}{problem.where}: {problem.what}.")
        return self


def verify_session(
    runtime: Runtime, stream: UUID, anchors: "Anchors | Mapping[int, str] | None" = None
) -> Verification:
    """Compares everything stored of a session with its log, in one snapshot. Takes no lock; events appended meanwhile
    are left to the next verification. `anchors` are chain hashes kept outside, by version, or from files."""
    kept = anchors if anchors is None or isinstance(anchors, Mapping) else anchors.require(stream)
    return _verify_session(runtime, stream, _hashes(kept or {}), _unprotected(runtime))


def _verify_session(
    runtime: Runtime, stream: UUID, anchors: Mapping[int, bytes], unprotected: tuple[str, ...]
) -> Verification:
    found = read_snapshot(
        runtime.database, lambda moment: _verify(_runtime_at(runtime, moment), stream, anchors)
    )
    return replace(found, unprotected=unprotected)


def _unprotected(runtime: Runtime) -> tuple[str, ...]:
    """The tables whose protection is off. Warns of them: the record may be intact, and it can be changed."""
    gaps = runtime.database.read(find_gaps)
    if any(gaps):
        _LOGGER.warning("the log is not protected against changes: %s. Run 'backstory db upgrade'.", gaps)
    return tuple(sorted({*gaps.triggers, *gaps.grants}))


def verify_store(runtime: Runtime, anchors: "Anchors | None" = None) -> StoreVerification:
    """Verifies every stream, and finds rows that belong to none, and anchored streams that are gone."""
    checks = tuple(_verify_all(runtime, anchors))
    findings = read_snapshot(runtime.database, _orphans)
    if anchors is not None:
        findings += tuple(wrong_absences(runtime, anchors, [check.session for check in checks]))
    return StoreVerification(checks, findings)


def _verify_all(runtime: Runtime, anchors: "Anchors | None") -> Iterator[Verification]:
    unprotected = _unprotected(runtime)
    for (stream,) in read(runtime, "streams", query("streams")):
        try:
            kept = {} if anchors is None else anchors.of(stream)
            yield _verify_session(runtime, stream, _hashes(kept), unprotected)
        except UnknownSession:
            continue  # Purged since the list was read.


def _verify(runtime: Runtime, stream: UUID, anchors: Mapping[int, bytes]) -> Verification:
    check = None
    problem = None
    try:
        check = SessionCheck(runtime, stream, anchors)
        check.run()
    except IntegrityError as error:
        problem = error.finding
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


def _runtime_at(runtime: Runtime, moment: SnapshotRead) -> Runtime:
    return make_runtime(moment, StateReader(moment, fold_version=runtime.reader.fold_version))


def _orphans(moment: SnapshotRead) -> tuple[Finding, ...]:
    """Rows of streams that have no head, and feed positions with several events."""
    runtime = make_runtime(moment)
    findings = []
    for table in TABLES:
        what = "has rows of a stream that does not exist"
        headless = read(runtime, table, query_on("headless_streams", table))
        findings += [Finding(f"{table}, stream {stream}", what) for (stream,) in headless]
    what = "is that of several events"
    twice = read(runtime, "events", query("positions_given_twice"))
    findings += [Finding(f"events.position {position}", what) for (position,) in twice]
    return tuple(findings)


def _hashes(anchors: Mapping[int, str]) -> dict[int, bytes]:
    hashes = {}
    for version, chain in anchors.items():
        version_number("anchors", version)
        try:
            hashes[version] = bytes.fromhex(chain)
        except (TypeError, ValueError):
            raise InvalidInput("anchors", f"must be chain hashes in hex, got {chain!r}") from None
    return hashes
