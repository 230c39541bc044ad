"""Decisions: recorded once and never changed."""

from typing import ClassVar

from backstory.domain.events.base import EventBody
from backstory.domain.references import ContentRef
from backstory.domain.values import Label, Priority


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
