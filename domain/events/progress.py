"""Events of progress: phase, layer, clarity, files, commands, commits, errors, checkpoints."""

from typing import ClassVar

from pydantic import Field

from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.values import MAIN_WINDOW, Label


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
    """The clarity of the work, in percent."""

    type: ClassVar[str] = "clarity.changed"
    clarity: int = Field(ge=0, le=100)
    """0 to 100."""


class FilesFocused(EventBody):
    """The files the work is about now."""

    type: ClassVar[str] = "files.focused"
    files: tuple[Label, ...]
    """The paths of all of them, the newest first."""
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
    """Its exit code; None when it is not known."""


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
    """The text of the error."""
    name: Label | None = None
    """Its kind, such as the exception's class."""


class CheckpointTaken(EventBody):
    """This version has a name, and what a restore is held to."""

    type: ClassVar[str] = "checkpoint.taken"
    verbs: ClassVar[tuple[str, ...]] = ("marks",)
    name: Label
    """The version's name. Names need not be unique."""
    triggers: tuple[Label, ...] = ()
    """The trigger: an interval, a zone of the window, a person, …"""
    state_at: int | None = Field(default=None, ge=0)
    """The version whose state it is of: the one before it. None where it was taken together with other changes, and
    says nothing but its name."""
    state_sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    """The digest of that state. The chain's hash is that of this event."""
    fold_version: int | None = None
    """The fold that made the state; another one gives another digest."""
    window: Label = MAIN_WINDOW
    """The window that the numbers and the conversation are of."""
    phase: Label | None = None
    """The phase of the work."""
    current_task: Label | None = None
    """The task that is worked on."""
    open_tasks: tuple[Label, ...] = ()
    """All tasks that are open, in the order in which they were started."""
    completed_tasks: tuple[Label, ...] = ()
    """The newest completed ones."""
    metrics: dict[Label, int] = Field(default_factory=dict)
    """Tokens, limit, items, decisions, open goals, questions and errors, and the session's counters."""
    conversation: str = ""
    """The messages and tool exchanges in the window, as ranges of versions."""
    files: dict[Label, Label] = Field(default_factory=dict)
    """The checksums of files, by path."""
