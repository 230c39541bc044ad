"""Events of items in general: saved, touched, removed and returned, erased, counted again."""

from typing import ClassVar

from pydantic import Field

from backstory.domain.events.base import EventBody
from backstory.domain.references import ContentRef, PartRef
from backstory.domain.values import MAIN_WINDOW, ItemId, Label


class ItemSaved(EventBody):
    """A piece of context was kept: code, an error, a test result, a document section, an artifact, …"""

    type: ClassVar[str] = "item.saved"
    parts: tuple[PartRef, ...]
    name: Label | None = None
    path: Label | None = None
    artifact: Label | None = None
    """An id of the caller's, such as IDEA-001."""
    load_layer: int | None = Field(default=None, ge=1, le=3)
    clarity: int | None = Field(default=None, ge=0, le=100)
    summary: ContentRef | None = None


class ItemsTouched(EventBody):
    """Items were accessed: found by a query, expanded, loaded or cited."""

    type: ClassVar[str] = "items.touched"
    items: tuple[ItemId, ...]
    reason: Label = "loaded"


class ItemsRemoved(EventBody):
    """Items left a window. They stay in the record and can be returned."""

    type: ClassVar[str] = "items.removed"
    items: tuple[ItemId, ...]
    window: Label | None = None
    why: ContentRef | None = None


class ItemsReturned(EventBody):
    """Items came back into a window."""

    type: ClassVar[str] = "items.returned"
    items: tuple[ItemId, ...]
    window: Label = MAIN_WINDOW


class ItemDeprecated(EventBody):
    """An item no longer holds; another may have taken its place."""

    type: ClassVar[str] = "item.deprecated"
    item: ItemId
    by: ItemId | None = None
    why: ContentRef | None = None


class ErrorResolved(EventBody):
    """An error that was met is dealt with."""

    type: ClassVar[str] = "error.resolved"
    item: ItemId
    how: ContentRef | None = None


class TokensCounted(EventBody):
    """Items were counted in another encoding. Their first count stays beside it."""

    type: ClassVar[str] = "tokens.counted"
    encoding: Label


class ContentErased(EventBody):
    """Contents were erased for good. Their digests stay, so every proof still holds."""

    type: ClassVar[str] = "content.erased"
    item: ItemId
    erased: tuple[tuple[ItemId, int], ...]
    """Every content that is gone, as (version, part): the item's own and all that had the same bytes."""
    why: ContentRef
