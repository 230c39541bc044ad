"""The chain that makes the log tamper-evident, computed as the database computes it."""

import hashlib
import struct
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from backstory.domain.effects import Effects
from backstory.domain.events import Event, decode_body

_POSTGRES_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_COLUMNS = 12
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
    caller: str | None
    effects: str | None
    payload: bytes

    def event(self) -> Event:
        """Returns the event, upcast if it is old. ValueError if its effects cannot be read."""
        return Event(
            stream=self.stream,
            version=self.version,
            type=self.type,
            schema_version=self.schema_version,
            recorded_at=self.recorded_at,
            occurred_at=self.occurred_at or self.recorded_at,
            actor=self.actor,
            caller=self.caller,
            cause=self.cause,
            epoch=self.epoch,
            body=decode_body(self.type, self.schema_version, self.payload),
            effects=Effects.decode(self.effects),
        )


def next_chain(chain: bytes, event: Envelope) -> bytes:
    """SHA-256 of the chain before the event and its columns in the form in which Postgres sends a record: the number
    of columns, then each one's type, length and bytes, with length -1 for an absent one."""
    type_ = event.type.encode()
    # Columns that are always there and have a fixed length are packed together: an audit does this for every event.
    return hashlib.sha256(
        b"".join(
            (
                chain,
                _STREAM_VERSION_TYPE(
                    _COLUMNS, _UUID, 16, event.stream.bytes, _INT4, 4, event.version, _TEXT, len(type_)
                ),
                type_,
                _SCHEMA_RECORDED(_INT2, 2, event.schema_version, _TIME, 8, _time(event.recorded_at)),
                _NO_TIME if event.occurred_at is None else _LONG(_TIME, 8, _time(event.occurred_at)),
                _INTEGER(_INT4, 4, event.epoch),
                _NO_INTEGER if event.cause is None else _INTEGER(_INT4, 4, event.cause),
                _NO_TEXT if event.actor is None else _text(event.actor),
                _NO_TEXT if event.caller is None else _text(event.caller),
                _NO_TEXT if event.effects is None else _text(event.effects),
                _HEAD(_BYTES, len(event.payload)),
                event.payload,
            )
        )
    ).digest()


_HEAD = struct.Struct(">ii").pack
_INTEGER = struct.Struct(">iii").pack
_LONG = struct.Struct(">iiq").pack
_STREAM_VERSION_TYPE = struct.Struct(">iii16siiiii").pack
_SCHEMA_RECORDED = struct.Struct(">iihiiq").pack
_NO_TIME, _NO_INTEGER, _NO_TEXT = _HEAD(_TIME, -1), _HEAD(_INT4, -1), _HEAD(_TEXT, -1)


def _text(text: str) -> bytes:
    data = text.encode()
    return _HEAD(_TEXT, len(data)) + data


def _time(moment: datetime) -> int:
    return (moment - _POSTGRES_EPOCH) // _MICROSECOND
