"""Events of decisions: recorded, noticed in a message, confirmed, dismissed."""

from typing import ClassVar

from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.values import ItemId, Label, Priority


class DecisionRecorded(EventBody):
    """Something was decided. A later decision may overrule it; the record of it stays."""

    type: ClassVar[str] = "decision.recorded"
    verbs: ClassVar[tuple[str, ...]] = ("brings",)
    text: ContentRef
    """The decision's text."""
    rationale: ContentRef | None = None
    """The rationale."""
    alternatives_rejected: tuple[ContentRef, ...] = ()
    """The alternatives that were not chosen."""
    impact: tuple[ContentRef, ...] = ()
    """The impact."""
    priority: Priority = Priority.MEDIUM
    """Its priority."""
    decided_by: Label | None = None
    """The person or agent whose decision it is."""
    recorded_by: Label | None = None
    """The person or agent that recorded it."""


class DecisionNoticed(EventBody):
    """A message seems to say that something was decided. Kept like a decision until it is confirmed or dismissed."""

    type: ClassVar[str] = "decision.noticed"
    verbs: ClassVar[tuple[str, ...]] = ("brings",)
    text: ContentRef
    """The decision, in the message's words."""
    rationale: ContentRef | None = None
    """The rationale, if the message gives one."""
    source: ItemId
    """The message."""
    decided_by: Label | None = None
    """The person or agent that said it."""
    noticer: Label
    """The rules that found it, with their version."""

    def derived_from(self) -> tuple[int, ...]:
        return (self.source,)


class DecisionConfirmed(EventBody):
    """A noticed decision was confirmed."""

    type: ClassVar[str] = "decision.confirmed"
    decision: ItemId
    """The decision, by the version that noticed it."""


class DecisionDismissed(EventBody):
    """A noticed decision was dismissed. It stays in the record."""

    type: ClassVar[str] = "decision.dismissed"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    decision: ItemId
    """The decision, by the version that noticed it."""
    why: ContentRef | None = None
    """The reason."""
