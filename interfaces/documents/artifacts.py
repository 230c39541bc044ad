"""Artifacts of projects: registered, loaded, in windows."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import Field

from backstory.interfaces.documents.base import Document

if TYPE_CHECKING:
    from backstory.domain.policies.artifacts import ArtifactPolicy


class ArtifactDocument(Document):
    """A registered artifact of a project."""

    id: str = Field(description="Its id, such as IDEA-001.")
    type: str = Field(
        description="config, idea, module, domain, requirement, specification, code, template, diagram or another."
    )
    name: str = Field(description="Its name.")
    path: str | None = Field(description="Its file, below the project's root; or null.")
    load_layer: int = Field(description="1 always, 2 for the task at hand, 3 when history is asked for.")
    project_layer: int | None = Field(description="The layer of the project it belongs to, 0 to 5; or null.")
    summary: str | None = Field(description="What stands in its place while it is not loaded, or null.")
    clarity: int | None = Field(description="Its clarity in percent, or null.")
    parent: str | None = Field(description="The artifact it was made from, or null.")
    children: list[str] = Field(description="The artifacts that were made from it.")
    related: list[str] = Field(description="Artifacts it has to do with.")
    size: int | None = Field(description="The bytes of its file; null where it was not read yet.")
    tokens: int | None = Field(description="The tokens of its file, or null.")
    digest: str | None = Field(description="SHA-256 of its file, or null.")
    modified: datetime | None = Field(description="The time at which its file was last written, or null.")
    registered_at: datetime = Field(description="The time at which it was registered last.")
    cached: bool = Field(description="Whether its content is at hand from a session that loaded it.")


class ArtifactsDocument(Document):
    """The artifacts of a project."""

    artifacts: list[ArtifactDocument] = Field(description="The artifacts, in the order of their ids.")


class SkippedDocument(Document):
    """An artifact or a file that was passed over."""

    name: str = Field(description="Its id or its path.")
    why: str = Field(description="The reason.")


class ConfiguredDocument(Document):
    """The result of reading a project's configuration."""

    root: str = Field(description="The folder that the artifacts are in.")
    registered: list[str] = Field(description="Artifacts that are new or have changed.")
    unchanged: int = Field(description="The number of artifacts that are as they were.")
    skipped: list[SkippedDocument] = Field(description="Files that were not read.")
    triggers: list[str] = Field(description="The names of the triggers that are on.")


class ScannedDocument(Document):
    """The result of a scan."""

    registered: list[str] = Field(description="Artifacts that are new or whose file has changed.")
    unchanged: int = Field(description="The number of files that are as they were.")
    skipped: list[SkippedDocument] = Field(description="Files that are no artifacts.")


class LoadedDocument(Document):
    """An artifact in a session's window."""

    artifact: str = Field(description="Its id.")
    item: int = Field(description="The item that holds it.")
    source: str = Field(
        description="window: it was there; record: it had been there before; cache: another session had it; disk: its "
        "file was read."
    )
    tokens: int = Field(description="Its tokens.")
    replaced: int | None = Field(description="The item with its earlier content, which left; or null.")


class LoadedArtifactsDocument(Document):
    """The artifacts of a load."""

    loaded: list[LoadedDocument] = Field(description="Those that are in the window now.")
    skipped: list[SkippedDocument] = Field(description="Those that were not loaded.")


class WindowArtifactDocument(Document):
    """An artifact in a session's window, as it is used."""

    artifact: str = Field(description="Its id.")
    item: int = Field(description="The item that holds it.")
    type: str = Field(description="Its type.")
    load_layer: int = Field(description="1 always, 2 for the task at hand, 3 when history is asked for.")
    project_layer: int | None = Field(description="The layer of the project it belongs to, or null.")
    tokens: int = Field(description="Its tokens.")
    digest: str | None = Field(description="SHA-256 of the file that it was loaded from, or null.")
    accesses: int = Field(description="The number of accesses since it was loaded first.")
    touched_at: datetime = Field(description="The time of the last access.")
    invalid: bool = Field(
        description="Whether the session went back to an earlier layer since it was loaded."
    )


class WindowArtifactsDocument(Document):
    """The artifacts in a session's window."""

    artifacts: list[WindowArtifactDocument] = Field(description="In the order in which they came.")


class UnloadedDocument(Document):
    """Artifacts that left a window."""

    artifacts: list[str] = Field(description="Their ids.")


class ArtifactSettingsDocument(Document):
    """Where a project's artifacts are, and the numbers that loads go by."""

    root: str | None = Field(description="The folder that they are in; null where none was set.")
    name: str = Field(description="The policy's name.")
    version: int = Field(description="The policy's version.")
    settings: dict[str, Any] = Field(description="The numbers that differ from the defaults.")

    @classmethod
    def of(cls, root: str | None, policy: "ArtifactPolicy") -> "ArtifactSettingsDocument":
        """The document of a project's settings."""
        return cls(root=root, name=policy.name, version=policy.version, settings=policy.settings())
