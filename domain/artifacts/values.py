"""Artifacts as they are registered."""

import re
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, Field

from backstory.domain.errors import InvalidInput
from backstory.domain.values import Label, Tokens, Value

ESSENTIAL, TASK_SPECIFIC, HISTORICAL = 1, 2, 3
"""The load layers: always, for the task at hand, when history is asked for."""
CONFIG_ID, CONFIG_PATH = "forgemind-config", ".forgemind/config.json"
"""The artifact that the project's configuration is, and its file below the root."""
LAYER_OF_TYPE = {"idea": 0, "module": 1, "domain": 2, "requirement": 3, "specification": 4, "code": 5}
"""The project layer of artifacts of these types, where nothing else is said."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def artifact_id(field: str, text: object) -> str:
    """An id of an artifact. It is also the name of a file."""
    if not isinstance(text, str) or not _ID.fullmatch(text):
        raise InvalidInput(
            field, f"must be letters, digits, '.', '-' and '_', at most 100 of them, got {text!r}"
        )
    return text


def _checked_id(text: str) -> str:
    try:
        return artifact_id("id", text)
    except InvalidInput as error:
        raise ValueError(error.rule) from None


def _path_below(path: str) -> str:
    place = PurePosixPath(path)
    if place.is_absolute() or ".." in place.parts or "\\" in path or not place.parts:
        raise ValueError(f"must be a path below the project's root, got {path!r}")
    return path


ArtifactId = Annotated[str, AfterValidator(_checked_id)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class ArtifactDraft(Value):
    """An artifact as somebody registers it."""

    id: ArtifactId
    """Its id, such as IDEA-001."""
    type: Label
    """config, idea, module, domain, requirement, specification, code, template, diagram, or another."""
    name: Label
    """Its name."""
    path: Annotated[Label, AfterValidator(_path_below)] | None = None
    """Its file, below the project's root; None for what has no file."""
    load_layer: int = Field(default=TASK_SPECIFIC, ge=1, le=3)
    """The load order: 1 always, 2 for the task at hand, 3 when history is asked for."""
    project_layer: int | None = Field(default=None, ge=0, le=5)
    """The layer of the project it belongs to; None for that of its type."""
    summary: str | None = Field(default=None, min_length=1, max_length=2_000)
    """What stands in its place while it is not loaded."""
    clarity: int | None = Field(default=None, ge=0, le=100)
    """Its clarity, in percent."""
    parent: ArtifactId | None = None
    """The artifact it was made from."""
    children: tuple[ArtifactId, ...] = ()
    """The artifacts that were made from it."""
    related: tuple[ArtifactId, ...] = ()
    """Artifacts it has to do with."""

    @property
    def layer(self) -> int | None:
        """The layer of the project it belongs to."""
        return LAYER_OF_TYPE.get(self.type) if self.project_layer is None else self.project_layer


class FileFacts(Value):
    """A file as it was when it was read last."""

    size: int = Field(ge=0)
    """Its bytes."""
    tokens: Tokens
    """Its tokens."""
    digest: Digest
    """SHA-256 of its bytes."""
    modified: AwareDatetime
    """The time at which it was last written."""
