"""Messages in the format of OpenAI's Chat Completions API.

`render(parse(m))` is `m` for every message of the format. What becomes of one that came in another format
is said in `openai_translation`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from backstory.domain.errors import InvalidMessage
from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.openai_blocks import (
    read_call,
    read_content_part,
    write_call,
    write_content_part,
)
from backstory.domain.messages.openai_translation import translated, translated_all
from backstory.domain.messages.shapes import (
    JSON,
    OPAQUE,
    TEXT,
    Shape,
    is_whole,
    refuse_repeated_calls,
    shape_in,
    shaped,
    text_of,
    unusual,
    whole,
)
from backstory.domain.messages.values import (
    dumps,
    from_base64,
    json_object,
    loads,
    required_text,
    to_base64,
)

FORMAT = "openai"

_NEUTRAL_ROLES = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "agent",
    "tool": "tool",
    "function": "tool",
}
_ROLES = {"system": "system", "user": "user", "agent": "assistant", "tool": "tool"}


def parse(message: Mapping[str, Any] | object, field: str = "message") -> Message:
    """The neutral message. SDK objects are read as the API sent them; errors call the message `field`.

    Parts stand in this order, whatever the order of keys: content, refusal, audio, function call, tool calls.
    """
    given = json_object(message, field)
    role = required_text(given, "role", field)
    if role not in _NEUTRAL_ROLES:
        raise InvalidMessage(f"{field}.role", f"must be one of {', '.join(_NEUTRAL_ROLES)}")
    if role in ("tool", "function"):
        parts, shape = _read_result(given, role, field)
    else:
        parts, hollow = _read_content(given, role, field)
        if role == "assistant":
            for slot, read in _ASSISTANT_SLOTS.items():
                if given.get(slot) is not None:
                    more, hollow[slot] = read(given[slot], f"{field}.{slot}")
                    parts += more
        shape = given | hollow
    refuse_repeated_calls(parts, f"{field}.tool_calls")
    neutral = _NEUTRAL_ROLES[role]
    return Message(neutral, tuple(parts), FORMAT, unusual(shape, _usual_shape(neutral, parts)))


def render(message: Message) -> dict[str, Any]:
    """The message as the API takes it: equal to what was parsed, or translated from another format."""
    return (_restored(message) if message.format == FORMAT else None) or translated(message)


def render_all(message: Message) -> list[dict[str, Any]]:
    """The messages that say what this one says: more than one where it brings several tool results."""
    restored = _restored(message) if message.format == FORMAT else None
    return [restored] if restored is not None else translated_all(message)


def _read_content(given: dict[str, Any], role: str, field: str) -> tuple[list[Part], Shape]:
    content, field = given.get("content"), f"{field}.content"
    if isinstance(content, str):
        return [Part("text", content.encode())], {"content": ""}
    if isinstance(content, list):
        parts = [read_content_part(block, f"{field}[{n}]") for n, block in enumerate(content)]
        return parts, {"content": [None] * len(parts)}
    if content is None and role == "assistant":
        return [], {}
    if "content" not in given:
        raise InvalidMessage(field, "is missing")
    raise InvalidMessage(field, "must be a string or a list of content parts")


def _read_result(given: dict[str, Any], role: str, field: str) -> tuple[list[Part], Shape]:
    link = "tool_call_id" if role == "tool" else "name"
    call = required_text(given, link, field)
    if "content" not in given:
        raise InvalidMessage(f"{field}.content", "is missing")
    content = given["content"]
    # A function's result may be null, as its type says; a tool's may not.
    if not isinstance(content, str | list) and (content is not None or role == "tool"):
        raise InvalidMessage(f"{field}.content", "must be a string or a list of content parts")
    data, media_type = (content.encode(), TEXT) if isinstance(content, str) else (dumps(content), JSON)
    call_id, name = (call, None) if role == "tool" else (None, call)
    return [Part("tool_result", data, media_type, call_id, name)], given | {link: "", "content": ""}


def _read_refusal(refusal: Any, field: str) -> tuple[list[Part], Any]:
    if not isinstance(refusal, str):
        raise InvalidMessage(field, "must be a string")
    return [Part("text", refusal.encode())], ""


def _read_audio(audio: Any, field: str) -> tuple[list[Part], Any]:
    """Spoken answers: an id alone when sent back, with data and transcript as the API gave them."""
    if not isinstance(audio, dict):
        raise InvalidMessage(field, "must be an object")
    data = from_base64(audio["data"]) if isinstance(audio.get("data"), str) else None
    if data is None:
        return [whole("audio", audio)], {}
    # The format was in the request and is not said again here.
    return [shaped(Part("audio", data, OPAQUE), audio | {"data": None}, None)], {}


def _read_function_call(call: Any, field: str) -> tuple[list[Part], Any]:
    if not isinstance(call, dict):
        raise InvalidMessage(field, "must be an object")
    name, arguments = required_text(call, "name", field), required_text(call, "arguments", field)
    part = Part("tool_use", arguments.encode(), JSON, None, name)
    return [shaped(part, call | _EMPTY_FUNCTION_CALL, _EMPTY_FUNCTION_CALL)], {}


def _read_calls(calls: Any, field: str) -> tuple[list[Part], Any]:
    if not isinstance(calls, list):
        raise InvalidMessage(field, "must be a list of tool calls")
    return [read_call(call, f"{field}[{n}]") for n, call in enumerate(calls)], [None] * len(calls)


_EMPTY_FUNCTION_CALL = {"name": None, "arguments": None}

# In the order in which their parts stand.
_ASSISTANT_SLOTS = {
    "refusal": _read_refusal,
    "audio": _read_audio,
    "function_call": _read_function_call,
    "tool_calls": _read_calls,
}


def _usual_shape(role: str, parts: Sequence[Part]) -> Shape:
    """The shape that most messages with these parts have."""
    if role == "tool":
        link = "name" if parts and parts[0].call_id is None else "tool_call_id"
        return {"role": "tool" if link == "tool_call_id" else "function", link: "", "content": ""}
    calls = [part for part in parts if part.kind == "tool_use"] if role == "agent" else []
    said = len(parts) - len(calls)
    plain = said == 1 and parts[0].kind == "text" and parts[0].extras is None
    shape: Shape = {"role": _ROLES[role], "content": "" if plain else [None] * said}
    if role == "agent" and not said:
        shape["content"] = None
    if len(calls) == 1 and calls[0].call_id is None:
        shape["function_call"] = {}
    elif calls:
        shape["tool_calls"] = [None] * len(calls)
    return shape


def _restored(message: Message) -> dict[str, Any] | None:
    """The message as it was parsed; None where its parts are no longer those of its shape."""
    shape = shape_in(message) or _usual_shape(message.role, message.parts)
    role, parts = shape.get("role"), list(message.parts)
    if role in ("tool", "function"):
        if [part.kind for part in parts] != ["tool_result"]:
            return None
        content = text_of(parts[0]) if parts[0].media_type == TEXT else loads(parts[0].data)
        link = {"tool_call_id": parts[0].call_id} if role == "tool" else {"name": parts[0].name}
        return shape | link | {"content": content}
    for slot in ("content", *(_ASSISTANT_SLOTS if role == "assistant" else ())):
        hollow = shape.get(slot)
        if hollow is None:
            continue
        count = len(hollow) if isinstance(hollow, list) else 1
        taken, parts = parts[:count], parts[count:]
        if len(taken) < count:
            return None
        filled = [_write_slot(slot, part, hollow) for part in taken]
        if None in filled:
            return None
        shape[slot] = filled if isinstance(hollow, list) else filled[0]
    return None if parts else shape


def _write_slot(slot: str, part: Part, hollow: Any) -> Any:
    if hollow == "":
        return text_of(part) if part.kind == "text" else None
    match slot:
        case "content":
            return write_content_part(part)
        case "tool_calls":
            return write_call(part)
        case "audio":
            return loads(part.data) if is_whole(part) else shape_in(part) | {"data": to_base64(part.data)}
    return (shape_in(part) or dict(_EMPTY_FUNCTION_CALL)) | {"name": part.name, "arguments": text_of(part)}
