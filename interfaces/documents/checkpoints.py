"""Checkpoints: taken and restored."""

from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.sessions import WrittenDocument

if TYPE_CHECKING:
    from backstory.application.checkpoints.session_checkpoints import RestoredCheckpoint


class CheckpointDocument(WrittenDocument):
    """A checkpoint that was taken."""

    name: str = Field(description="Its name.")
    chain: str = Field(description="The hash of the chain there. Kept elsewhere, it proves the record.")
    file: Path | None = Field(description="The file that it was saved to, or null.")


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
