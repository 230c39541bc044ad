"""Events of the conversation: messages, tool exchanges, calls of the model."""

from typing import ClassVar

from pydantic import Field

from backstory.domain.events.base import EventBody, Upcaster
from backstory.domain.log.references import ContentRef, PartRef
from backstory.domain.values import ItemId, Label, Role, Tokens


class MessageBody(EventBody):
    """What messages of every kind have: parts, and the provider's format with what only it knows."""

    role: Role
    """Who speaks: user, agent, system or tool."""
    parts: tuple[PartRef, ...]
    """What is said, in order."""
    format: Label | None = None
    """The provider's format it came in; None for plain text."""
    extras: ContentRef | None = None
    """What only that format knows of the message as a whole."""


class MessageAdded(MessageBody):
    """Somebody said something."""

    type: ClassVar[str] = "message.added"
    verbs: ClassVar[tuple[str, ...]] = ("brings",)
    kind: Label | None = None
    """What sort of message it is: clarification, feedback, plan, …"""


class ToolCalled(MessageBody):
    """The model asked for tools. All calls of one assistant message are one item, which their results extend."""

    type: ClassVar[str] = "tool.called"
    verbs: ClassVar[tuple[str, ...]] = ("brings",)
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
    """A model was called: with what, and what the provider said of it."""

    type: ClassVar[str] = "model.called"
    schema_version: ClassVar[int] = 2
    upcasters: ClassVar[dict[int, Upcaster]] = {1: dict}
    model: Label
    """The model's name, as the provider has it."""
    provider: Label | None = None
    """Who ran it."""
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
    """Why the model stopped, in the provider's word."""
    cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """What the call cost, in US dollars; None where no price is known."""
    usage: ContentRef | None = None
    """The provider's numbers as it gave them, in JSON."""
    parameters: ContentRef | None = None
    """Temperature and the like, as the caller writes them."""
    error: ContentRef | None = None
    """What went wrong, when the call failed."""
