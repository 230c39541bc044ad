"""Decisions: recorded once and never changed. Those noticed in messages stand until somebody says otherwise."""

from typing import ClassVar

from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.values import ItemId, Label, Priority


class DecisionRecorded(EventBody):
    """Something was decided. A later decision may overrule it; the record of it stays."""

    type: ClassVar[str] = "decision.recorded"
    verbs: ClassVar[tuple[str, ...]] = ("brings",)
    text: ContentRef
    """What was decided."""
    rationale: ContentRef | None = None
    """Why."""
    alternatives_rejected: tuple[ContentRef, ...] = ()
    """What was considered and not chosen."""
    impact: tuple[ContentRef, ...] = ()
    """What follows from it."""
    priority: Priority = Priority.MEDIUM
    """How much depends on it."""
    decided_by: Label | None = None
    """The person or agent whose decision it is."""
    recorded_by: Label | None = None
    """Who wrote it down."""


class DecisionNoticed(EventBody):
    """A message seems to say that something was decided. Kept like a decision until it is confirmed or dismissed."""

    type: ClassVar[str] = "decision.noticed"
    verbs: ClassVar[tuple[str, ...]] = ("brings",)
    text: ContentRef
    """What was decided, in the message's words."""
    rationale: ContentRef | None = None
    """Why, where the message says it."""
    source: ItemId
    """The message."""
    decided_by: Label | None = None
    """Who said it."""
    noticer: Label
    """What noticed it, with its version."""

    def derived_from(self) -> tuple[int, ...]:
        return (self.source,)


class DecisionConfirmed(EventBody):
    """A noticed decision is one."""

    type: ClassVar[str] = "decision.confirmed"
    decision: ItemId
    """The decision, by the version that noticed it."""


class DecisionDismissed(EventBody):
    """A noticed decision is none. What was noticed stays in the record."""

    type: ClassVar[str] = "decision.dismissed"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    decision: ItemId
    """The decision, by the version that noticed it."""
    why: ContentRef | None = None
    """The reason."""
