"""The audit of an export: from the file alone, without a database."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from backstory.application.integrity.findings import Finding, IntegrityError
from backstory.application.transfer.file_check import FileCheck, Reached
from backstory.application.transfer.files import ExportFile, opened
from backstory.application.transfer.streams import ExportedStreams
from backstory.domain.errors import InvalidInput, VerificationFailed
from backstory.domain.fold.evolve import FOLD_VERSION

if TYPE_CHECKING:
    from backstory.application.anchors.files import Anchors

CANNOT_SEE = "a file that was made up as a whole, or one of an earlier time: only a chain hash kept outside shows those"


class AuditedStream(NamedTuple):
    """One stream of the file, with its newest version and the chain there."""

    stream: UUID
    version: int
    chain: str
    asked_for: bool
    """Whether the export was made for it. Otherwise it is there because another stream was forked from it."""
    project: str | None = None
    """The project, if it is the memory of one."""


@dataclass(frozen=True)
class Audit:
    """The result of an audit. If there is a problem, the counts go as far as the audit did."""

    file: Path
    streams: tuple[AuditedStream, ...] = ()
    lines: int = 0
    events: int = 0
    contents: int = 0
    erased: int = 0
    appends: int = 0
    states: int = 0
    """Noted states that equal the fold of the events."""
    states_of_another_fold: bool = False
    """Whether another version of the fold noted the states, so that they were not compared."""
    contexts: int = 0
    """Recorded contexts that were reproduced byte for byte."""
    contexts_erased: int = 0
    """Recorded contexts that cannot be reproduced, because some of their contents were erased."""
    contexts_elsewhere: int = 0
    """Recorded contexts that were not reproduced: the file does not hold the project whose memories they show."""
    checkpoint: int | None = None
    """In the file of a checkpoint, its version. All that it says was made again from the record, and is the same."""
    anchored: int = 0
    """Anchors that the file was compared with."""
    sha256: str = ""
    problem: Finding | None = None
    cannot_see: str = CANNOT_SEE

    @property
    def ok(self) -> bool:
        """Whether no problem was found."""
        return self.problem is None

    def require(self) -> "Audit":
        """Returns itself, or raises VerificationFailed with the first problem."""
        if self.problem is not None:
            raise VerificationFailed(f"{self.file.name}, {placed(self.problem)}.")
        return self


def audit_export(path: Path | str, anchors: "Anchors | None" = None) -> Audit:
    """Audits an export: the whole file, each chain, the digest of every content, the noted states, and the hash of
    every recorded context. With `anchors` (see `read_anchors`), also that each anchored version has the chain it had;
    they must have one of a session in the file."""
    with opened(path) as file:
        audit, check = audit_opened(file, Path(path))
        if anchors is None or not audit.ok or check.streams is None:
            return audit
        kept = {stream.stream: anchors.of(stream.stream) for stream in audit.streams}
        if not any(kept.values()):
            raise InvalidInput("anchors", f"have none of a session in {audit.file.name}")
        problem = _other_chain(check.streams, audit.streams, kept)
        return replace(audit, problem=problem, anchored=sum(map(len, kept.values())))


def _other_chain(
    streams: ExportedStreams, audited: tuple[AuditedStream, ...], kept: Mapping[UUID, Mapping[int, str]]
) -> Finding | None:
    """The first anchor that the file contradicts."""
    for stream in audited:
        for version, chain in sorted(kept[stream.stream].items()):
            where = f"event {version} of {stream.stream}"
            if version > stream.version:
                return Finding(where, "is missing, and its chain was anchored")
            if streams.chain_at(stream.stream, version).hex() != chain:
                return Finding(where, "has another chain than the one that was anchored")
    return None


def placed(finding: Finding) -> str:
    """A finding in a file as text, with its line where it has one."""
    line = "" if finding.line is None else f"line {finding.line}, "
    return f"{line}{finding.where}: {finding.what}"


def audit_opened(
    file: ExportFile, path: Path, *, contexts: bool = True, reached: Reached | None = None
) -> tuple[Audit, FileCheck]:
    """Audits an open file. Returns the check as well, which knows where each event is."""
    check = FileCheck(file, contexts=contexts, reached=reached)
    problem: Finding | None = None
    try:
        check.run()
    except IntegrityError as error:
        problem = error.finding
    except VerificationFailed as refused:
        problem = Finding("file", str(refused).rstrip("."), check.lines + 1)
    if file.damage is not None and (problem is None or problem.where == "file"):
        problem = Finding("file", file.damage, check.lines + 1)
    header = None if check.streams is None else check.streams.header
    replay = check.replay
    audit = Audit(
        file=path,
        streams=()
        if header is None
        else tuple(
            AuditedStream(
                note.stream,
                note.last,
                note.chain,
                note.stream in header.sessions,
                check.streams.projects.get(note.stream) if check.streams is not None else None,
            )
            for note in header.streams
        ),
        lines=check.lines,
        events=check.counts["events"],
        contents=check.counts["contents"],
        erased=check.erased,
        appends=check.counts["appends"],
        states=0 if replay is None else replay.states,
        states_of_another_fold=header is not None and header.fold != FOLD_VERSION,
        contexts=0 if replay is None else replay.contexts,
        contexts_erased=0 if replay is None else replay.contexts_erased,
        contexts_elsewhere=0 if replay is None else replay.contexts_elsewhere,
        checkpoint=None if check.checkpoint is None else check.checkpoint.checkpoint,
        sha256=check.sha256,
        problem=problem,
    )
    return audit, check
