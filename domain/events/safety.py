"""Events of safety: items confirmed, quarantined, released, cleared of a suspicion."""

from typing import ClassVar

from backstory.domain.events.base import EventBody
from backstory.domain.events.memory import MemorySource
from backstory.domain.log.references import ContentRef
from backstory.domain.values import ItemId, Label


class ItemsConfirmed(EventBody):
    """Items are trusted from here on, because a person or a second independent source says the same."""

    type: ClassVar[str] = "items.confirmed"
    verbs: ClassVar[tuple[str, ...]] = ("judges",)
    items: tuple[ItemId, ...]
    """The items, by the versions that brought them."""
    person: Label | None = None
    """The person who confirmed them; None where a second source did."""
    witness: MemorySource | None = None
    """The second source: an item of another session, and of another origin."""
    why: ContentRef | None = None
    """The reason."""


class ItemsQuarantined(EventBody):
    """Items were put into quarantine. They stay in the record and are found on request, and stand in no prompt."""

    type: ClassVar[str] = "items.quarantined"
    verbs: ClassVar[tuple[str, ...]] = ("judges", "removes")
    items: tuple[ItemId, ...]
    """The items, by the versions that brought them."""
    why: ContentRef
    """The reason."""


class ItemsReleased(EventBody):
    """Items left quarantine, and are in the windows again that they were in before."""

    type: ClassVar[str] = "items.released"
    verbs: ClassVar[tuple[str, ...]] = ("judges", "returns")
    items: tuple[ItemId, ...]
    """The items, by the versions that brought them."""
    why: ContentRef | None = None
    """The reason."""


class FlagsCleared(EventBody):
    """Somebody looked at what a text was suspected of, and it is not so."""

    type: ClassVar[str] = "flags.cleared"
    verbs: ClassVar[tuple[str, ...]] = ("judges",)
    items: tuple[ItemId, ...]
    """The items, by the versions that brought them."""
    flags: tuple[Label, ...]
    """The flags that they no longer have."""
    why: ContentRef | None = None
    """The reason."""
