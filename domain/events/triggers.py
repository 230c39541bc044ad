"""Events of triggers: fired, acted, stopped."""

from typing import ClassVar, Literal

from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.triggers.values import ActionName, TriggerName
from backstory.domain.values import ItemId, Label


class TriggerFired(EventBody):
    """A change made a trigger's condition true. Its actions follow, each with an event of its own."""

    type: ClassVar[str] = "trigger.fired"
    trigger: TriggerName
    """The trigger."""
    change: ItemId
    """The change, by its version."""
    event: Label
    """The type of the change's event."""
    actions: tuple[ActionName, ...]
    """The actions that it asks for, in order."""


class TriggerActed(EventBody):
    """An action of a trigger was carried out, once."""

    type: ClassVar[str] = "trigger.acted"
    trigger: TriggerName
    """The trigger."""
    fired: ItemId
    """The firing, by its version."""
    action: ActionName
    """The action."""
    outcome: Literal["done", "nothing", "failed"]
    """Whether it did something, found nothing to do, or failed."""
    detail: ContentRef | None = None
    """What it did, or why it failed, in JSON."""


class TriggerStopped(EventBody):
    """A trigger did not fire: it would have fired because of itself, or its condition could not be told."""

    type: ClassVar[str] = "trigger.stopped"
    trigger: TriggerName
    """The trigger."""
    change: ItemId
    """The change, by its version."""
    because: Literal["loop", "condition"]
    """loop: the change follows from an earlier firing of the same trigger; condition: it could not be told."""
    reason: ContentRef | None = None
    """More about it."""
