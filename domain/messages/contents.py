"""Messages and their parts, as exact bytes with a media type."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from backstory.domain.errors import InvalidMessage

PART_KINDS = ("text", "json", "image", "thinking", "tool_use", "tool_result", "document", "audio")


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a message, in a form that belongs to no provider."""

    kind: str
    data: bytes
    media_type: str = "text/plain"
    call_id: str | None = None
    """Of a tool use and of its result: the id the provider gave to the call."""
    name: str | None = None
    """Of a tool use: the tool's name."""
    extras: bytes | None = None
    """UTF-8 JSON of whatever has no place above; None when there is nothing."""


@dataclass(frozen=True, slots=True)
class Message:
    """Parts said together by one role."""

    role: str
    """One of "user", "agent", "system", "tool"."""
    parts: tuple[Part, ...]
    format: str | None = None
    """The provider's format it came in, "openai" or "anthropic"; None when it came in none."""
    extras: bytes | None = None
    """UTF-8 JSON of the message's shape and unknown keys in that format; None when it has the usual shape."""
    name: str | None = None
    """The speaker, in a context for somebody else."""
    metadata_json: bytes | None = None
    """UTF-8 JSON of the caller's own fields; None where there are none."""

    @property
    def metadata(self) -> dict[str, Any]:
        """The caller's own fields."""
        return dict(json.loads(self.metadata_json)) if self.metadata_json else {}


def text_bytes(field: str, text: str) -> bytes:
    """The text's UTF-8 bytes. NUL is text; half of a surrogate pair is not, and has no UTF-8 form."""
    if not isinstance(text, str):
        raise InvalidMessage(field, f"must be text, got {type(text).__name__}")
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidMessage(field, f"has a lone surrogate at character {error.start}") from None


def text_of(parts: Iterable[Part]) -> str:
    """The text of parts, one below the other. Parts that are not text are left out; tool results count as text."""
    texts = [part for part in parts if part.media_type.startswith("text/") or part.kind == "tool_result"]
    return "\n".join(part.data.decode(errors="replace") for part in texts)


def content_digest(messages: Iterable[Message]) -> str:
    """SHA-256 of what messages say: equal for equal contents, whoever said them and wherever they stand."""
    said = hashlib.sha256()
    for message in messages:
        for part in message.parts:
            for field in (part.kind.encode(), part.media_type.encode(), part.data):
                said.update(len(field).to_bytes(8, "big") + field)
    return said.hexdigest()


def metadata_of(messages: Iterable[Message]) -> dict[str, Any]:
    """The caller's own fields of the messages of one item."""
    return {name: value for message in messages for name, value in message.metadata.items()}
