"""Events of artifacts: registered, loaded, removed from the list; and what a step back makes invalid."""

from typing import ClassVar
from uuid import UUID

from pydantic import AwareDatetime, Field

from backstory.domain.artifacts.values import ArtifactId, Digest
from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.values import ItemId, Label, Tokens


class ArtifactRegistered(EventBody):
    """The project has this artifact. A later registration of the same id takes its place."""

    type: ClassVar[str] = "artifact.registered"
    artifact: ArtifactId
    """Its id, such as IDEA-001."""
    artifact_type: Label
    """config, idea, module, domain, requirement, specification, code, template, diagram, or another."""
    name: Label
    """Its name."""
    path: Label | None = None
    """Its file, below the project's root."""
    load_layer: int = Field(default=2, ge=1, le=3)
    """The load order: 1 always, 2 for the task at hand, 3 when history is asked for."""
    project_layer: int | None = Field(default=None, ge=0, le=5)
    """The layer of the project it belongs to."""
    summary: ContentRef | None = None
    """What stands in its place while it is not loaded."""
    clarity: int | None = Field(default=None, ge=0, le=100)
    """Its clarity, in percent."""
    parent: ArtifactId | None = None
    """The artifact it was made from."""
    children: tuple[ArtifactId, ...] = ()
    """The artifacts that were made from it."""
    related: tuple[ArtifactId, ...] = ()
    """Artifacts it has to do with."""
    size: int | None = Field(default=None, ge=0)
    """The bytes of its file."""
    tokens: Tokens | None = None
    """The tokens of its file."""
    digest: Digest | None = None
    """SHA-256 of its file."""
    modified: AwareDatetime | None = None
    """The time at which its file was last written."""


class ArtifactRemoved(EventBody):
    """The project has this artifact no longer."""

    type: ClassVar[str] = "artifact.removed"
    artifact: ArtifactId
    """The artifact."""
    why: ContentRef | None = None
    """The reason."""


class ArtifactLoaded(EventBody):
    """A session of the project has the content of an artifact: from here other sessions load the same content."""

    type: ClassVar[str] = "artifact.loaded"
    artifact: ArtifactId
    """The artifact."""
    session: UUID
    """The session."""
    item: ItemId
    """The item of the session that holds it."""
    digest: Digest
    """SHA-256 of the content."""
    size: int = Field(ge=0)
    """Its bytes."""
    tokens: Tokens
    """Its tokens."""


class ProgressInvalidated(EventBody):
    """The session went back to an earlier layer: what was done on the later ones no longer counts."""

    type: ClassVar[str] = "progress.invalidated"
    left_layer: int = Field(ge=0, le=5)
    """The layer that was left."""
    project_layer: int = Field(ge=0, le=5)
    """The layer that the session is on again."""
    versions: str = ""
    """The versions whose work no longer counts, as ranges."""
    artifacts: tuple[ArtifactId, ...] = ()
    """The artifacts of later layers, which have to be looked at again."""
