"""The content blocks of Anthropic's messages, read into parts and written from them.

| block | kind | data | media type |
|---|---|---|---|
| text | text | the text | text/plain |
| thinking | thinking | the thinking; its signature is in extras | text/plain |
| redacted_thinking | thinking | the opaque string | application/octet-stream |
| tool_use, server_tool_use, mcp_tool_use | tool_use | the input as compact JSON | application/json |
| tool_result, …_tool_result of text | tool_result | the text | text/plain |
| tool_result, …_tool_result of anything else | tool_result | the content as JSON | application/json |
| image, document in base64 | image, document | the bytes | as the source says |
| image, document by URL | image, document | the URL | text/uri-list |
| document of text | document | the text | text/plain |
| image, document of any other source | image, document | the whole block | application/json |
| any other | json | the whole block | application/json |
"""

from typing import Any

from backstory.domain.errors import InvalidMessage
from backstory.domain.messages.contents import Part
from backstory.domain.messages.shapes import (
    JSON,
    OPAQUE,
    TEXT,
    URL,
    Shape,
    is_binary,
    is_whole,
    shape_in,
    shaped,
    text_of,
    whole,
)
from backstory.domain.messages.values import (
    dumps,
    from_base64,
    loads,
    required_object,
    required_text,
    to_base64,
)

_OPENAI = ("function", "function_call", "image_url", "input_audio")
"""Types of calls and content parts that OpenAI's format has and this one has not."""
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")


def read_block(block: Any, field: str) -> Part:
    """The part that a block says, with what the part has no place for in its extras."""
    if not isinstance(block, dict):
        raise InvalidMessage(field, "must be an object")
    kind = required_text(block, "type", field)
    if kind == "text":
        part = Part("text", required_text(block, "text", field).encode())
        return shaped(part, block | {"text": None}, usual_block(part))
    if kind == "thinking":
        part = Part("thinking", required_text(block, "thinking", field).encode())
        return shaped(part, block | {"thinking": None}, usual_block(part))
    if kind == "redacted_thinking":
        part = Part("thinking", required_text(block, "data", field).encode(), OPAQUE)
        return shaped(part, block | {"data": None}, usual_block(part))
    if kind in ("image", "document"):
        return _read_source(kind, block, field)
    if kind in _CALLS:
        call_id, name = required_text(block, "id", field), required_text(block, "name", field)
        part = Part("tool_use", dumps(required_object(block, "input", field)), JSON, call_id, name)
        return shaped(part, block | {"id": None, "name": None, "input": None}, usual_block(part))
    if kind.endswith("tool_result"):
        return _read_result(kind, block, field)
    if kind in _OPENAI:
        raise InvalidMessage(f"{field}.type", f"{kind} belongs to a message of the format openai")
    return whole("json", block)


def _read_source(kind: str, block: dict[str, Any], field: str) -> Part:
    source = required_object(block, "source", field)
    field = f"{field}.source"
    match required_text(source, "type", field):
        case "base64":
            media_type = required_text(source, "media_type", field)
            data = from_base64(required_text(source, "data", field)) if is_binary(media_type) else None
            if data is None or (kind == "image" and not media_type.startswith("image/")):
                return whole(kind, block)
            part, leaf = Part(kind, data, media_type), "data"
        case "url":
            part, leaf = Part(kind, required_text(source, "url", field).encode(), URL), "url"
        case "text" if kind == "document" and source.get("media_type") == TEXT:
            part, leaf = Part(kind, required_text(source, "data", field).encode()), "data"
        case _:
            return whole(kind, block)
    return shaped(part, block | {"source": source | {leaf: None}}, usual_block(part))


def _read_result(kind: str, block: dict[str, Any], field: str) -> Part:
    call_id = required_text(block, "tool_use_id", field)
    shape = block | {"tool_use_id": None}
    if "content" in block:
        shape["content"] = None
    content = block.get("content", "")
    if isinstance(content, str):
        part = Part("tool_result", content.encode(), TEXT, call_id)
    elif isinstance(content, list) or kind != "tool_result":
        # Tools that the provider runs answer in shapes of their own: lists, objects, errors.
        part = Part("tool_result", dumps(content), JSON, call_id)
    else:
        raise InvalidMessage(f"{field}.content", "must be a string or a list of blocks")
    return shaped(part, shape, usual_block(part))


def usual_block(part: Part) -> Shape | None:
    """The shape of a block with nothing but what the part holds; None where the format has no such block."""
    match part.kind, part.media_type:
        case "text", _:
            return {"type": "text", "text": None}
        case "thinking", media_type if media_type == OPAQUE:
            return {"type": "redacted_thinking", "data": None}
        case "thinking", _:
            return {"type": "thinking", "thinking": None}
        case "tool_use", _:
            return {"type": "tool_use", "id": None, "name": None, "input": None}
        case "tool_result", _:
            return {"type": "tool_result", "tool_use_id": None, "content": None}
        case ("image" | "document") as kind, media_type if media_type == URL:
            return {"type": kind, "source": {"type": "url", "url": None}}
        case "document", media_type if media_type == TEXT:
            return {"type": "document", "source": {"type": "text", "media_type": TEXT, "data": None}}
        case ("image" | "document") as kind, media_type:
            return {"type": kind, "source": {"type": "base64", "media_type": media_type, "data": None}}
    return None


def write_block(part: Part) -> dict[str, Any] | None:
    """The block that `read_block` made the part of; None for a part that it does not make."""
    if is_whole(part):
        found = loads(part.data)
        return found if isinstance(found, dict) else None
    block = shape_in(part) or usual_block(part)
    if block is None:
        return None
    match part.kind:
        case "text":
            block["text"] = text_of(part)
        case "thinking":
            block["data" if part.media_type == OPAQUE else "thinking"] = text_of(part)
        case "tool_use":
            block |= {"id": part.call_id, "name": part.name, "input": loads(part.data)}
        case "tool_result":
            block["tool_use_id"] = part.call_id
            if "content" in block:
                block["content"] = text_of(part) if part.media_type == TEXT else loads(part.data)
        case _:
            source = block["source"]
            if part.media_type == URL:
                source["url"] = text_of(part)
            else:
                source["data"] = text_of(part) if part.media_type == TEXT else to_base64(part.data)
    return block


def checked_blocks(content: Any, field: str) -> list[Part]:
    """The parts of a message's content, be it text or a list of blocks."""
    if isinstance(content, list):
        return [read_block(block, f"{field}[{n}]") for n, block in enumerate(content)]
    if isinstance(content, str):
        return [Part("text", content.encode())]
    raise InvalidMessage(field, "must be a string or a list of blocks")
