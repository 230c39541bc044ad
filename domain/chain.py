"""The chain that makes the log tamper-evident, computed as the database computes it."""

import hashlib
import struct
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

_POSTGRES_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_ABSENT = b"\xff\xff\xff\xff"


class Envelope(NamedTuple):
    """Every column of an event that is under the chain, as stored."""

    stream: UUID
    version: int
    type: str
    schema_version: int
    recorded_at: datetime
    occurred_at: datetime | None
    epoch: int
    cause: int | None
    actor: str | None
    effects: str | None
    payload: bytes


def next_chain(chain: bytes, event: Envelope) -> bytes:
    """SHA-256 of the chain before the event and each of its columns with its length in front. A column that is
    absent has length -1. Times are microseconds since 2000, as Postgres sends them, so no time zone matters."""
    framed = [
        chain,
        _framed(event.stream.bytes),
        _framed(struct.pack(">i", event.version)),
        _framed(event.type.encode()),
        _framed(struct.pack(">h", event.schema_version)),
        _framed(_time(event.recorded_at)),
        _framed(None if event.occurred_at is None else _time(event.occurred_at)),
        _framed(struct.pack(">i", event.epoch)),
        _framed(None if event.cause is None else struct.pack(">i", event.cause)),
        _framed(None if event.actor is None else event.actor.encode()),
        _framed(None if event.effects is None else event.effects.encode()),
        _framed(event.payload),
    ]
    return hashlib.sha256(b"".join(framed)).digest()


def _framed(data: bytes | None) -> bytes:
    return _ABSENT if data is None else struct.pack(">i", len(data)) + data


def _time(moment: datetime) -> bytes:
    return struct.pack(">q", (moment - _POSTGRES_EPOCH) // _MICROSECOND)
