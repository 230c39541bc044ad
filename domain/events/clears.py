"""Events of starting fresh: the window was cleared, and a clear was taken back."""

from typing import ClassVar

from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.values import MAIN_WINDOW, ItemId, Label


class ContextCleared(EventBody):
    """A window was cleared of all items except those that always stay. One event can bring them back."""

    type: ClassVar[str] = "context.cleared"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    items: str
    """The items that left, as ranges of versions."""
    window: Label = MAIN_WINDOW
    """The window."""
    why: ContentRef | None = None
    """The reason."""


class ClearUndone(EventBody):
    """The items that a clear took out of a window are back."""

    type: ClassVar[str] = "clear.undone"
    verbs: ClassVar[tuple[str, ...]] = ("returns",)
    clear: ItemId
    """The clear, by its version."""
    items: str
    """The items that came back, as ranges of versions: those of the clear that were not there already."""
    window: Label = MAIN_WINDOW
    """The window."""
