"""Pooled connections to Postgres, and the repetition of work whose connection was lost."""

import logging
import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar
from uuid import UUID

import psycopg
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from backstory.domain.errors import OutcomeUnknown, ServerUnavailable
from backstory.infrastructure.feed.announcer import Announcer
from backstory.infrastructure.feed.listener import Listener
from backstory.infrastructure.postgres.connector import Connector
from backstory.infrastructure.postgres.errors import (
    OUTCOME_UNKNOWN,
    ConnectionLost,
    final_error,
    translated,
    was_undone,
)
from backstory.infrastructure.postgres.locks import JobLock, lock_stream
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.postgres.standby import Standby, StandbyAway, may_lag
from backstory.infrastructure.schema.migrate import may_become_service

T = TypeVar("T")

_PAUSE = 0.05
_LONGEST_PAUSE = 0.5
_SOON = 0.5


# The pool logs its reconnections, and so do we. Without a handler Python would print them to the terminal of a caller
# who has not set up logging.
for _name in ("psycopg.pool", "backstory"):
    logging.getLogger(_name).addHandler(logging.NullHandler())


class Database:
    """A pool of connections, which take on the service role if there is one."""

    _standby: Standby | None = None

    def __init__(
        self,
        url: str,
        *,
        pool_size: int = 16,
        patience: float = 30.0,
        revive: Callable[[], object] | None = None,
        read_url: str | None = None,
    ) -> None:
        self.url = url
        self.revive = revive
        self.patience = patience
        self._connector = Connector(url, patience, revive)
        self.announcer = Announcer(self._announce)
        self.listener = Listener(url, self._connector.settings)
        self.closed = False
        self._pool = ConnectionPool(
            url,
            connection_class=self._connector.pooled(),
            min_size=1,
            max_size=pool_size,
            open=False,
            timeout=patience,
            reconnect_timeout=patience,
            kwargs=self._connector.settings,
            configure=self._prepare_connection,
            name="backstory",
        )
        if read_url is not None:
            self._standby = Standby(
                read_url, pool_size=pool_size, position=self._written_position, configure=_configure
            )

    def open(self, *, wait: bool = True) -> None:
        """Starts to connect and, with `wait`, waits for the first connection."""
        self._pool.open()
        if not wait:
            return
        try:
            self._pool.wait(timeout=self.patience)
        except PoolTimeout as error:
            self._connector.stop()
            self._pool.close()
            raise self._unreachable() from error

    def lose_patience(self) -> None:
        """Tries to connect only once from now on, for a caller that has to end soon."""
        self._connector.stop()

    def close(self) -> None:
        self.closed = True
        self.announcer.stop()
        self.listener.close()
        self._connector.stop()
        self._pool.close()
        if self._standby is not None:
            self._standby.close()

    def _announce(self, said: str) -> None:
        """Notifies readers, if a connection is free soon: they also poll, and closing a store must not wait for a
        server that is gone."""
        try:
            connection = self._pool.getconn(timeout=_SOON)
        except (PoolTimeout, PoolClosed):
            return
        try:
            connection.execute(query("notify"), (said,))
        except psycopg.Error:
            return
        finally:
            self._pool.putconn(connection)

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection]:
        """A pooled connection in autocommit mode."""
        connection = self._live_connection()
        try:
            yield connection
        except psycopg.Error as error:
            raise final_error(error) from error
        finally:
            self._pool.putconn(connection)
            self._wrote()

    def _live_connection(self) -> psycopg.Connection:
        """A pooled connection that the server has not closed. An idle socket has nothing to read unless the server has
        closed it, so one poll tells, without a round trip."""
        while True:
            try:
                connection = self._pool.getconn()
            except PoolTimeout as error:
                raise self._unreachable() from error
            except PoolClosed as error:
                raise ServerUnavailable("the store was closed.") from error
            poll = select.poll()
            poll.register(connection.fileno(), select.POLLIN)
            if not poll.poll(0):
                return connection
            connection.close()
            self._pool.putconn(connection)

    def _unreachable(self) -> ServerUnavailable:
        why = f": {self._connector.trouble}" if self._connector.trouble else "."
        return ServerUnavailable(f"no connection to Postgres within {self.patience:g} s{why}")

    def _prepare_connection(self, connection: psycopg.Connection) -> None:
        """Configures a new connection."""
        _configure(connection)

    @contextmanager
    def holding(self, stream: UUID) -> Iterator[psycopg.Connection]:
        """A separate connection, in a transaction that holds the stream's lock. Not from the pool: the holder still
        has to read, and must not wait for a connection of those who wait for the lock."""
        with self.apart("to hold the session's lock") as connection:
            connection.execute(query("limit_lock_wait"))
            lock_stream(connection, stream)
            yield connection

    @contextmanager
    def guarding(self, job: str) -> Iterator[JobLock | None]:
        """The lock of a job, held until the block ends; None if another process has it. It ends with its connection,
        so the lock of a process that dies is free at once."""
        with self.apart("to hold a job's lock") as connection:
            connection.execute(query("job_lock_settings"))
            row = connection.execute(query("try_job_lock"), (job,)).fetchone()
            yield JobLock(connection) if row is not None and row[0] else None

    @contextmanager
    def apart(self, purpose: str) -> Iterator[psycopg.Connection]:
        """A separate connection in a transaction, for work that reads through the pool meanwhile."""
        own = self._own_connection(purpose)
        try:
            with own as connection:
                self._prepare_connection(connection)
                with connection.transaction():
                    yield connection
        except psycopg.Error as error:
            raise final_error(error) from error
        finally:
            self._wrote()

    @contextmanager
    def as_login(self, purpose: str) -> Iterator[psycopg.Connection]:
        """A separate connection in autocommit mode, with the rights of the login: for work that the service role may
        not do. The work must be repeatable, since the connection may be lost."""
        own = self._own_connection(purpose)
        try:
            with own as connection:
                connection.execute(query("connection_settings"))
                yield connection
        except psycopg.Error as error:
            named = translated(error)
            if isinstance(named, ConnectionLost):
                raise ServerUnavailable(f"the connection to Postgres was lost {purpose}.") from error
            raise named from error

    def _own_connection(self, purpose: str) -> psycopg.Connection:
        try:
            return self._connector.connect()
        except psycopg.Error as error:
            raise ServerUnavailable(f"no connection to Postgres {purpose}.") from error

    def read(self, reading: Callable[[psycopg.Connection], T]) -> T:
        """Returns the result of a read. It is repeated if the connection is lost. A call that only reads is sent to
        the standby first, if there is one."""
        if self._standby is not None and may_lag():
            try:
                return self._standby.read(reading)
            except StandbyAway:
                # What the primary shows now may be newer than what the standby has; a later read must not go back.
                self._standby.wrote()
        return self._repeat(reading, certain=True)

    def _written_position(self) -> str:
        row = self._repeat(lambda c: c.execute(query("written_position")).fetchone(), certain=True)
        assert row is not None
        return str(row[0])

    def repeat(self, work: Callable[[psycopg.Connection], T], *, certain: bool) -> T:
        """Returns the result of work that may write: see `_repeat`."""
        try:
            return self._repeat(work, certain=certain)
        finally:
            self._wrote()

    def _wrote(self) -> None:
        if self._standby is not None:
            self._standby.wrote()

    def _repeat(self, work: Callable[[psycopg.Connection], T], *, certain: bool) -> T:
        """Returns the result of the work. If the connection is lost, work that is `certain` to have the same outcome
        twice is repeated; for other work the outcome is unknown. Work that the server undid is always repeated."""
        deadline = 0.0
        pause = _PAUSE
        while True:
            connection = self._live_connection()
            try:
                return work(connection)
            except psycopg.Error as error:
                named = translated(error)
                lost = isinstance(named, ConnectionLost)
                if not lost and not was_undone(error, connection):
                    raise named from error
                if lost and not certain:
                    raise OutcomeUnknown(OUTCOME_UNKNOWN) from error
                deadline = deadline or time.monotonic() + self.patience
                if time.monotonic() > deadline:
                    if lost:
                        named = ServerUnavailable(
                            "the connection to Postgres was lost and did not come back."
                        )
                    raise named from error
            finally:
                self._pool.putconn(connection)
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)


def _configure(connection: psycopg.Connection) -> None:
    connection.execute(query("connection_settings"))
    if may_become_service(connection):
        connection.execute(query("become_service"))
