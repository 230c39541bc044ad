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
    """The phase's name."""


class LayerChanged(EventBody):
    """The project is now looked at on another layer: 0 idea, 1 module, 2 domain, 3 requirement, 4 specification,
    5 code."""

    type: ClassVar[str] = "layer.changed"
    project_layer: int = Field(ge=0, le=5)
    """The layer, 0 to 5."""


class ClarityChanged(EventBody):
    """How clear the work is, in percent."""

    type: ClassVar[str] = "clarity.changed"
    clarity: int = Field(ge=0, le=100)
    """0 to 100."""


class FilesFocused(EventBody):
    """The files the work is about now."""

    type: ClassVar[str] = "files.focused"
    files: tuple[Label, ...]
    """Their paths; an empty list ends the focus."""
    last_edited: Label | None = None
    """The file that was edited last."""
    current_function: Label | None = None
    """The function that is being worked on."""


class CommandExecuted(EventBody):
    """A command was run."""

    type: ClassVar[str] = "command.executed"
    command: ContentRef
    """The command line."""
    exit_code: int | None = None
    """What it ended with; None when it is not known."""


class FileUpdated(EventBody):
    """A file was written."""

    type: ClassVar[str] = "file.updated"
    path: Label
    """The file."""
    checksum: Label | None = None
    """Of the file's new contents, in the caller's notation."""


class CommitMade(EventBody):
    """A commit was made in version control."""

    type: ClassVar[str] = "commit.made"
    commit: Label
    """The commit's id."""
    message: ContentRef | None = None
    """Its message."""


class ErrorMet(EventBody):
    """Something went wrong. The error is an item until it is resolved."""

    type: ClassVar[str] = "error.met"
    verbs: ClassVar[tuple[str, ...]] = ("brings",)
    text: ContentRef
    """What the error says."""
    name: Label | None = None
    """Its kind, such as the exception's class."""


class CheckpointTaken(EventBody):
    """This version has a name."""

    type: ClassVar[str] = "checkpoint.taken"
    verbs: ClassVar[tuple[str, ...]] = ("marks",)
    name: Label
    """The version's name. Names need not be unique."""
    triggers: tuple[Label, ...] = ()
    """What led to it: an interval, a zone of the window, a person, …"""
