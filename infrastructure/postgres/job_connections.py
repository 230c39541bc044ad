"""The connections of a scheduled job, which can be cut: a job that hangs must not block anything else."""

import os
import socket
import threading
from collections.abc import Callable
from weakref import WeakSet

import psycopg
from psycopg import pq

from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.queries import query

CANCEL_SECONDS = 2.0
"""Seconds to wait for the server to accept a cancellation."""


class JobDatabase(Database):
    """A pool for one job. After `cut` no statement is under way in it and none can start."""

    def __init__(
        self,
        url: str,
        *,
        limit: float,
        pool_size: int = 4,
        patience: float = 30.0,
        revive: Callable[[], object] | None = None,
    ) -> None:
        self._limit = limit
        self._made: WeakSet[psycopg.Connection] = WeakSet()
        self._making = threading.Lock()
        self._cut: Exception | None = None
        super().__init__(url, pool_size=pool_size, patience=patience, revive=revive)

    def cut(self, why: Exception) -> None:
        """Cancels the statements under way. Whoever asks for a connection from now on gets this error. Said again, it
        cancels what has come through meanwhile."""
        self._cut = why
        for connection in self._connections():
            if not connection.closed and connection.pgconn.transaction_status == pq.TransactionStatus.ACTIVE:
                try:
                    connection.cancel_safe(timeout=CANCEL_SECONDS)
                except psycopg.Error:
                    _hang_up(connection)

    def hang_up(self) -> None:
        """Ends the connections without asking anybody, so that the server gives up what they hold."""
        for connection in self._connections():
            _hang_up(connection)

    def _connections(self) -> list[psycopg.Connection]:
        with self._making:
            return list(self._made)

    def _live_connection(self) -> psycopg.Connection:
        if self._cut is not None:
            raise self._cut
        return super()._live_connection()

    def _prepare_connection(self, connection: psycopg.Connection) -> None:
        if self._cut is not None:
            raise self._cut
        super()._prepare_connection(connection)
        connection.execute(query("limit_statements"), (str(max(1, int(self._limit * 1000))),))
        with self._making:
            self._made.add(connection)


def _hang_up(connection: psycopg.Connection) -> None:
    """Shuts the socket down below the driver, whose own close must not be called while another thread waits in it."""
    if connection.closed:
        return
    try:
        with socket.socket(fileno=os.dup(connection.fileno())) as shared:
            shared.shutdown(socket.SHUT_RDWR)
    except (OSError, psycopg.Error):
        return
