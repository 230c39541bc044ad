"""The appends that agents make all day, on the shortest way: one event with at most one content, or an answer with what
it came from, and no guard on items.

They are calls of the same function as every append, but handed to libpq at once.
"""

import struct
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import psycopg
from psycopg import pq

from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.postgres.quick_statement import QuickStatement

# uuid, int4, text, int2, timestamptz and bytea.
_EVENT = (25, 21, 1184, 25, 23, 25, 17, 21, 25, 17, 17)
_TYPES = (2950, 23, 23, *_EVENT, 1184)
_APPENDS = (
    QuickStatement(b"backstory_quick_append", query("quick_append"), _TYPES),
    QuickStatement(b"backstory_quick_append_two", query("quick_append_two"), (*_TYPES, *_EVENT)),
    QuickStatement(b"backstory_quick_append_three", query("quick_append_three"), (*_TYPES, *_EVENT, *_EVENT)),
)
FEW = len(_APPENDS)
"""Events that can be appended on this way."""

_INT2 = struct.Struct(">h").pack
_INT4 = struct.Struct(">i").pack
_INT8 = struct.Struct(">q").pack
_FIVE_NUMBERS = struct.Struct(">20x" + "4xq" * 5).unpack
"""An array of five bigints as Postgres sends it: a header, then each with its length."""
_POSTGRES_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
FROM_1970 = (_POSTGRES_EPOCH - datetime(1970, 1, 1, tzinfo=UTC)) // _MICROSECOND
"""Microseconds at which Postgres' own count begins."""


QuickEvent = tuple[str, int, datetime | None, str | None, int | None, str | None, bytes]
"""Type, schema version, occurred time, actor, cause, effects and payload."""
QuickContent = tuple[int, str | None, bytes, bytes]
"""Part, media type, salt and bytes."""


def quick_append(
    connection: psycopg.Connection,
    stream: UUID,
    expected: int | None,
    recorded: int | None,
    epoch: int | None,
    events: Sequence[tuple[QuickEvent, QuickContent | None]],
    meanwhile: Callable[[], None] | None = None,
) -> list[tuple[int, ...]]:
    """What `backstory.append` returns for each event. `recorded` is when the expected version was, in microseconds
    since 1970. While the server works, `meanwhile` is done."""
    values: list[bytes | None] = [
        stream.bytes,
        None if expected is None else _INT4(expected),
        None if epoch is None else _INT4(epoch),
        *_values(*events[0]),
        None if recorded is None else _INT8(recorded - FROM_1970),
    ]
    for event, content in events[1:]:
        values += _values(event, content)
    answer = _APPENDS[len(events) - 1].call(connection, values, meanwhile)
    return [_FIVE_NUMBERS(answer.get_value(0, place) or b"") for place in range(len(events))]


def _values(event: QuickEvent, content: QuickContent | None) -> Sequence[bytes | None]:
    type_, schema_version, occurred_at, actor, cause, effects, payload = event
    part, media_type, salt, data = content or (None, None, None, None)
    return (
        type_.encode(),
        _INT2(schema_version),
        None if occurred_at is None else _INT8((occurred_at - _POSTGRES_EPOCH) // _MICROSECOND),
        None if actor is None else actor.encode(),
        None if cause is None else _INT4(cause),
        None if effects is None else effects.encode(),
        payload,
        None if part is None else _INT2(part),
        None if media_type is None else media_type.encode(),
        salt,
        data,
    )


def may_append_quickly(connection: psycopg.Connection) -> bool:
    """Whether the connection is in no transaction, where each statement is committed by itself."""
    return connection.autocommit and connection.pgconn.transaction_status == pq.TransactionStatus.IDLE
