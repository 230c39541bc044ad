"""Messages in and out: plain text and providers' formats become neutral messages, and back."""

import json
from collections.abc import Mapping
from typing import Any

from backstory.domain import messages as formats
from backstory.domain.errors import BackstoryError, InvalidInput, InvalidMessage
from backstory.domain.messages.contents import Message, Part, text_bytes
from backstory.domain.values import Role, label, listed

_ROLES = frozenset(Role)


def parse_message(content: object, role: Role | str, format: str | None) -> Message:
    """A neutral message that says something."""
    if isinstance(content, Message):
        message = _well_formed(content)
    elif isinstance(content, str):
        if format is not None:
            raise InvalidInput("format", "belongs to a provider's message, not to plain text")
        message = Message(str(role), (Part("text", text_bytes("content", content)),))
    elif isinstance(content, Mapping) or hasattr(content, "model_dump"):
        if format is None:
            raise InvalidInput("format", "must name the provider's format: openai or anthropic")
        message = formats.parse(format, content)
    else:
        raise InvalidInput("content", f"must be text or a message, got {type(content).__name__}")
    if message.role not in _ROLES:
        raise InvalidInput("role", f"must be one of {', '.join(Role)}, got {message.role!r}")
    if message.role == Role.TOOL and not any(part.kind == "tool_result" for part in message.parts):
        raise InvalidInput("role", "a message of role tool must have a tool result")
    if not any(part.data or part.kind in ("tool_use", "tool_result") for part in message.parts):
        raise InvalidInput("content", "must not be empty")
    return message


def _well_formed(message: Message) -> Message:
    """A neutral message that a caller has put together, if it has the form that a parsed one would have."""
    if not isinstance(message.role, str):
        raise InvalidInput("role", f"must be text, got {type(message.role).__name__}")
    for place, part in enumerate(listed("parts", message.parts)):
        if not isinstance(part, Part):
            raise InvalidInput(f"parts[{place}]", f"must be a Part, got {type(part).__name__}")
        if not isinstance(part.data, bytes):
            raise InvalidInput(f"parts[{place}].data", f"must be bytes, got {type(part.data).__name__}")
    try:
        dict(message.metadata)
    except (TypeError, ValueError):
        raise InvalidInput("message.metadata_json", "must be the JSON of an object") from None
    if message.format is not None and message.format not in formats.FORMATS:
        raise InvalidInput("format", f"must be one of {', '.join(formats.FORMATS)}")
    for name in formats.FORMATS:
        # What cannot be said in a provider's format would spoil every later reading of the conversation in it.
        try:
            formats.render(message, name)
        except (BackstoryError, LookupError, TypeError, ValueError, AttributeError, RecursionError):
            raise InvalidMessage(
                "message", f"cannot be said in the format of {name}: check parts and extras"
            ) from None
    return message


def tool_use_message(name: str, arguments: Mapping[str, Any], call_id: str, text: str | None) -> Message:
    if not isinstance(arguments, Mapping):
        raise InvalidInput("arguments", f"must be a mapping, got {type(arguments).__name__}")
    try:
        data = json.dumps(dict(arguments), ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput("arguments", f"must be JSON: {error}") from None
    use = Part(
        "tool_use", data, "application/json", call_id=label("call_id", call_id), name=label("name", name)
    )
    said = () if text is None else (Part("text", text_bytes("text", text)),)
    return Message(Role.AGENT, (*said, use))


def tool_result_message(call_id: str, result: str, is_error: bool) -> Message:
    extras = json.dumps({"is_error": True}).encode() if is_error else None
    if not isinstance(result, str):
        raise InvalidInput("result", f"must be text, got {type(result).__name__}")
    part = Part("tool_result", text_bytes("result", result), call_id=label("call_id", call_id), extras=extras)
    return Message(Role.TOOL, (part,))
