"""Translation of messages from another format to OpenAI's.

| it says | it becomes |
|---|---|
| system | a `system` message of text |
| text | text |
| tool call | an element of `tool_calls` |
| call that the provider ran itself, and its result | text: no tool message will answer it |
| tool result | a `tool` message of text; a failure begins with `[error]` |
| several results, or results and more, as one message | a `user` message that quotes the results |
| the same, as several | a `tool` message each, then a `user` message with their images and the rest |
| image, audio, file | a content part in `user` messages; elsewhere a note of what stood there |
| thinking | nothing: the API has no place for it |
| unknown content | text with its JSON |
"""

from collections.abc import Iterable
from typing import Any

from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.inner import inner_parts
from backstory.domain.messages.openai_blocks import usual_call, write_content_part
from backstory.domain.messages.prose import answered_call, file_name, prose, result_text, tool_name
from backstory.domain.messages.shapes import TEXT, URL, is_whole, shape_in, text_of

_AUDIO = ("audio/wav", "audio/mpeg")
_CLIENT_CALLS = (None, "tool_use", "function", "custom")


def translated(message: Message) -> dict[str, Any]:
    """The message as one message."""
    if message.role == "agent":
        return _assistant(message.parts)
    if [part.kind for part in message.parts] == ["tool_result"] and message.role != "system":
        return _tool(message.parts[0])
    if message.role == "system":
        return {"role": "system", "content": _content(map(_text_part, message.parts)) or ""}
    return {"role": "user", "content": _content(map(_user_part, message.parts)) or ""}


def translated_all(message: Message) -> list[dict[str, Any]]:
    """The message as one or more, so that every tool result answers its call."""
    results = [part for part in message.parts if part.kind == "tool_result"]
    if not results or message.role in ("agent", "system"):
        return [translated(message)]
    rest = [inner for part in results for inner in inner_parts(part) if inner.kind == "image"]
    rest += [part for part in message.parts if part.kind != "tool_result"]
    content = _content(map(_user_part, rest))
    return [*map(_tool, results), *([{"role": "user", "content": content}] if content else [])]


def _assistant(parts: tuple[Part, ...]) -> dict[str, Any]:
    answered = {part.call_id for part in parts if part.kind == "tool_result"}
    calls = [
        part
        for part in parts
        if part.kind == "tool_use"
        and part.call_id not in answered
        and shape_in(part).get("type") in _CLIENT_CALLS
    ]
    content = _content(_text_part(part) for part in parts if part not in calls)
    message: dict[str, Any] = {"role": "assistant", "content": content or (None if calls else "")}
    if calls:
        message["tool_calls"] = list(map(_call, calls))
    return message


def _tool(part: Part) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": answered_call(part), "content": result_text(part)}


def _call(part: Part) -> dict[str, Any]:
    call = usual_call(part)
    call["id"] = answered_call(part)
    if part.media_type == TEXT:
        call["custom"] = {"name": tool_name(part), "input": text_of(part)}
    else:
        call["function"] = {"name": tool_name(part), "arguments": text_of(part)}
    return call


def _content(blocks: Iterable[dict[str, Any] | None]) -> str | list[dict[str, Any]]:
    """A single text as a string, as most clients write it; empty where nothing is left to say."""
    found = [block for block in blocks if block is not None]
    if len(found) == 1 and found[0]["type"] == "text":
        return str(found[0]["text"])
    return found


def _text_part(part: Part) -> dict[str, Any] | None:
    text = prose(part)
    return {"type": "text", "text": text} if text else None


def _user_part(part: Part) -> dict[str, Any] | None:
    if not _takes(part):
        return _text_part(part)
    block = write_content_part(Part(part.kind, part.data, part.media_type))
    if block and part.kind == "document":
        block["file"]["filename"] = file_name(part) or f"document.{part.media_type.rpartition('/')[2]}"
    return block


def _takes(part: Part) -> bool:
    """Whether the API reads this image, audio or file as it stands."""
    if is_whole(part):
        return False
    match part.kind:
        case "image":
            return part.media_type == URL or part.media_type.startswith("image/")
        case "audio":
            return part.media_type in _AUDIO
        case "document":
            # Files of text go as text, which every model reads.
            return part.media_type not in (TEXT, URL)
    return False
