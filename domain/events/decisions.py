"""Decisions: recorded once and never changed."""

from typing import ClassVar

from backstory.domain.events.base import EventBody
from backstory.domain.references import ContentRef
from backstory.domain.values import Label, Priority


class DecisionRecorded(EventBody):
    """Something was decided. A later decision may overrule it; the record of it stays."""

    type: ClassVar[str] = "decision.recorded"
    text: ContentRef
    rationale: ContentRef | None = None
    alternatives_rejected: tuple[ContentRef, ...] = ()
    impact: tuple[ContentRef, ...] = ()
    priority: Priority = Priority.MEDIUM
    decided_by: Label | None = None
    recorded_by: Label | None = None
