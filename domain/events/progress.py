"""Events of progress: phase, layer, clarity, files, commands, commits, errors, checkpoints."""

from typing import ClassVar

from pydantic import Field

from backstory.domain.events.base import EventBody
from backstory.domain.references import ContentRef
from backstory.domain.values import Label


class PhaseChanged(EventBody):
    """The work entered another phase."""

    type: ClassVar[str] = "phase.changed"
    phase: Label


class LayerChanged(EventBody):
    """The project is now looked at on another layer: 0 idea, 1 module, 2 domain, 3 requirement, 4 specification,
    5 code."""

    type: ClassVar[str] = "layer.changed"
    project_layer: int = Field(ge=0, le=5)


class ClarityChanged(EventBody):
    """How clear the work is, in percent."""

    type: ClassVar[str] = "clarity.changed"
    clarity: int = Field(ge=0, le=100)


class FilesFocused(EventBody):
    """The files the work is about now."""

    type: ClassVar[str] = "files.focused"
    files: tuple[Label, ...]
    last_edited: Label | None = None
    current_function: Label | None = None


class CommandExecuted(EventBody):
    """A command was run."""

    type: ClassVar[str] = "command.executed"
    command: ContentRef
    exit_code: int | None = None


class FileUpdated(EventBody):
    """A file was written."""

    type: ClassVar[str] = "file.updated"
    path: Label
    checksum: Label | None = None


class CommitMade(EventBody):
    """A commit was made in version control."""

    type: ClassVar[str] = "commit.made"
    commit: Label
    message: ContentRef | None = None


class ErrorMet(EventBody):
    """Something went wrong. The error is an item until it is resolved."""

    type: ClassVar[str] = "error.met"
    text: ContentRef
    name: Label | None = None


class CheckpointTaken(EventBody):
    """This version has a name."""

    type: ClassVar[str] = "checkpoint.taken"
    name: Label
    triggers: tuple[Label, ...] = ()
