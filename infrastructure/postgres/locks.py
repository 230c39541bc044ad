"""Locks in the database: of a stream, and of a job."""

import select
from uuid import UUID

import psycopg

from backstory.domain.errors import UnknownSession
from backstory.infrastructure.postgres.queries import query


def lock_stream(connection: psycopg.Connection, stream: UUID) -> None:
    """Takes the lock that every append to the stream takes, until the connection's transaction ends."""
    connection.execute(query("lock_stream"), (stream,))


def hold_stream(connection: psycopg.Connection, stream: UUID) -> None:
    """Keeps a stream from being purged until the connection's transaction ends."""
    row = connection.execute(query("hold_stream"), (stream,)).fetchone()
    if row is None or not row[0]:
        raise UnknownSession(f"session {stream} does not exist.")


class JobLock:
    """The lock of a job, held as long as its connection lives."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    @property
    def lost(self) -> bool:
        """Whether the server has closed the connection. It is asked only if the socket has something to read."""
        if self._connection.closed:
            return True
        poll = select.poll()
        poll.register(self._connection.fileno(), select.POLLIN)
        if not poll.poll(0):
            return False
        try:
            self._connection.execute(query("server_version"))
        except psycopg.Error:
            return True
        return False
