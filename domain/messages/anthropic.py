"""Messages in the format of Anthropic's Messages API.

`render(parse(m))` is `m` for every message of the format. A message of another format is translated:

| it says | it becomes |
|---|---|
| system, developer | a `system` message of text |
| text, refusal | a text block; empty ones are left out, since the API refuses them |
| tool call | `tool_use`; arguments that are no JSON object are wrapped as `{"input": …}` |
| tool result | a `user` message with a `tool_result` block, its own blocks translated too |
| image, PDF, text document | an image or document block, in `user` messages |
| audio, other files, images elsewhere | a text block: the transcript, or a note of what stood there |
| thinking | nothing: it is refused without the signature that another provider cannot give |
| unknown content | a text block with its JSON |
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from backstory.domain.errors import InvalidMessage
from backstory.domain.messages.anthropic_blocks import checked_blocks, usual_block, write_block
from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.inner import inner_parts
from backstory.domain.messages.prose import answered_call, file_name, prose, tool_name
from backstory.domain.messages.shapes import (
    JSON,
    TEXT,
    URL,
    Shape,
    is_whole,
    refuse_repeated_calls,
    shape_in,
    text_of,
    unusual,
)
from backstory.domain.messages.values import foreign_json, json_object, required_text

FORMAT = "anthropic"

_NEUTRAL_ROLES = {"user": "user", "assistant": "agent", "system": "system"}
_ROLES = {"user": "user", "agent": "assistant", "system": "system", "tool": "user"}
_OPENAI = ("tool_calls", "function_call", "tool_call_id")
"""Fields that hold tool calls and results in OpenAI's format, where here blocks do."""
IMAGES = ("image/jpeg", "image/png", "image/gif", "image/webp")


def parse(message: Mapping[str, Any] | object, field: str = "message") -> Message:
    """The neutral message. SDK objects are read as the API sent them; errors call the message `field`.

    A user message of nothing but tool results has the role "tool".
    """
    given = json_object(message, field)
    role = required_text(given, "role", field)
    if role not in _NEUTRAL_ROLES:
        raise InvalidMessage(f"{field}.role", f"must be one of {', '.join(_NEUTRAL_ROLES)}")
    if "content" not in given:
        raise InvalidMessage(f"{field}.content", "is missing")
    for name in _OPENAI:
        if given.get(name) is not None:
            raise InvalidMessage(f"{field}.{name}", "belongs to a message of the format openai")
    content = given["content"]
    parts = checked_blocks(content, f"{field}.content")
    refuse_repeated_calls(parts, f"{field}.content")
    answers = role == "user" and parts and all(part.kind == "tool_result" for part in parts)
    neutral = "tool" if answers else _NEUTRAL_ROLES[role]
    shape = given | {"content": "" if isinstance(content, str) else [None] * len(parts)}
    return Message(neutral, tuple(parts), FORMAT, unusual(shape, _usual_shape(neutral, parts)))


def render(message: Message) -> dict[str, Any]:
    """The message as the API takes it: equal to what was parsed, or translated from another format."""
    return _restored(message) if message.format == FORMAT else _translated(message)


def _usual_shape(role: str, parts: Sequence[Part]) -> Shape:
    plain = len(parts) == 1 and parts[0].kind == "text" and parts[0].extras is None
    return {"role": _ROLES[role], "content": "" if plain else [None] * len(parts)}


def _restored(message: Message) -> dict[str, Any]:
    """The message as it was parsed. Parts put in place of others since then are written as blocks too."""
    shape = shape_in(message) or _usual_shape(message.role, message.parts)
    if shape.get("content") == "" and [part.kind for part in message.parts] == ["text"]:
        return shape | {"content": text_of(message.parts[0])}
    role = _ROLES.get(message.role, "user")
    blocks = [write_block(part) or _translated_block(part, role) for part in message.parts]
    return shape | {"content": [block for block in blocks if block is not None]}


def _translated(message: Message) -> dict[str, Any]:
    role = _ROLES.get(message.role, "user")
    return {"role": role, "content": _content(message.parts, role)}


def _content(parts: Iterable[Part], role: str) -> str | list[dict[str, Any]]:
    """A single text as a string, as most clients write it."""
    blocks = [block for part in parts if (block := _translated_block(part, role)) is not None]
    if len(blocks) == 1 and blocks[0]["type"] == "text":
        return str(blocks[0]["text"])
    return blocks or ""


def _translated_block(part: Part, role: str) -> dict[str, Any] | None:
    if part.kind == "tool_use" and role == "assistant":
        arguments = foreign_json(part.data) if part.media_type == JSON else None
        wrapped = arguments if isinstance(arguments, dict) else {"input": text_of(part)}
        return {"type": "tool_use", "id": answered_call(part), "name": tool_name(part), "input": wrapped}
    if part.kind == "tool_result" and role == "user":
        return {
            "type": "tool_result",
            "tool_use_id": answered_call(part),
            "content": _content(inner_parts(part), role),
        }
    if role == "user" and _takes(part):
        block = write_block(Part(part.kind, part.data, part.media_type))
        title = file_name(part)
        return block | {"title": title} if block and title else block
    text = prose(part)
    return {"type": "text", "text": text} if text else None


def _takes(part: Part) -> bool:
    """Whether the API reads this image or document as it stands."""
    if is_whole(part) or usual_block(part) is None:
        return False
    if part.kind == "image":
        return part.media_type in (*IMAGES, URL)
    return part.kind == "document" and part.media_type in ("application/pdf", TEXT, URL)
