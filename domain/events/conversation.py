"""Events of the conversation: messages, tool exchanges, calls of the model."""

from typing import ClassVar

from pydantic import Field

from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef, PartRef
from backstory.domain.values import ItemId, Label, Role, Tokens


class MessageBody(EventBody):
    """Fields of every kind of message: the parts, and the provider's format with the fields that only it has."""

    role: Role
    """The speaker: user, agent, system or tool."""
    parts: tuple[PartRef, ...]
    """The message's parts, in order."""
    format: Label | None = None
    """The provider's format it came in; None for plain text."""
    extras: ContentRef | None = None
    """Fields of the whole message that only that format has."""
    metadata: ContentRef | None = None
    """The caller's own fields, in JSON. No model is shown them."""


class MessageAdded(MessageBody):
    """A message was added."""

    type: ClassVar[str] = "message.added"
    verbs: ClassVar[tuple[str, ...]] = ("brings", "touches")
    kind: Label | None = None
    """The kind of message: clarification, feedback, plan, …"""


class ToolCalled(MessageBody):
    """The model asked for tools. All calls of one assistant message are one item, which their results extend."""

    type: ClassVar[str] = "tool.called"
    verbs: ClassVar[tuple[str, ...]] = ("brings", "touches")
    calls: tuple[Label, ...]
    """The provider's ids of the calls, in order."""


class ToolAnswered(MessageBody):
    """One provider message with results. It belongs to the item of the calls it answers."""

    type: ClassVar[str] = "tool.answered"
    verbs: ClassVar[tuple[str, ...]] = ("extends",)
    exchange: ItemId
    """The item of the calls."""
    answers: tuple[Label, ...]
    """The provider's ids of the calls that are answered."""


class ModelCalled(EventBody):
    """A model was called. Records the context, the provider's numbers and the result."""

    type: ClassVar[str] = "model.called"
    model: Label
    """The model's name, as the provider has it."""
    provider: Label | None = None
    """The provider that ran it."""
    request_id: Label | None = None
    """The provider's id of the call."""
    assembly: ItemId | None = None
    """The assembled context that was sent, by its version."""
    assembled_tokens: Tokens | None = None
    """The tokens of that context, as they were counted here."""
    message: ItemId | None = None
    """The message the call led to."""
    input_tokens: Tokens | None = None
    """Tokens of the prompt, as the provider counted them."""
    output_tokens: Tokens | None = None
    """Tokens of the answer, thinking included where the provider does so."""
    cached_tokens: Tokens | None = None
    """Of the input tokens, those that came from the provider's cache."""
    cache_write_tokens: Tokens | None = None
    """Of the input tokens, those that the provider has put into its cache."""
    reasoning_tokens: Tokens | None = None
    """Tokens spent on thinking."""
    latency_ms: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Milliseconds from the request to the whole answer."""
    stop_reason: Label | None = None
    """The stop reason, in the provider's word."""
    cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """The price of the call, in US dollars; None if no price is known."""
    usage: ContentRef | None = None
    """The provider's numbers as it gave them, in JSON."""
    parameters: ContentRef | None = None
    """Temperature and the like, in JSON."""
    error: ContentRef | None = None
    """The error, if the call failed."""
