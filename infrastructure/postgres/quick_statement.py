"""A statement handed to libpq at once, for the few calls that agents make all day.

The driver's cursor would convert each parameter, consider its preparation and wait in Python, which takes the client
longer than all the rest. Parameters and results are in Postgres' binary form.
"""

import select
from collections.abc import Callable, Sequence
from typing import cast
from weakref import WeakSet

import psycopg
from psycopg import errors, pq


class QuickStatement:
    """A query, with the name that it is prepared under and the numbers that Postgres has for its parameters' types."""

    def __init__(self, name: bytes, text: bytes, types: Sequence[int]) -> None:
        self._name = name
        self._text = text
        self._types = types
        self._formats = (pq.Format.BINARY,) * len(types)
        self._prepared: WeakSet[psycopg.Connection] = WeakSet()

    def call(
        self,
        connection: psycopg.Connection,
        values: Sequence[bytes | None],
        meanwhile: Callable[[], None] | None = None,
    ) -> pq.abc.PGresult:
        """What it gives. While the server works, `meanwhile` is done."""
        if connection not in self._prepared:
            self._prepare(connection)
        # The types of the driver know no nulls here, but it takes them.
        given = cast(list[bytes], values)
        try:
            return (
                self._call(connection, given)
                if meanwhile is None
                else self._send(connection, given, meanwhile)
            )
        except errors.InvalidSqlStatementName:
            # The driver drops all prepared statements after a rollback, and a pooler between may have changed servers.
            # Nothing was executed.
            self._prepare(connection)
            return self._call(connection, given)

    def _prepare(self, connection: psycopg.Connection) -> None:
        _checked(connection, connection.pgconn.prepare(self._name, self._text, self._types))
        self._prepared.add(connection)

    def _call(self, connection: psycopg.Connection, values: Sequence[bytes]) -> pq.abc.PGresult:
        pgconn = connection.pgconn
        return _checked(connection, pgconn.exec_prepared(self._name, values, self._formats, pq.Format.BINARY))

    def _send(
        self, connection: psycopg.Connection, values: Sequence[bytes], meanwhile: Callable[[], None]
    ) -> pq.abc.PGresult:
        """The same call, with something to do before its answer is there."""
        pgconn = connection.pgconn
        pgconn.send_query_prepared(self._name, values, self._formats, pq.Format.BINARY)
        try:
            # What the socket does not take at once goes out while the answer is waited for.
            pgconn.flush()
            meanwhile()
        finally:
            result = _received(pgconn)
        return _checked(connection, result)


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


def _checked(connection: psycopg.Connection, result: pq.abc.PGresult) -> pq.abc.PGresult:
    if result.status in (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK):
        return result
    if connection.pgconn.status != pq.ConnStatus.OK:
        raise psycopg.OperationalError("the connection was lost")
    raise errors.error_from_result(result)
