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
    """A message seems to say that something was decided. It is a candidate: no decision until it is confirmed."""

    type: ClassVar[str] = "decision.noticed"
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
    """A candidate was confirmed. From here on it is a decision like any other."""

    type: ClassVar[str] = "decision.confirmed"
    verbs: ClassVar[tuple[str, ...]] = ("brings",)
    candidate: ItemId
    """The candidate, by the version that noticed it."""
    text: ContentRef
    """The decision's text."""
    rationale: ContentRef | None = None
    """The rationale."""
    decided_by: Label | None = None
    """The person or agent whose decision it is."""

    def derived_from(self) -> tuple[int, ...]:
        return (self.candidate,)


class DecisionDismissed(EventBody):
    """A candidate was dismissed. It stays in the record."""

    type: ClassVar[str] = "decision.dismissed"
    candidate: ItemId
    """The candidate, by the version that noticed it."""
    why: ContentRef | None = None
    """The reason."""
