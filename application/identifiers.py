"""Session ids: UUIDv7, so that they sort by the time at which they were made."""

import os
import time
from uuid import UUID

from backstory.domain.errors import InvalidInput


def new_session_id() -> UUID:
    """48 bits of milliseconds, then 74 random bits, as RFC 9562 lays them out."""
    milliseconds = time.time_ns() // 1_000_000
    bits = (milliseconds << 80) | int.from_bytes(os.urandom(10))
    bits = (bits & ~(0xF << 76)) | (0x7 << 76)
    bits = (bits & ~(0x3 << 62)) | (0x2 << 62)
    return UUID(int=bits)


def session_id(value: UUID | str) -> UUID:
    """A session id from what a caller gave."""
    if isinstance(value, UUID):
        return value
    try:
        return UUID(value)
    except (ValueError, AttributeError, TypeError):
        raise InvalidInput("session", f"must be a UUID, got {value!r}") from None
