"""Sessions that enter and leave a database: imports, exports, purges, retention and files."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document

if TYPE_CHECKING:
    from backstory.application.transfer.export import Exported
    from backstory.application.transfer.importer import Imported


class ImportDocument(Document):
    """A session, or the memory of a project, that was imported."""

    file: Path = Field(description="The file.")
    session: UUID = Field(
        description="The session's id, derived from its id in the file; or that of the project."
    )
    project: str | None = Field(description="The project whose memory it is; null for a session.")
    title: str | None = Field(description="The title, or null.")
    lines: int = Field(description="The number of the file's lines that belong to the session.")
    messages: int = Field(description="The number of messages added.")
    exchanges: int = Field(description="The number of tool exchanges added.")
    compactions: int = Field(description="The number of compactions added.")
    memories: int = Field(description="The number of memories of a project added.")
    kept_as_they_are: int = Field(description="New lines that are kept but became no event of their own.")
    already_there: int = Field(description="Lines that had been imported before.")
    secrets: dict[str, int] = Field(
        description="By flag, such as masked:github-token, how many secrets were found in the new lines."
    )

    @classmethod
    def of(cls, file: Path, done: "Imported") -> "ImportDocument":
        """The document of one imported session."""
        return cls(file=file, **done._asdict())


class ImportsDocument(Document):
    """Sessions that were imported from one file."""

    sessions: list[ImportDocument] = Field(description="The sessions.")


class ExportedStreamDocument(Document):
    """A session, or the memory of a project, in an exported file."""

    session: UUID = Field(description="The session's id, or that of the project.")
    project: str | None = Field(description="The project whose memory it is; null for a session.")
    version: int = Field(description="Its newest version.")
    chain: str = Field(description="The hash of its newest event.")


class ExportDocument(Document):
    """A file that was exported."""

    file: Path = Field(description="The file.")
    sessions: list[UUID] = Field(
        description="The sessions that the export was made for, and the projects, by their ids."
    )
    streams: list[ExportedStreamDocument] = Field(
        description="All that the file holds: memories of projects, then sessions. Forks follow their parents."
    )
    lines: int = Field(description="The number of lines.")
    events: int = Field(description="The number of events.")
    contents: int = Field(description="The number of contents.")
    bytes: int = Field(description="The size before compression.")
    sha256: str = Field(description="SHA-256 of every line except the last, which has the same hash.")

    @classmethod
    def of(cls, done: "Exported") -> "ExportDocument":
        """The document of an export."""
        fields = done._asdict()
        fields["streams"] = [
            ExportedStreamDocument(
                session=end.stream, project=end.project, version=end.version, chain=end.chain
            )
            for end in done.streams
        ]
        return cls(**fields)


class PurgeDocument(Document):
    """A session, or the memory of a project, that was purged."""

    session: UUID = Field(description="The session's id, or that of the project.")
    version: int = Field(description="Its newest version.")
    chain: str = Field(description="Its final hash. An import restores it only with this one.")
    purged_at: datetime = Field(description="The time of the purge.")
    file: Path | None = Field(description="The export, or null.")


class RetentionRuleDocument(Document):
    """A retention rule."""

    project: str = Field(description="The project.")
    action: str = Field(description="purge, erase, or keep, which ends another rule.")
    after_days: int | None = Field(description="Days after a session's last event; null for keep.")
    directory: Path | None = Field(description="The folder for exports of purged sessions, or null.")
    compressed: bool = Field(description="Whether the exports are compressed.")
    set_at: datetime = Field(description="The time at which it was set.")
    set_by: str | None = Field(description="Who set it, or null.")
    keeps_memories: bool = Field(description="Whether memories made from erased sessions are kept.")


class RetentionRulesDocument(Document):
    """Retention rules."""

    rules: list[RetentionRuleDocument] = Field(description="The rules.")


class RetentionStepDocument(Document):
    """A session that a retention rule applies to, or a project with such memories."""

    session: UUID = Field(description="The session's id, or that of the project.")
    project: str = Field(description="Its project.")
    action: str = Field(description="purge or erase.")
    last_activity: datetime = Field(description="The time of its last event.")
    done: bool = Field(description="Whether the action was carried out.")
    file: Path | None = Field(description="The export of a purged session, or null.")
    why_not: str | None = Field(description="The reason why it was not carried out, or null.")
    memories: list[int] = Field(description="The memories of the project that are due; none for a session.")


class EditConflictDocument(Document):
    """An edit of a memory file that met a change of the same memory. Nothing of either is lost."""

    project: str = Field(description="The project.")
    file: str = Field(description="The name of the file.")
    memory: int = Field(description="The memory that was edited.")
    what: str = Field(description="What was done about it.")
    recorded: int | None = Field(
        description="The memory that holds the edit, beside the other one; null for none."
    )


class SyncDocument(Document):
    """Sessions and the memory of projects, written to a folder."""

    directory: Path = Field(description="The folder.")
    sessions: list[UUID] = Field(description="The sessions in it, the most recently active first.")
    written: list[Path] = Field(description="The files that are new or changed.")
    removed: list[Path] = Field(description="The files that were removed.")
    unchanged: int = Field(description="The number of unchanged files.")
    edits: int = Field(
        description="Memories recorded, superseded or forgotten because somebody edited a memory file."
    )
    conflicts: list[EditConflictDocument] = Field(description="Edits that met a change of the same memory.")
    refused: list[str] = Field(
        description="Memory files that cannot be read, each with the line and the rule. They are left as they are."
    )


class RetentionStepsDocument(Document):
    """The sessions that retention rules apply to."""

    steps: list[RetentionStepDocument] = Field(description="A step for each session that was due.")
