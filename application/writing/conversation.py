"""Writes of the conversation: messages, tool exchanges, calls of the model."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

from backstory.conversation import parse_message, tool_result_message, tool_use_message
from backstory.domain import events as e
from backstory.domain.commands import facts, items
from backstory.domain.contents import Message
from backstory.domain.values import (
    MAIN_WINDOW,
    Role,
    build,
    listed,
)
from backstory.drafts import Draft
from backstory.infrastructure.tokens import count_parts
from backstory.writing.base import WriterBase

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
        message = parse_message(content, role, format)
        draft = Draft()
        said: dict[str, Any] = {
            "role": message.role,
            "parts": draft.parts("content", message.parts),
            "format": message.format,
            "extras": draft.message_extras(message),
        }
        used = [part.call_id for part in message.parts if part.kind == "tool_use" and part.call_id]
        answers = [part.call_id for part in message.parts if part.kind == "tool_result" and part.call_id]
        # A tool that the provider runs itself is called and answered in one message.
        calls = [call for call in used if call not in answers]
        if answers and not used:
            tokens = count_parts(message.parts, self._encoding())
            return self._wish(
                draft, partial(items.answer_calls, answers=tuple(answers), tokens=tokens, said=said)
            )
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
            return self._wish(draft, partial(items.open_exchange, body=body, item=item))
        return self._write(draft, facts.add_message(build(e.MessageAdded, kind=kind, **said), item))

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
        model: str,
        *,
        provider: str | None = None,
        request_id: str | None = None,
        message: int | None = None,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        cached_tokens: int | None = None,
        reasoning_tokens: int | None = None,
        latency_ms: float | None = None,
        stop_reason: str | None = None,
        parameters: str | None = None,
        error: str | None = None,
    ) -> int:
        """Records a call of a model, with the provider's own numbers and the message that it led to."""
        draft = Draft()
        change = facts.note(
            e.ModelCalled,
            model=model,
            provider=provider,
            request_id=request_id,
            message=message,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cached_tokens=cached_tokens,
            reasoning_tokens=reasoning_tokens,
            latency_ms=latency_ms,
            stop_reason=stop_reason,
            parameters=draft.optional("parameters", parameters),
            error=draft.optional("error", error),
        )
        return self._write(draft, change)
