"""The append that agents make all day, on the shortest way: one event with at most one content, and no guard on items.

It is the same call of the same function as every append, but handed to libpq at once. The driver's cursor would
convert each parameter, consider its preparation and wait in Python, which took the client longer than all the rest.
"""

import select
import struct
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import cast
from uuid import UUID
from weakref import WeakSet

import psycopg
from psycopg import errors, pq

from backstory.infrastructure.queries import query

_NAME = b"backstory_quick_append"
# Postgres' numbers for uuid, int4, text, int2, timestamptz and bytea.
_TYPES = (2950, 23, 23, 25, 21, 1184, 25, 23, 25, 17, 21, 25, 17, 17, 1184)
_FORMATS = (pq.Format.BINARY,) * len(_TYPES)

_INT2 = struct.Struct(">h").pack
_INT4 = struct.Struct(">i").pack
_INT8 = struct.Struct(">q").pack
_FIVE_NUMBERS = struct.Struct(">20x" + "4xq" * 5).unpack
"""An array of five bigints as Postgres sends it: a header, then each with its length."""
_POSTGRES_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FROM_1970 = (_POSTGRES_EPOCH - datetime(1970, 1, 1, tzinfo=UTC)) // _MICROSECOND

_prepared: WeakSet[psycopg.Connection] = WeakSet()


def quick_append(
    connection: psycopg.Connection,
    stream: UUID,
    expected: int | None,
    recorded: int | None,
    epoch: int | None,
    event: tuple[str, int, datetime | None, str | None, int | None, str | None, bytes],
    content: tuple[int, str | None, bytes, bytes] | None,
    meanwhile: Callable[[], None] | None = None,
) -> tuple[int, ...]:
    """What `backstory.append` returns. `recorded` is when the expected version was, in microseconds since 1970; `event`
    is type, schema version, occurred time, actor, cause, effects and payload; `content` is part, media type, salt and
    bytes. While the server works, `meanwhile` is done."""
    type_, schema_version, occurred_at, actor, cause, effects, payload = event
    part, media_type, salt, data = content or (None, None, None, None)
    values: list[bytes | None] = [
        stream.bytes,
        None if expected is None else _INT4(expected),
        None if epoch is None else _INT4(epoch),
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
        None if recorded is None else _INT8(recorded - _FROM_1970),
    ]
    if connection not in _prepared:
        _prepare(connection)
    try:
        answer = _call(connection, values) if meanwhile is None else _send(connection, values, meanwhile)
    except errors.InvalidSqlStatementName:
        # The driver drops all prepared statements after a rollback, and a pooler between may have changed servers.
        # Nothing was executed.
        _prepare(connection)
        answer = _call(connection, values)
    return _FIVE_NUMBERS(answer)


def may_append_quickly(connection: psycopg.Connection) -> bool:
    """Whether the connection is in no transaction, where each statement is committed by itself."""
    return connection.autocommit and connection.pgconn.transaction_status == pq.TransactionStatus.IDLE


def _prepare(connection: psycopg.Connection) -> None:
    _checked(connection, connection.pgconn.prepare(_NAME, query("quick_append"), _TYPES))
    _prepared.add(connection)


def _call(connection: psycopg.Connection, values: list[bytes | None]) -> bytes:
    result = connection.pgconn.exec_prepared(_NAME, cast(list[bytes], values), _FORMATS, pq.Format.BINARY)
    return _answer_in(connection, result)


def _send(connection: psycopg.Connection, values: list[bytes | None], meanwhile: Callable[[], None]) -> bytes:
    """The same call, with something to do before its answer is there."""
    pgconn = connection.pgconn
    pgconn.send_query_prepared(_NAME, cast(list[bytes], values), _FORMATS, pq.Format.BINARY)
    try:
        # What the socket does not take at once goes out while the answer is waited for.
        pgconn.flush()
        meanwhile()
    finally:
        result = _received(pgconn)
    return _answer_in(connection, result)


def _received(pgconn: pq.abc.PGconn) -> pq.abc.PGresult:
    """The result of what was sent. Waiting here leaves the interpreter to other threads, as libpq's own would not."""
    found: pq.abc.PGresult | None = None
    ready = select.poll()
    while True:
        unsent = pgconn.flush()
        if unsent or pgconn.is_busy():
            ready.register(pgconn.socket, select.POLLIN | (select.POLLOUT if unsent else 0))
            ready.poll()
            pgconn.consume_input()
            continue
        result = pgconn.get_result()
        if result is None:
            assert found is not None
            return found
        found = found or result


def _answer_in(connection: psycopg.Connection, result: pq.abc.PGresult) -> bytes:
    _checked(connection, result)
    answer = result.get_value(0, 0)
    assert answer is not None
    return answer


def _checked(connection: psycopg.Connection, result: pq.abc.PGresult) -> None:
    if result.status in (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK):
        return
    if connection.pgconn.status != pq.ConnStatus.OK:
        raise psycopg.OperationalError("the connection was lost")
    raise errors.error_from_result(result)
