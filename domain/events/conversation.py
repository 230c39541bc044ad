"""Events of the conversation: messages, tool exchanges, calls of the model."""

from typing import ClassVar

from pydantic import Field

from backstory.domain.events.base import EventBody
from backstory.domain.references import ContentRef, PartRef
from backstory.domain.values import ItemId, Label, Role, Tokens


class Said(EventBody):
    """What messages of every kind have: parts, and the provider's format with what only it knows."""

    role: Role
    parts: tuple[PartRef, ...]
    format: Label | None = None
    extras: ContentRef | None = None


class MessageAdded(Said):
    """Somebody said something."""

    type: ClassVar[str] = "message.added"
    kind: Label | None = None
    """What sort of message it is: clarification, feedback, plan, …"""


class ToolCalled(Said):
    """The model asked for tools. All calls of one assistant message are one item, which their results extend."""

    type: ClassVar[str] = "tool.called"
    calls: tuple[Label, ...]
    """The provider's ids of the calls, in order."""


class ToolAnswered(Said):
    """One provider message with results. It belongs to the item of the calls it answers."""

    type: ClassVar[str] = "tool.answered"
    exchange: ItemId
    answers: tuple[Label, ...]


class ModelCalled(EventBody):
    """A model was called: with what, and what the provider said of it."""

    type: ClassVar[str] = "model.called"
    model: Label
    provider: Label | None = None
    request_id: Label | None = None
    message: ItemId | None = None
    """The message the call led to."""
    input_tokens: Tokens | None = None
    output_tokens: Tokens | None = None
    cached_tokens: Tokens | None = None
    reasoning_tokens: Tokens | None = None
    latency_ms: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    stop_reason: Label | None = None
    parameters: ContentRef | None = None
    error: ContentRef | None = None
