"""The record's integrity: verified in the database, audited in a file, and what was erased."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.projections import FindingDocument

if TYPE_CHECKING:
    from backstory.application.contents.erasure import Erased, ErasedContent
    from backstory.application.integrity.findings import Finding
    from backstory.application.transfer.audit import Audit


class VerificationDocument(Document):
    """The result of verifying a session."""

    session: UUID | None = Field(description="The session's id; null for rows that belong to no session.")
    ok: bool = Field(description="Whether the record is intact.")
    version: int | None = Field(description="The newest version; null without a session.")
    events: int = Field(description="The number of events checked.")
    contents: int = Field(description="The number of contents checked.")
    erased: int = Field(description="The number of contents erased by an event.")
    chain: str | None = Field(
        description="The hash of the newest event. Kept elsewhere, it is an anchor for later checks."
    )
    problem: FindingDocument | None = Field(description="The first error found, or null.")
    unprotected: list[str] = Field(
        description="Tables whose triggers or grants are off: they could be changed."
    )
    cannot_see: str = Field(description="The changes that no check inside the database can find.")

    @classmethod
    def of_orphan(cls, finding: "Finding") -> "VerificationDocument":
        """The document of a row that belongs to no session."""
        from backstory.application.integrity.verification import CANNOT_SEE

        return cls(
            session=None,
            ok=False,
            version=None,
            events=0,
            contents=0,
            erased=0,
            chain=None,
            problem=FindingDocument.model_validate(finding),
            unprotected=[],
            cannot_see=CANNOT_SEE,
        )


class StoreVerificationDocument(Document):
    """The result of verifying every session."""

    ok: bool = Field(description="Whether every record is intact and every row belongs to one.")
    sessions: list[VerificationDocument] = Field(description="Each session, and the memory of each project.")
    orphans: list[FindingDocument] = Field(description="The rows that belong to no session.")


class ErasedContentDocument(Document):
    """A content that was erased."""

    session: UUID = Field(description="The session, or the project's stream.")
    version: int = Field(description="The version of the event that has it.")
    part: int = Field(description="Its number in that event.")
    project: str | None = Field(description="The project, if it is of a memory.")


class ErasureDocument(Document):
    """The result of erasing an item's contents."""

    item: int = Field(description="The item.")
    dry_run: bool = Field(description="Whether nothing was written.")
    erased: list[ErasedContentDocument] = Field(description="The contents that were erased.")
    derived: list[ErasedContentDocument] = Field(
        description="Those of them that were derived from it: noticed decisions, summaries, compactions, memories."
    )
    files: list[Path] = Field(
        description="The files in the synced folder that showed it and are written again, if a setting names one."
    )
    events: dict[UUID, int] = Field(description="By session or project: the version of the erasing event.")
    forks: list[UUID] = Field(description="The forks that lose the contents too.")

    @classmethod
    def of(cls, done: "Erased", item: int, dry_run: bool, forks: Iterable[UUID]) -> "ErasureDocument":
        """The document of an erasure."""

        def documents(erased: Iterable["ErasedContent"]) -> list[ErasedContentDocument]:
            return [
                ErasedContentDocument(
                    session=each.stream, version=each.version, part=each.part, project=each.project
                )
                for each in erased
            ]

        return cls(
            item=item,
            dry_run=dry_run,
            erased=documents(done.contents),
            derived=documents(done.derived),
            files=list(done.files),
            events=done.events,
            forks=list(forks),
        )


class AuditedSessionDocument(Document):
    """A session, or the memory of a project, in an exported file."""

    session: UUID = Field(description="The session's id, or that of the project.")
    project: str | None = Field(description="The project whose memory it is; null for a session.")
    version: int = Field(description="Its newest version.")
    chain: str = Field(description="The hash of its newest event.")
    asked_for: bool = Field(description="Whether the export was made for it, and not for a fork of it.")


class FileFindingDocument(FindingDocument):
    """An error in an exported file."""

    line: int | None = Field(description="The line; null where an event differs from its anchor.")


class AuditDocument(Document):
    """The result of auditing an exported file."""

    file: Path = Field(description="The file.")
    ok: bool = Field(description="Whether the file is intact.")
    sessions: list[AuditedSessionDocument] = Field(description="The sessions in it.")
    lines: int = Field(description="The number of lines checked.")
    events: int = Field(description="The number of events.")
    contents: int = Field(description="The number of contents.")
    erased: int = Field(description="The number of contents erased by an event.")
    appends: int = Field(description="The number of idempotency keys.")
    states: int = Field(description="The number of states that were computed again and compared.")
    states_of_another_fold: bool = Field(
        description="Whether another version of the fold made the states, so that they were not compared."
    )
    contexts: int = Field(description="The number of recorded contexts that were built again.")
    contexts_erased: int = Field(description="The number of contexts with erased contents.")
    contexts_elsewhere: int = Field(
        description="The number of contexts with memories of a project that the file does not hold."
    )
    checkpoint: int | None = Field(
        description="The version of the checkpoint that the file is of; null for another export."
    )
    anchored: int = Field(description="The number of anchors that the file was compared with.")
    sha256: str = Field(description="SHA-256 of every line except the last.")
    problem: FileFindingDocument | None = Field(description="The first error found, or null.")
    cannot_see: str = Field(description="The changes that no check of a file alone can find.")

    @classmethod
    def of(cls, audit: "Audit") -> "AuditDocument":
        """The document of an audit."""
        fields = vars(audit) | {"ok": audit.ok}
        fields["sessions"] = [
            AuditedSessionDocument(
                session=one.stream,
                project=one.project,
                version=one.version,
                chain=one.chain,
                asked_for=one.asked_for,
            )
            for one in fields.pop("streams")
        ]
        return cls.model_validate(fields)


class AnchoredDocument(Document):
    """A file of anchors that was written."""

    file: Path = Field(description="The file.")
    anchors: int = Field(description="The number of sessions whose newest chain hash it holds.")
    made_at: datetime = Field(description="The time in it.")
    public_key: str = Field(description="The public key of the signature, in base64.")


class AnchorKeyDocument(Document):
    """The key that signs anchors."""

    file: Path = Field(description="The file of the private key.")
    public_keys_file: Path = Field(description="The file of the public keys, for those who check anchors.")
    public_keys: list[str] = Field(description="The public keys in base64; the newest, which signs, is last.")
