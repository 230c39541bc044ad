"""How an event names contents it does not hold: by a salted digest that stays true after the bytes are gone."""

import base64
import hashlib
from collections.abc import Iterator
from typing import Any

from pydantic import Field

from backstory.domain.values import Label, Value

SALT_BYTES = 16
PLAIN_TEXT = "text/plain"


class ContentRef(Value):
    """One content of an event: which part of it, of what media type and size, and its digest."""

    sha256: str = Field(min_length=43, max_length=43)
    size: int = Field(ge=0)
    media_type: Label = PLAIN_TEXT
    part: int = Field(default=0, ge=0, le=32767)


class PartRef(Value):
    """One part of a message: what it is, where its bytes are, and where the provider's extras are."""

    content: ContentRef
    kind: str = "text"
    call_id: str | None = None
    name: str | None = None
    extras: ContentRef | None = None


def digest(salt: bytes, media_type: str, data: bytes) -> str:
    """SHA-256 of salt, media type and bytes. The salt makes a short or guessable content safe to name."""
    proof = hashlib.sha256(salt + media_type.encode() + b"\0" + data).digest()
    return base64.urlsafe_b64encode(proof).decode().rstrip("=")


def references_in(payload: Any) -> Iterator[dict[str, Any]]:
    """Every content reference in a payload's JSON, of event types known and unknown alike."""
    if isinstance(payload, dict):
        if "sha256" in payload and "size" in payload:
            yield payload
        else:
            for value in payload.values():
                yield from references_in(value)
    elif isinstance(payload, list):
        for value in payload:
            yield from references_in(value)
