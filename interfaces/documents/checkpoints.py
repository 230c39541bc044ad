"""Checkpoints: taken and restored."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.sessions import WrittenDocument

if TYPE_CHECKING:
    from backstory.application.checkpoints.session_checkpoints import RestoredCheckpoint
    from backstory.application.queries.read_models import Checkpoint


class CheckpointDocument(WrittenDocument):
    """A checkpoint that was taken."""

    name: str = Field(description="Its name.")
    chain: str = Field(description="The hash of the chain there. Kept elsewhere, it proves the record.")
    file: Path | None = Field(description="The file that it was saved to, or null.")


class ListedCheckpointDocument(Document):
    """A checkpoint in a list."""

    version: int = Field(description="The checkpoint's version.")
    name: str = Field(description="Its name.")
    chain: str = Field(description="The hash of the chain there.")
    taken_at: datetime = Field(description="The time at which it was taken.")

    @classmethod
    def of(cls, checkpoint: "Checkpoint") -> "ListedCheckpointDocument":
        """The document of a checkpoint."""
        return cls(**checkpoint._asdict() | {"chain": checkpoint.chain.hex()})


class CheckpointsDocument(Document):
    """The checkpoints of a session."""

    checkpoints: list[ListedCheckpointDocument] = Field(
        description="The checkpoints, abandoned branches included."
    )


class TakenCheckpointDocument(Document):
    """A checkpoint that was due, or none."""

    session: UUID = Field(description="The session's id.")
    version: int | None = Field(description="The checkpoint's version; null if none was due.")
    name: str | None = Field(description="Its name, or null.")
    triggers: list[str] = Field(description="What caused it.")


class CheckpointFileDocument(Document):
    """A checkpoint with everything it holds."""

    session: UUID = Field(description="The session's id.")
    version: int = Field(description="The version that it names.")
    taken_at: datetime = Field(description="The time at which it was taken.")
    chain: str = Field(description="The hash of the chain there.")
    name: str = Field(description="Its name.")
    timestamp: str = Field(description="The time at which it occurred.")
    triggers: list[str] = Field(description="What caused it.")
    context_snapshot: dict[str, Any] = Field(
        description="The whole state, its digest, and the texts it names."
    )
    system_state: dict[str, Any] = Field(
        description="Project, layer, clarity, phase, agents, files in focus."
    )
    task_queue: list[dict[str, Any]] = Field(description="Open tasks, in the order they were started.")
    completed_tasks: list[str] = Field(description="Completed tasks.")
    metrics: dict[str, int] = Field(description="Counts by name.")
    conversation_history: list[dict[str, Any]] = Field(
        description="The messages and summaries in the window."
    )
    file_checksums: dict[str, str] = Field(description="The checksums of files, by path.")


class FileDifferenceDocument(Document):
    """A file that is not as the checkpoint recorded it."""

    path: str = Field(description="The file.")
    kind: str = Field(description="changed, missing, unreadable or unknown.")
    expected: str = Field(description="The recorded checksum.")
    found: str | None = Field(description="The checksum on disk, or null.")


class RestoredCheckpointDocument(Document):
    """A checkpoint that is current again."""

    session: UUID = Field(description="The session's id.")
    version: int = Field(
        description="The backtrack's version; the newest version if the checkpoint was current already."
    )
    checkpoint: int = Field(description="The checkpoint's version.")
    name: str = Field(description="Its name.")
    went_back: bool = Field(description="Whether a backtrack was needed.")
    chain: str = Field(description="The hash of the chain at the checkpoint.")
    state_verified: bool | None = Field(
        description="Whether the state has the recorded digest; null if it cannot be compared."
    )
    files: list[FileDifferenceDocument] = Field(description="The files that differ on disk.")

    @classmethod
    def of(cls, done: "RestoredCheckpoint") -> "RestoredCheckpointDocument":
        """The document of a restored checkpoint."""
        return cls(
            **vars(done)
            | {"files": [FileDifferenceDocument.model_validate(difference) for difference in done.files]},
        )
