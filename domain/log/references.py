"""References to contents: a salted digest in the event, which stays true after the bytes are erased."""

import base64
import hashlib
import json
from collections.abc import Iterator
from typing import Any

from pydantic import Field

from backstory.domain.values import Label, Value

SALT_BYTES = 16
PLAIN_TEXT = "text/plain"


DIGEST_LENGTH = 43
"""Of a SHA-256 in unpadded base64. Written in hex, as checksums of other things are, it has 64 characters."""


class ContentRef(Value):
    """One content of an event: which part of it, of what media type and size, and its digest."""

    sha256: str = Field(min_length=DIGEST_LENGTH, max_length=DIGEST_LENGTH)
    """SHA-256 of salt, media type and bytes, in unpadded base64."""
    size: int = Field(ge=0)
    """Its number of bytes."""
    media_type: Label = PLAIN_TEXT
    """The media type of the bytes."""
    part: int = Field(default=0, ge=0, le=32767)
    """Its number among the contents of its event, from 0."""


class PartRef(Value):
    """One part of a message: what it is, where its bytes are, and where the provider's extras are."""

    content: ContentRef
    """The bytes."""
    kind: str = "text"
    """text, json, image, thinking, tool_use, tool_result, document or audio."""
    call_id: str | None = None
    """Of a tool use and of its result: the provider's id of the call."""
    name: str | None = None
    """Of a tool use: the tool's name."""
    extras: ContentRef | None = None
    """Fields that only the provider's format has, as JSON."""


def digest(salt: bytes, media_type: str, data: bytes) -> str:
    """SHA-256 of salt, media type and bytes. The salt makes a short or guessable content safe to name."""
    proof = hashlib.sha256(salt + media_type.encode() + b"\0" + data).digest()
    return base64.urlsafe_b64encode(proof).decode().rstrip("=")


def references_in(payload: Any) -> Iterator[dict[str, Any]]:
    """Every content reference in a payload's JSON, of event types known and unknown alike."""
    # In a loop, since every event of a log is looked through whenever that is checked.
    left = [payload]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            if _is_reference(value):
                yield value
            else:
                left.extend(reversed(value.values()))
        elif isinstance(value, list):
            left.extend(reversed(value))


def _is_reference(payload: dict[str, Any]) -> bool:
    sha256 = payload.get("sha256")
    return "size" in payload and isinstance(sha256, str) and len(sha256) == DIGEST_LENGTH


def references_of(payload: bytes) -> list[ContentRef]:
    """The content references of a stored payload. One that is not JSON has none."""
    try:
        return [ContentRef.model_validate(ref, extra="ignore") for ref in references_in(json.loads(payload))]
    except ValueError:
        return []
