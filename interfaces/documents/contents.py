"""Contents of events and items, and their text."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.wording import ERASED, size

if TYPE_CHECKING:
    from backstory.application.queries.event_contents import NamedContent


class ContentDocument(Document):
    """One content of an event: a text, a tool call, an image, …"""

    field: str = Field(description="The event's field that names it, such as text or parts.0.")
    kind: str = Field(description="text, json, image, thinking, tool_use, tool_result, document, …")
    media_type: str = Field(description="Its media type.")
    size: int = Field(description="Its size in bytes.")
    erased: bool = Field(description="Whether it was erased.")
    name: str | None = Field(description="The tool's name, or null.")
    call_id: str | None = Field(description="The id of the tool call, or null.")
    text: str | None = Field(description="Its text; null if it was erased or is not text.")


def text_of(contents: Sequence["NamedContent"]) -> str:
    """The words of contents taken together: a message's parts, or the first text of anything else."""
    parts = [content for content in contents if content.field.startswith("parts.")]
    parts = [part for part in parts if not part.field.endswith("extras")]
    return "  ".join(map(words_of, parts)) if parts else "".join(map(words_of, contents[:1]))


def words_of(content: "NamedContent") -> str:
    """One content as text."""
    if content.erased:
        return ERASED
    if content.kind == "tool_use":
        return f"{content.name}({_arguments(content.text or '')})"
    text = content.text
    if text is None:
        return f"({content.kind}, {content.media_type}, {size(content.size)})"
    return f"→ {text}" if content.kind == "tool_result" else text


def _arguments(text: str) -> str:
    """A call's arguments as code has them if they are an object; otherwise unchanged."""
    try:
        arguments = json.loads(text)
    except ValueError:
        return text
    if not isinstance(arguments, dict):
        return text
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
