"""The requests of a conversation: messages, and calls of the model."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

from backstory.application.handle import SessionHandle
from backstory.application.writing.messages import parse_message
from backstory.application.writing.new_items import counted_item
from backstory.application.writing.requests import Request
from backstory.domain import events as e
from backstory.domain.commands import facts, items
from backstory.domain.errors import InvalidInput
from backstory.domain.messages.contents import Message
from backstory.domain.messages.usage import read_usage
from backstory.domain.trust import default_origin
from backstory.domain.values import MAIN_WINDOW, Role, build, label
from backstory.infrastructure.llm.prices import price
from backstory.infrastructure.llm.tokens import count_parts

Content = str | Message | Mapping[str, Any]


def message_request(
    handle: SessionHandle,
    content: Content,
    role: Role | str,
    format: Literal["openai", "anthropic"] | None,
    kind: str | None = None,
    importance: float | None = None,
    windows: Sequence[str] = (MAIN_WINDOW,),
    task: str | None = None,
    references: Sequence[int] = (),
    metadata: Mapping[str, Any] | None = None,
) -> Request:
    """Adds a message. One with tool calls opens a tool exchange; one with tool results belongs to the exchange that
    it answers."""
    message = parse_message(content, role, format)
    bundle = handle.bundle()
    said: dict[str, Any] = {
        "role": Role(message.role),
        "parts": bundle.parts("content", message.parts),
        "format": message.format,
        "extras": bundle.message_extras(message),
        "metadata": bundle.json("metadata", _object("metadata", metadata) or message.metadata or None),
    }
    used = [part.call_id for part in message.parts if part.kind == "tool_use" and part.call_id]
    answers = [part.call_id for part in message.parts if part.kind == "tool_result" and part.call_id]
    # A tool that the provider runs itself is called and answered in one message.
    calls = [call for call in used if call not in answers]
    if answers and not used:
        tokens = count_parts(handle.screen.parts(message.parts), handle.encoding())
        origin = handle.provenance.origin or default_origin("tool_exchange", Role.TOOL)
        answer = partial(items.answer_calls, answers=tuple(answers), tokens=tokens, said=said, origin=origin)
        return Request(bundle, answer, handle.provenance)
    type_ = "tool_exchange" if calls else "message"
    item = counted_item(
        handle,
        type_,
        message.parts,
        importance,
        windows,
        role=message.role,
        task=task,
        references=references,
    )
    if calls:
        body = build(e.ToolCalled, calls=tuple(calls), **said)
        return Request(bundle, partial(items.open_exchange, body=body, item=item), handle.provenance)
    added = build(e.MessageAdded, kind=kind, **said)
    return Request(bundle, facts.add_message(added, item), handle.provenance)


def call_request(
    handle: SessionHandle,
    version: int | None,
    tokens: int | None,
    model: str,
    usage: Mapping[str, Any] | object | None,
    provider: str | None,
    parameters: Mapping[str, Any] | None,
    error: str | None = None,
    **told: Any,
) -> Request:
    """Records a call of a model with the context of a version."""
    bundle = handle.bundle()
    counted, raw = read_usage(usage)
    change = facts.note(
        e.ModelCalled,
        model=label("model", model),
        provider=None if provider is None else label("provider", provider),
        assembly=version,
        assembled_tokens=tokens,
        input_tokens=counted.input,
        output_tokens=counted.output,
        cached_tokens=counted.cached,
        cache_write_tokens=counted.cache_write,
        reasoning_tokens=counted.reasoning,
        cost_usd=price(model, provider, counted, handle.provenance.occurred_at),
        usage=None if raw is None else bundle.seal("usage", raw, "application/json"),
        parameters=bundle.json("parameters", _object("parameters", parameters)),
        error=bundle.optional("error", error),
        **told,
    )
    return Request(bundle, change, handle.provenance)


def _object(field: str, value: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    if value is not None and not isinstance(value, Mapping):
        raise InvalidInput(field, f"must be a mapping, got {type(value).__name__}")
    return value
