"""Writes of the conversation: messages, tool exchanges, calls of the model."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from backstory.application.context.reproduce import assembled_tokens
from backstory.application.context.result import Context
from backstory.application.writing.base import WriterBase
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.messages import parse_message, tool_result_message, tool_use_message
from backstory.application.writing.requests import Request
from backstory.domain import events as e
from backstory.domain.commands import contexts, facts, items
from backstory.domain.errors import InvalidInput
from backstory.domain.messages.contents import Message
from backstory.domain.messages.usage import read_usage
from backstory.domain.values import (
    MAIN_WINDOW,
    Role,
    build,
    label,
    listed,
)
from backstory.infrastructure.llm.prices import price
from backstory.infrastructure.llm.tokens import count_parts

Content = str | Message | Mapping[str, Any]


class ConversationWriter(WriterBase):
    """What is said, by whom."""

    def message(
        self,
        content: Content,
        *,
        role: Role | str = Role.USER,
        format: Literal["openai", "anthropic"] | None = None,
        kind: str | None = None,
        importance: float | None = None,
        windows: Sequence[str] = (MAIN_WINDOW,),
        task: str | None = None,
        references: Sequence[int] = (),
    ) -> int:
        """Adds a message: plain text with a role, or a provider's own message with its `format`. One with tool
        calls opens a tool exchange; one with tool results belongs to the exchange that it answers."""
        return self._handle.submit(
            self._message(content, role, format, kind, importance, windows, task, references)
        )

    def _message(
        self,
        content: Content,
        role: Role | str,
        format: Literal["openai", "anthropic"] | None,
        kind: str | None = None,
        importance: float | None = None,
        windows: Sequence[str] = (MAIN_WINDOW,),
        task: str | None = None,
        references: Sequence[int] = (),
    ) -> Request:
        message = parse_message(content, role, format)
        bundle = ContentBundle()
        said: dict[str, Any] = {
            "role": Role(message.role),
            "parts": bundle.parts("content", message.parts),
            "format": message.format,
            "extras": bundle.message_extras(message),
        }
        used = [part.call_id for part in message.parts if part.kind == "tool_use" and part.call_id]
        answers = [part.call_id for part in message.parts if part.kind == "tool_result" and part.call_id]
        # A tool that the provider runs itself is called and answered in one message.
        calls = [call for call in used if call not in answers]
        if answers and not used:
            tokens = count_parts(message.parts, self._encoding())
            answer = partial(items.answer_calls, answers=tuple(answers), tokens=tokens, said=said)
            return Request(bundle, answer, self._provenance)
        type_ = "tool_exchange" if calls else "message"
        item = self._counted_item(
            type_,
            message.parts,
            importance,
            windows,
            role=message.role,
            task=task,
            references=listed("references", references),
        )
        if calls:
            body = build(e.ToolCalled, calls=tuple(calls), **said)
            return Request(bundle, partial(items.open_exchange, body=body, item=item), self._provenance)
        added = build(e.MessageAdded, kind=kind, **said)
        return Request(bundle, facts.add_message(added, item), self._provenance)

    def set_system_prompt(self, text: str) -> int:
        """Sets what every call begins with, in place of the prompt before."""
        bundle = ContentBundle()
        ref = bundle.text("text", text)
        item = self._text_item("system_prompt", [text])
        return self._command(bundle, partial(contexts.set_system_prompt, item=item, text=ref))

    def tool_call(
        self, name: str, arguments: Mapping[str, Any], *, call_id: str, text: str | None = None
    ) -> int:
        """Records that the model called one tool. For parallel calls, give the provider's message to `message`."""
        return self.message(tool_use_message(name, arguments, call_id, text))

    def tool_result(self, call_id: str, result: str, *, is_error: bool = False) -> int:
        """Records what a tool answered. The call must be live."""
        return self.message(tool_result_message(call_id, result, is_error))

    def model_called(
        self,
        assembly: Context | int | None,
        model: str,
        usage: Mapping[str, Any] | object | None = None,
        *,
        provider: str | None = None,
        request_id: str | None = None,
        message: int | None = None,
        latency_ms: float | None = None,
        stop_reason: str | None = None,
        parameters: str | None = None,
        error: str | None = None,
    ) -> int:
        """Records a call of a model: with which assembled context, what the provider counted (its own usage object or
        mapping), which message it led to, and what it cost where a price is known. A context that is to be recorded
        with its answer is recorded with the call."""
        told = {
            "request_id": request_id,
            "message": message,
            "latency_ms": latency_ms,
            "stop_reason": stop_reason,
        }

        def call(version: int | None, tokens: int | None) -> Request:
            return self._call(version, tokens, model, usage, provider, parameters, error, **told)

        if isinstance(assembly, Context) and assembly.version is None and assembly.postponed is not None:
            return self._append_to(assembly, lambda version, after: [call(version, assembly.tokens)])
        return self._handle.submit(call(*self._assembled(assembly)))

    def _append_to(self, context: Context, following: Callable[[int, int], list[Request]]) -> int:
        raise InvalidInput(
            "assembly", "is recorded with its answer, and that by the session, not in a transaction"
        )

    def _call(
        self,
        version: int | None,
        tokens: int | None,
        model: str,
        usage: Mapping[str, Any] | object | None,
        provider: str | None,
        parameters: str | None,
        error: str | None = None,
        **told: Any,
    ) -> Request:
        bundle = ContentBundle()
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
            cost_usd=price(model, provider, counted, self._provenance.occurred_at),
            usage=None if raw is None else bundle.seal("usage", raw, "application/json"),
            parameters=bundle.optional("parameters", parameters),
            error=bundle.optional("error", error),
            **told,
        )
        return Request(bundle, change, self._provenance)

    def _assembled(self, assembly: Context | int | None) -> tuple[int | None, int | None]:
        """An assembled context's version and tokens."""
        if assembly is None:
            return None, None
        version = assembly.version if isinstance(assembly, Context) else assembly
        return version, assembled_tokens(self._runtime, self.id, assembly)
