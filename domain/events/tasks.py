"""Fresh contexts of tasks: what they were made of, and their end."""

from typing import ClassVar

from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.values import Label


class FilesRecorded(EventBody):
    """Texts of a project's files were recorded, as contexts of its tasks show them. A text that the project holds
    already is not recorded again."""

    type: ClassVar[str] = "files.recorded"
    files: tuple[ContentRef, ...]
    """The texts."""


class MaterialGathered(EventBody):
    """The material of a task's fresh context was put together: the context that follows shows it."""

    type: ClassVar[str] = "material.gathered"
    task: Label
    """The task's id."""
    agent: Label | None = None
    """The agent it is for."""
    material: ContentRef
    """The task, the map, the files with the lines that are shown, pieces of code and memories, in JSON. Texts over 1 KB
    are named by their place in the project."""


class ContextReleased(EventBody):
    """The fresh contexts of a task are in use no more."""

    type: ClassVar[str] = "context.released"
    agent: Label | None = None
    """The agent whose context it was; None for all."""
