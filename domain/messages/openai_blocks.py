"""Content parts and tool calls of OpenAI's Chat Completions, read into parts and written from them.

| content part or call | kind | data | media type |
|---|---|---|---|
| text, refusal | text | the text | text/plain |
| image_url with a data URL | image | the bytes | as the data URL says |
| image_url with a web address | image | the URL | text/uri-list |
| input_audio | audio | the bytes | audio/wav, audio/mpeg, … |
| file with file_data | document | the bytes | as the data URL or the file's name says |
| function call | tool_use | the arguments as the model wrote them, JSON or not | application/json |
| custom tool call | tool_use | the input | text/plain |
| image, audio or file of any other form | image, audio, document | the whole part | application/json |
| any other | json | the whole part or call | application/json |
"""

import re
from dataclasses import replace
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
from backstory.domain.messages.values import from_base64, loads, required_object, required_text, to_base64

_DATA_URL = re.compile(r"(data:([^,;]+)(?:;[^,;]+)*;base64,)(.*)", re.DOTALL)
_AUDIO_TYPES = {"mp3": "audio/mpeg"}
_AUDIO_FORMATS = {media_type: name for name, media_type in _AUDIO_TYPES.items()}


def read_content_part(block: Any, field: str) -> Part:
    """The part that an element of a message's content says."""
    if not isinstance(block, dict):
        raise InvalidMessage(field, "must be an object")
    match required_text(block, "type", field):
        case "text":
            part, shape = Part("text", required_text(block, "text", field).encode()), block | {"text": None}
        case "refusal":
            part = Part("text", required_text(block, "refusal", field).encode())
            shape = block | {"refusal": None}
        case "image_url":
            return _read_image(block, field)
        case "input_audio":
            return _read_audio(block, field)
        case "file":
            return _read_file(block, field)
        case kind if kind.endswith(("tool_use", "tool_result")) or isinstance(block.get("source"), dict):
            raise InvalidMessage(f"{field}.type", f"{kind} belongs to a message of the format anthropic")
        case _:
            return whole("json", block)
    return shaped(part, shape, usual_content_part(part))


def _read_image(block: dict[str, Any], field: str) -> Part:
    image = required_object(block, "image_url", field)
    url = required_text(image, "url", f"{field}.image_url")
    if url.startswith(("https://", "http://")):
        part, rest = Part("image", url.encode(), URL), ""
    else:
        prefix, media_type, data = _split_data_url(url)
        if data is None or not media_type.startswith("image/"):
            return whole("image", block)
        part, rest = Part("image", data, media_type), prefix
    return shaped(part, block | {"image_url": image | {"url": rest}}, usual_content_part(part))


def _read_audio(block: dict[str, Any], field: str) -> Part:
    audio = required_object(block, "input_audio", field)
    data = from_base64(required_text(audio, "data", f"{field}.input_audio"))
    name = required_text(audio, "format", f"{field}.input_audio")
    media_type = _AUDIO_TYPES.get(name, f"audio/{name}")
    if data is None or not is_binary(media_type):
        return whole("audio", block)
    part = Part("audio", data, media_type)
    return shaped(part, block | {"input_audio": audio | {"data": None}}, usual_content_part(part))


def _read_file(block: dict[str, Any], field: str) -> Part:
    file = required_object(block, "file", field)
    if "file_data" not in file:
        return whole("document", block)
    text = required_text(file, "file_data", f"{field}.file")
    prefix, media_type, data = _split_data_url(text)
    if data is None and not text.startswith("data:"):
        data, media_type = from_base64(text), _media_type_by_name(file.get("filename"))
    if data is None:
        return whole("document", block)
    part = Part("document", data, media_type)
    return shaped(part, block | {"file": file | {"file_data": prefix}}, usual_content_part(part))


def _split_data_url(url: str) -> tuple[str, str, bytes | None]:
    """The text before the data, the media type, the bytes; no bytes if they could not be restored."""
    found = _DATA_URL.fullmatch(url)
    if found is None or not is_binary(found[2]):
        return "", "", None
    return found[1], found[2], from_base64(found[3])


def _media_type_by_name(filename: Any) -> str:
    return "application/pdf" if isinstance(filename, str) and filename.lower().endswith(".pdf") else OPAQUE


def usual_content_part(part: Part) -> Shape | None:
    match part.kind, part.media_type:
        case "text", _:
            return {"type": "text", "text": None}
        case "image", media_type if media_type == URL:
            return {"type": "image_url", "image_url": {"url": ""}}
        case "image", media_type:
            return {"type": "image_url", "image_url": {"url": f"data:{media_type};base64,"}}
        case "audio", media_type if media_type.startswith("audio/"):
            name = _AUDIO_FORMATS.get(media_type, media_type.partition("/")[2])
            return {"type": "input_audio", "input_audio": {"data": None, "format": name}}
        case "document", media_type:
            return {"type": "file", "file": {"file_data": f"data:{media_type};base64,"}}
    return None


def write_content_part(part: Part) -> dict[str, Any] | None:
    """The element that `read_content_part` made the part of; None for a part that it does not make."""
    if is_whole(part):
        found = loads(part.data)
        return found if isinstance(found, dict) else None
    usual = usual_content_part(part)
    if usual is None:
        return None
    block = shape_in(part) or usual
    match part.kind:
        case "text":
            block["refusal" if block.get("type") == "refusal" else "text"] = text_of(part)
        case "image" if part.media_type == URL:
            block["image_url"]["url"] = text_of(part)
        case "image":
            block["image_url"]["url"] += to_base64(part.data)
        case "audio":
            block["input_audio"]["data"] = to_base64(part.data)
        case _:
            block["file"]["file_data"] += to_base64(part.data)
    return block


def read_call(call: Any, field: str) -> Part:
    """The part that an element of `tool_calls` says."""
    if not isinstance(call, dict):
        raise InvalidMessage(field, "must be an object")
    kind, call_id = required_text(call, "type", field), required_text(call, "id", field)
    if kind not in ("function", "custom"):
        return replace(whole("json", call), call_id=call_id)
    inner = required_object(call, kind, field)
    name = required_text(inner, "name", f"{field}.{kind}")
    leaf = "arguments" if kind == "function" else "input"
    data = required_text(inner, leaf, f"{field}.{kind}").encode()
    part = Part("tool_use", data, JSON if kind == "function" else TEXT, call_id, name)
    return shaped(part, call | {"id": None, kind: inner | {"name": None, leaf: None}}, usual_call(part))


def usual_call(part: Part) -> Shape:
    if part.media_type == TEXT:
        return {"id": None, "type": "custom", "custom": {"name": None, "input": None}}
    return {"id": None, "type": "function", "function": {"name": None, "arguments": None}}


def write_call(part: Part) -> dict[str, Any] | None:
    """The call that `read_call` made the part of; None for a part that it does not make."""
    if part.kind == "json":
        found = loads(part.data)
        return found if isinstance(found, dict) else None
    if part.kind != "tool_use":
        return None
    call = shape_in(part) or usual_call(part)
    kind, leaf = ("custom", "input") if part.media_type == TEXT else ("function", "arguments")
    call["id"] = part.call_id
    call[kind] |= {"name": part.name, leaf: text_of(part)}
    return call
