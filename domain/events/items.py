"""Events of items in general: saved, touched, pinned, removed and returned, compacted, erased, counted again."""

from typing import ClassVar

from pydantic import Field

from backstory.domain.events.base import EventBody
from backstory.domain.log.ranges import from_ranges
from backstory.domain.log.references import ContentRef, PartRef
from backstory.domain.values import MAIN_WINDOW, ItemId, Label, Tokens


class ItemSaved(EventBody):
    """A piece of context was kept: code, an error, a test result, a document section, an artifact, …"""

    type: ClassVar[str] = "item.saved"
    verbs: ClassVar[tuple[str, ...]] = ("brings", "touches", "removes")
    parts: tuple[PartRef, ...]
    """The item's parts, in order."""
    name: Label | None = None
    """Its name."""
    path: Label | None = None
    """The file or address it was saved from."""
    artifact: Label | None = None
    """An id of the caller's, such as IDEA-001."""
    load_layer: int | None = Field(default=None, ge=1, le=3)
    """The load order: 1 always, 2 for the task at hand, 3 when history is asked for."""
    clarity: int | None = Field(default=None, ge=0, le=100)
    """Its clarity, in percent."""
    summary: ContentRef | None = None
    """The summary shown while it is not loaded."""
    project_layer: int | None = Field(default=None, ge=0, le=5)
    """The layer of the project that the artifact belongs to."""
    digest: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    """SHA-256 of the file that it was loaded from."""


class ItemsTouched(EventBody):
    """Items were accessed: found by a search, expanded, loaded, cited or read."""

    type: ClassVar[str] = "items.touched"
    verbs: ClassVar[tuple[str, ...]] = ("touches",)
    items: tuple[ItemId, ...]
    """The items, by the versions that brought them."""
    reason: Label = "loaded"
    """The kind of access: found, expanded, loaded, cited, read, …"""


class ItemsRemoved(EventBody):
    """Items left a window. They stay in the record and can be returned."""

    type: ClassVar[str] = "items.removed"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    items: tuple[ItemId, ...]
    """The items, by the versions that brought them."""
    window: Label | None = None
    """The window they left; None for every window."""
    why: ContentRef | None = None
    """The reason."""


class ItemsReturned(EventBody):
    """Items came back into a window."""

    type: ClassVar[str] = "items.returned"
    verbs: ClassVar[tuple[str, ...]] = ("returns",)
    items: tuple[ItemId, ...]
    """The items, by the versions that brought them."""
    window: Label = MAIN_WINDOW
    """The window they are in again."""


class ItemPinned(EventBody):
    """An item is shown in every context."""

    type: ClassVar[str] = "item.pinned"
    item: ItemId
    """The item."""
    why: ContentRef | None = None
    """The reason."""


class ItemUnpinned(EventBody):
    """An item is no longer in every context."""

    type: ClassVar[str] = "item.unpinned"
    item: ItemId
    """The item."""


class ItemsCompacted(EventBody):
    """Items left a window, and a summary stands for them. One event brings them back."""

    type: ClassVar[str] = "items.compacted"
    verbs: ClassVar[tuple[str, ...]] = ("brings", "removes")
    summary: ContentRef | None = None
    """The summary of the removed items."""
    document: ContentRef | None = None
    """The same as fields, in JSON, for the next compaction to build on."""
    summarized: str = ""
    """The items that the summary tells of, as ranges of versions."""
    dropped: str = ""
    """The items that left without a word, as ranges of versions."""
    kept: str = ""
    """The items that were looked at and stayed, as ranges of versions."""
    window: Label = MAIN_WINDOW
    """The window."""
    algorithm: Label
    """The algorithm that chose the items."""
    policy: Label | None = None
    """The policy's name."""
    policy_version: int | None = None
    """The policy's version."""
    summarizer: Label | None = None
    """The summarizer with its version."""
    model: Label | None = None
    """The model that was asked."""
    fallback: ContentRef | None = None
    """The reason that another summarizer than the configured one wrote it."""
    trigger: Label | None = None
    """The trigger: a zone of the window, a count of messages, a person, …"""
    plan: ItemId | None = None
    """The recorded plan that was carried out, by its version."""
    tokens_before: Tokens | None = None
    """Tokens of the items that left."""
    tokens_after: Tokens | None = None
    """Tokens of the summary."""

    def derived_from(self) -> tuple[int, ...]:
        return from_ranges(self.summarized)

    @property
    def ratio(self) -> float | None:
        """Original by compressed tokens; None where nothing stands for the items."""
        return self.tokens_before / self.tokens_after if self.tokens_before and self.tokens_after else None


class ItemDeprecated(EventBody):
    """An item no longer holds; another may have taken its place."""

    type: ClassVar[str] = "item.deprecated"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    item: ItemId
    """The item that no longer holds."""
    by: ItemId | None = None
    """The item that took its place."""
    why: ContentRef | None = None
    """The reason."""


class ErrorResolved(EventBody):
    """An error that was met is dealt with."""

    type: ClassVar[str] = "error.resolved"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    item: ItemId
    """The error, by the version that met it."""
    how: ContentRef | None = None
    """The resolution."""


class TokensCounted(EventBody):
    """Items were counted in another encoding. Their first count stays beside it."""

    type: ClassVar[str] = "tokens.counted"
    verbs: ClassVar[tuple[str, ...]] = ("counts",)
    encoding: Label
    """The encoding; the counts are in the effects."""


class ContentsErased(EventBody):
    """Contents were erased for good. Their digests stay, so every proof still holds."""

    type: ClassVar[str] = "content.erased"
    item: ItemId
    """The item whose erasure was asked for."""
    erased: tuple[tuple[ItemId, int], ...]
    """Every content that is gone, as (version, part): the item's own, all that had the same bytes, what was made
    from it."""
    why: ContentRef
    """The reason, such as the law or the person who asked."""
