"""The parts inside a part: a tool result or a document may itself be a list of blocks."""

from typing import Any

from backstory.domain.errors import InvalidMessage
from backstory.domain.messages.anthropic_blocks import read_block
from backstory.domain.messages.contents import Part
from backstory.domain.messages.openai_blocks import read_content_part
from backstory.domain.messages.shapes import JSON, whole
from backstory.domain.messages.values import foreign_json

_OPENAI_TYPES = ("refusal", "image_url", "input_audio", "file")


def inner_parts(part: Part) -> tuple[Part, ...]:
    """The parts of a tool result or a document; none for a document that is only referred to."""
    if part.kind not in ("tool_result", "document"):
        return ()
    if part.media_type != JSON:
        return (Part("text", part.data),) if part.kind == "tool_result" else ()
    content = foreign_json(part.data)
    if part.kind == "document":
        source = content.get("source") if isinstance(content, dict) else None
        content = source.get("content") if isinstance(source, dict) else None
    if isinstance(content, list):
        return tuple(read_any(block) for block in content)
    if isinstance(content, str):
        return (Part("text", content.encode()),)
    if content is not None:
        return (whole("json", content),)
    # null, or bytes that only claim to be JSON
    return () if part.kind == "document" or part.data == b"null" else (Part("text", part.data),)


def read_any(block: Any) -> Part:
    """Blocks of either provider, told apart by their type; what neither knows stays whole."""
    try:
        if isinstance(block, dict) and block.get("type") in _OPENAI_TYPES:
            return read_content_part(block, "")
        return read_block(block, "")
    except InvalidMessage:
        return whole("json", block)
