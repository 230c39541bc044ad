"""Messages that belong to no provider, and their parts."""

import base64
import binascii
from typing import Any

from pydantic import Field

from backstory.domain.errors import InvalidInput
from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.values import dumps, json_value
from backstory.interfaces.documents.base import Document


class PartDocument(Document):
    """One piece of a message or an item."""

    kind: str = Field(
        default="text", description="text, json, image, thinking, tool_use, tool_result, document or audio."
    )
    text: str | None = Field(default=None, description="Its bytes where they are UTF-8; otherwise null.")
    data: str | None = Field(default=None, description="Its bytes as base64 where they are not UTF-8.")
    media_type: str = Field(default="text/plain", description="Its media type.")
    call_id: str | None = Field(default=None, description="The id of the tool call, or null.")
    name: str | None = Field(default=None, description="The tool's name, or null.")
    extras: str | None = Field(default=None, description="JSON of what has no place above, or null.")

    @classmethod
    def of(cls, part: Part) -> "PartDocument":
        """The document of a part."""
        text, data = text_or_base64(part.data)
        return cls(
            kind=part.kind,
            text=text,
            data=data,
            media_type=part.media_type,
            call_id=part.call_id,
            name=part.name,
            extras=_text(part.extras),
        )

    def part(self, field: str) -> Part:
        """The part that it describes."""
        data = bytes_of(field, self.text, self.data)
        return Part(self.kind, data, self.media_type, self.call_id, self.name, _bytes(self.extras))


class NeutralMessageDocument(Document):
    """A message in a form that belongs to no provider."""

    role: str = Field(description="user, agent, system or tool.")
    parts: list[PartDocument] = Field(description="What it says.")
    format: str | None = Field(default=None, description="The provider's format it came in, or null.")
    extras: str | None = Field(
        default=None, description="JSON of its shape and unknown fields in that format, or null."
    )
    name: str | None = Field(default=None, description="The speaker, or null.")
    metadata: dict[str, Any] = Field(default={}, description="The caller's own fields.")

    @classmethod
    def of(cls, message: Message) -> "NeutralMessageDocument":
        """The document of a message."""
        return cls(
            role=message.role,
            parts=[PartDocument.of(part) for part in message.parts],
            format=message.format,
            extras=_text(message.extras),
            name=message.name,
            metadata=message.metadata,
        )

    def message(self, field: str) -> Message:
        """The message that it describes."""
        parts = tuple(part.part(f"{field}.parts.{place}") for place, part in enumerate(self.parts))
        own = dumps(json_value(self.metadata, f"{field}.metadata")) if self.metadata else None
        return Message(self.role, parts, self.format, _bytes(self.extras), self.name, own)


def text_or_base64(data: bytes) -> tuple[str | None, str | None]:
    """Bytes as text where they are UTF-8, else as base64."""
    try:
        return data.decode(), None
    except UnicodeDecodeError:
        return None, base64.b64encode(data).decode()


def bytes_of(field: str, text: str | None, data: str | None) -> bytes:
    """The bytes that were given as text or as base64."""
    if (text is None) == (data is None):
        raise InvalidInput(field, "must have either text or data")
    try:
        return text.encode() if text is not None else base64.b64decode(data or "", validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise InvalidInput(field, f"must be UTF-8 text, or base64 data: {error}") from None


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode()


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()
