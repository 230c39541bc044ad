"""The chain that makes the log tamper-evident, computed as the database computes it."""

import hashlib
import struct
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

_POSTGRES_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_COLUMNS = 11
# Postgres' numbers for its built-in types, the same in every version.
_UUID, _INT4, _INT2, _TEXT, _TIME, _BYTES = 2950, 23, 21, 25, 1184, 17


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
    """SHA-256 of the chain before the event and its columns in the form in which Postgres sends a record: the number
    of columns, then each one's type, length and bytes, with length -1 for an absent one."""
    columns = [
        _column(_UUID, event.stream.bytes),
        _column(_INT4, struct.pack(">i", event.version)),
        _column(_TEXT, event.type.encode()),
        _column(_INT2, struct.pack(">h", event.schema_version)),
        _column(_TIME, _time(event.recorded_at)),
        _column(_TIME, None if event.occurred_at is None else _time(event.occurred_at)),
        _column(_INT4, struct.pack(">i", event.epoch)),
        _column(_INT4, None if event.cause is None else struct.pack(">i", event.cause)),
        _column(_TEXT, None if event.actor is None else event.actor.encode()),
        _column(_TEXT, None if event.effects is None else event.effects.encode()),
        _column(_BYTES, event.payload),
    ]
    return hashlib.sha256(chain + struct.pack(">i", _COLUMNS) + b"".join(columns)).digest()


def _column(type_: int, data: bytes | None) -> bytes:
    if data is None:
        return struct.pack(">ii", type_, -1)
    return struct.pack(">ii", type_, len(data)) + data


def _time(moment: datetime) -> bytes:
    return struct.pack(">q", (moment - _POSTGRES_EPOCH) // _MICROSECOND)
