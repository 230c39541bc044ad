"""A part said in plain words, for a format that has no place for it."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from backstory.domain.messages.contents import Part
from backstory.domain.messages.inner import inner_parts
from backstory.domain.messages.shapes import TEXT, URL, is_whole, shape_in, text_of

Object = dict[str, Any]

# Anthropic takes no other characters in an id, OpenAI none longer than 40 of them.
_ACCEPTED_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


def prose(part: Part) -> str:
    """The part's text where it has one, else a note of what stood there; nothing for thinking."""
    match part.kind:
        case "text" | "json":
            return text_of(part)
        case "thinking":
            return ""
        case "tool_use":
            return f"[call of {tool_name(part)}] {text_of(part)}"
        case "tool_result":
            return f"[result of {answered_call(part)}] {result_text(part)}"
    if part.media_type == URL:
        return f"[{part.kind} {text_of(part)}]"
    shape = shape_in(part)
    if part.kind == "document" and part.media_type == TEXT:
        heading = [text for key in ("title", "context") if isinstance(text := shape.get(key), str)]
        return "\n".join([*heading, text_of(part)])
    inside = "\n".join(filter(None, map(prose, inner_parts(part))))
    if inside or isinstance(shape.get("transcript"), str):
        return inside or str(shape["transcript"])
    size = "" if is_whole(part) else f" {part.media_type}, {len(part.data):,} bytes"
    return f"[{part.kind}{size}]"


def result_text(part: Part) -> str:
    """A tool result as one text. A failure is said in words, since only Anthropic has a flag for it."""
    text = "\n".join(prose(inner) for inner in inner_parts(part))
    return f"[error] {text}" if shape_in(part).get("is_error") is True else text


def file_name(part: Part) -> str | None:
    """A document's name: Anthropic's title, OpenAI's file name."""
    shape = shape_in(part)
    file = shape.get("file")
    name = file.get("filename") if isinstance(file, dict) else shape.get("title")
    return name if part.kind == "document" and isinstance(name, str) else None


def tool_name(part: Part) -> str:
    return part.name or "unnamed"


def answered_call(part: Part) -> str:
    """An id both providers accept, the same for a call and for its result.

    OpenAI's old function calls have no id: their results name the function instead, so it serves as one.
    """
    wanted = f"function_{tool_name(part)}" if part.call_id is None else part.call_id
    return wanted if _ACCEPTED_ID.fullmatch(wanted) else f"call_{sha256(wanted.encode()).hexdigest()[:24]}"


def text_block(text: str) -> Object | None:
    """A block of text as both providers have it; None where there is none."""
    return {"type": "text", "text": text} if text.strip() else None


def as_blocks(content: str | list[Object]) -> list[Object]:
    """A message's content as blocks."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def with_name(blocks: Sequence[Object], name: str) -> list[Object]:
    """Blocks that begin with the speaker's name."""
    first = blocks[0]
    if first["type"] == "text":
        return [first | {"text": f"{name}: {first['text']}"}, *blocks[1:]]
    return [{"type": "text", "text": f"{name}:"}, *blocks]
