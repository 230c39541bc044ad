"""Whether an export is what was written: found out from the file alone, with no database anywhere."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from backstory.application.transfer.file_check import Inspection, Reached
from backstory.application.transfer.files import ExportFile, opened
from backstory.application.transfer.flaws import Flaw
from backstory.domain.errors import VerificationFailed
from backstory.domain.fold.evolve import FOLD_VERSION

CANNOT_SEE = "a file that was made up as a whole, or one of an earlier time: only a chain hash kept outside shows those"


class FileProblem(NamedTuple):
    """The first thing that is wrong: on which line, at what, and what."""

    line: int
    where: str
    what: str


class AuditedStream(NamedTuple):
    """One stream of the file: how far it goes, and the chain there."""

    stream: UUID
    version: int
    chain: str
    asked_for: bool
    """Whether the export was made for it, and not for one that began in it."""


@dataclass(frozen=True)
class Audit:
    """The outcome. Of a file with a problem, the numbers say how far the audit came."""

    file: Path
    streams: tuple[AuditedStream, ...] = ()
    lines: int = 0
    events: int = 0
    contents: int = 0
    erased: int = 0
    appends: int = 0
    states: int = 0
    """States at checkpoints, seams and in between that the fold gives again."""
    states_of_another_fold: bool = False
    """Whether the states were noted by another fold than this code's, and so were not compared."""
    contexts: int = 0
    """Recorded contexts that were made again, byte for byte."""
    contexts_erased: int = 0
    """Those that cannot be, since something in them was erased."""
    sha256: str = ""
    problem: FileProblem | None = None
    cannot_see: str = CANNOT_SEE

    @property
    def ok(self) -> bool:
        return self.problem is None

    def require(self) -> "Audit":
        """This, or VerificationFailed with the first thing wrong."""
        if self.problem is not None:
            line, where, what = self.problem
            raise VerificationFailed(f"{self.file.name}, line {line}, {where}: {what}.")
        return self


def audit_export(path: Path | str) -> Audit:
    """Audits an export: the file whole, each chain, every content's digest, the states that the events come to, and the
    hash of every recorded context."""
    place = Path(path)
    with opened(place) as file:
        return audit_opened(file, place)[0]


def audit_opened(
    file: ExportFile, path: Path, *, contexts: bool = True, reached: Reached | None = None
) -> tuple[Audit, Inspection]:
    """The same for a file that is open, and what was learned of it."""
    inspection = Inspection(file, contexts=contexts, reached=reached)
    problem: FileProblem | None = None
    try:
        inspection.run()
    except Flaw as flaw:
        problem = FileProblem(flaw.line, flaw.where, flaw.what)
    except VerificationFailed as refused:
        problem = FileProblem(inspection.lines + 1, "file", str(refused).rstrip("."))
    if file.damage is not None and (problem is None or problem.where == "file"):
        problem = FileProblem(inspection.lines + 1, "file", file.damage)
    header = None if inspection.family is None else inspection.family.header
    streams = () if header is None else header.streams
    meaning = inspection.meaning
    audit = Audit(
        file=path,
        streams=tuple(
            AuditedStream(
                note.stream, note.last, note.chain, header is not None and note.stream in header.sessions
            )
            for note in streams
        ),
        lines=inspection.lines,
        events=inspection.events,
        contents=inspection.contents,
        erased=inspection.erased,
        appends=inspection.appends,
        states=0 if meaning is None else meaning.states,
        states_of_another_fold=header is not None and header.fold != FOLD_VERSION,
        contexts=0 if meaning is None else meaning.contexts,
        contexts_erased=0 if meaning is None else meaning.contexts_erased,
        sha256=inspection.sha256,
        problem=problem,
    )
    return audit, inspection
