"""Pooled connections to Postgres, and what to do when one is lost."""

import logging
import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar
from uuid import UUID

import psycopg
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from backstory.domain.errors import (
    BranchMoved,
    Conflict,
    ForksDepend,
    IdempotencyConflict,
    InvalidInput,
    ItemsChanged,
    OutcomeUnknown,
    SchemaMismatch,
    ServerUnavailable,
    SessionBusy,
    SessionDiffers,
    SessionEnded,
    StorageFull,
    Unavailable,
    UnknownSession,
    VerificationFailed,
    VersionConflict,
)
from backstory.infrastructure.feed.announcing import Announcer
from backstory.infrastructure.feed.listening import Listener
from backstory.infrastructure.observability.watchers import happened
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.postgres.reaching import Reach
from backstory.infrastructure.postgres.standby import Standby, StandbyAway, may_lag
from backstory.infrastructure.schema.migrate import may_become_service

T = TypeVar("T")

LOST = (psycopg.OperationalError, psycopg.InterfaceError)
_UNKNOWN = (
    "the connection was lost while appending: the events may or may not be in the log. "
    "Read the session, or append under an idempotency key to have it repeated safely."
)
_PAUSE = 0.05
_LONGEST_PAUSE = 0.5
_SOON = 0.5


# The pool says how it reconnects, and we what we wait for. Whoever has set up logging hears it; nobody else's terminal
# is written on.
for _name in ("psycopg.pool", "backstory"):
    logging.getLogger(_name).addHandler(logging.NullHandler())


class Database:
    """A pool of connections that speak as the service role where there is one."""

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
        self._reach = Reach(url, patience, revive)
        self.announcer = Announcer(self._announce)
        self.listener = Listener(url, self._reach.settings)
        self.closed = False
        self._pool = ConnectionPool(
            url,
            connection_class=self._reach.pooled(),
            min_size=1,
            max_size=pool_size,
            open=False,
            timeout=patience,
            reconnect_timeout=patience,
            kwargs=self._reach.settings,
            configure=self._prepare_connection,
            name="backstory",
        )
        if read_url is not None:
            self._standby = Standby(
                read_url, pool_size=pool_size, position=self._written_position, configure=_configure
            )

    def open(self, *, wait: bool = True) -> None:
        """Begins to connect and, unless told otherwise, waits for the first connection."""
        self._pool.open()
        if not wait:
            return
        try:
            self._pool.wait(timeout=self.patience)
        except PoolTimeout as error:
            self._reach.stop()
            self._pool.close()
            raise self._unreachable() from error

    def lose_patience(self) -> None:
        """Tries from now on to connect only once, for one who has to end soon."""
        self._reach.stop()

    def close(self) -> None:
        self.closed = True
        self.announcer.stop()
        self.listener.close()
        self._reach.stop()
        self._pool.close()
        if self._standby is not None:
            self._standby.close()

    def _announce(self, said: str) -> None:
        """Says that there is news, if a connection can be had soon: a reader's own poll is behind it, and whoever
        closes a store must not wait for a server that is gone."""
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
        """A connection that was alive a moment ago, in autocommit mode."""
        connection = self._live_connection()
        try:
            yield connection
        except psycopg.Error as error:
            raise _told(error) from error
        finally:
            self._pool.putconn(connection)
            self._wrote()

    def _live_connection(self) -> psycopg.Connection:
        """A pooled connection that the server did not close while it lay idle: an idle socket has nothing to read,
        unless it is the server's goodbye. One poll, no round trip, and a restart costs no append its certainty."""
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
        why = f": {self._reach.trouble}" if self._reach.trouble else "."
        return ServerUnavailable(f"no connection to Postgres within {self.patience:g} s{why}")

    def _prepare_connection(self, connection: psycopg.Connection) -> None:
        """Makes a new connection, in autocommit mode, one of ours."""
        _configure(connection)

    @contextmanager
    def holding(self, stream: UUID) -> Iterator[psycopg.Connection]:
        """A connection of its own, in a transaction that holds the stream's lock. Not from the pool: whoever holds
        the lock still has to read, and must not wait for those who wait for it."""
        with self._apart("to hold the session's lock") as connection:
            connection.execute(query("limit_lock_wait"))
            lock_stream(connection, stream)
            yield connection

    @contextmanager
    def guarding(self, job: str) -> Iterator["JobLock | None"]:
        """The lock of a job that one at a time may do, until the block ends, unless another has it. It goes with its
        connection, so that of a process that dies is free at once."""
        with self._apart("to hold a job's lock") as connection:
            connection.execute(query("job_lock_settings"))
            row = connection.execute(query("try_job_lock"), (job,)).fetchone()
            yield JobLock(connection) if row is not None and row[0] else None

    @contextmanager
    def _apart(self, purpose: str) -> Iterator[psycopg.Connection]:
        """A connection that is not of the pool, in a transaction."""
        own = self._own_connection(purpose)
        try:
            with own as connection:
                self._prepare_connection(connection)
                with connection.transaction():
                    yield connection
        except psycopg.Error as error:
            raise _told(error) from error
        finally:
            self._wrote()

    @contextmanager
    def as_login(self, purpose: str) -> Iterator[psycopg.Connection]:
        """A connection of its own, in autocommit mode, with the rights of whoever logs in: for what the service role
        may not do. What is done there can be done again when the connection is lost."""
        own = self._own_connection(purpose)
        try:
            with own as connection:
                connection.execute(query("connection_settings"))
                yield connection
        except psycopg.Error as error:
            named = _named(error)
            if isinstance(named, _Lost):
                raise ServerUnavailable(f"the connection to Postgres was lost {purpose}.") from error
            raise named from error

    def _own_connection(self, purpose: str) -> psycopg.Connection:
        try:
            return self._reach.connect()
        except psycopg.Error as error:
            raise ServerUnavailable(f"no connection to Postgres {purpose}.") from error

    def read(self, reading: Callable[[psycopg.Connection], T]) -> T:
        """What the reading gives. It changes nothing, so it is repeated when the connection was lost. Where there is a
        standby, and the call does nothing but read, the standby is asked first."""
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
        """What the work gives, which may write: see `_repeat`."""
        try:
            return self._repeat(work, certain=certain)
        finally:
            self._wrote()

    def _wrote(self) -> None:
        if self._standby is not None:
            self._standby.wrote()

    def _repeat(self, work: Callable[[psycopg.Connection], T], *, certain: bool) -> T:
        """What the work gives. When the connection is lost in the middle, work that is `certain` to have the same
        outcome twice is repeated; for other work nobody can say whether it was done. What the server has undone for
        reasons of its own is repeated in any case."""
        deadline = 0.0
        pause = _PAUSE
        while True:
            connection = self._live_connection()
            try:
                return work(connection)
            except psycopg.Error as error:
                named = _named(error)
                lost = isinstance(named, _Lost)
                if not lost and not _was_undone(error, connection):
                    raise named from error
                if lost and not certain:
                    raise OutcomeUnknown(_UNKNOWN) from error
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


class JobLock:
    """A lock as long as its connection holds."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    @property
    def lost(self) -> bool:
        """Whether the server has closed the connection meanwhile. Asked only when it has said something by itself."""
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


class _Lost(Exception):
    """The connection went away while a statement was under way."""


def lock_stream(connection: psycopg.Connection, stream: UUID) -> None:
    """Takes the lock that every append to the stream takes, to the end of the connection's transaction."""
    connection.execute(query("lock_stream"), (stream,))


def _was_undone(error: psycopg.Error, connection: psycopg.Connection) -> bool:
    """Whether the server undid the statement for a reason that may be gone the next time: another transaction was in
    its way, as an upgrade may be, or the primary of a moment ago has become a standby. That one's connection is closed,
    so that another server is found."""
    if isinstance(error, psycopg.errors.DeadlockDetected | psycopg.errors.SerializationFailure):
        return True
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction) and _is_standby(connection):
        connection.close()
        return True
    return False


def _is_standby(connection: psycopg.Connection) -> bool:
    """Whether the server replays another one's log, rather than having been made read-only by somebody."""
    try:
        row = connection.execute(query("is_standby")).fetchone()
    except psycopg.Error:
        return True  # It is on its way to become one: that closes its connections.
    return row is not None and bool(row[0])


def hold_stream(connection: psycopg.Connection, stream: UUID) -> None:
    """Keeps a stream from being purged, to the end of the connection's transaction."""
    row = connection.execute(query("hold_stream"), (stream,)).fetchone()
    if row is None or not row[0]:
        raise UnknownSession(f"session {stream} does not exist.")


def _configure(connection: psycopg.Connection) -> None:
    connection.execute(query("connection_settings"))
    if may_become_service(connection):
        connection.execute(query("become_service"))


def _told(error: psycopg.Error) -> Exception:
    """The error for a caller whose work is not repeated."""
    named = _named(error)
    return OutcomeUnknown(_UNKNOWN) if isinstance(named, _Lost) else named


def _named(error: psycopg.Error) -> Exception:
    """The error of ours that a database error stands for. Conflicts are told of, if somebody watches."""
    named = _error_of(error)
    if isinstance(named, Conflict):
        happened("conflicts", error=named.code)
    return named


def _error_of(error: psycopg.Error) -> Exception:
    state = error.sqlstate or ""
    text = error.diag.message_primary or ""
    match state:
        case "BS001":
            return UnknownSession(f"{text}.")
        case "BS002":
            return VersionConflict(f"the session is at version {text}, not where this append expected it.")
        case "BS003":
            return BranchMoved(
                f"the session was backtracked and is in epoch {text}: this append belongs to an older one."
            )
        case "BS004":
            return ItemsChanged("an item this change depends on was changed or removed meanwhile.")
        case "BS005":
            return IdempotencyConflict("the idempotency key was used for another request.")
        case "BS006":
            return SessionEnded("the session has ended and takes no new items; resume it first.")
        case "BS007":
            return ForksDepend("other sessions begin in this one; purge them first.")
        case "BS009":
            return VerificationFailed(f"the import does not hold together: {text}.")
        case "BS010":
            return SessionDiffers(f"{text}.")
        case "55P03":
            return SessionBusy("the session's lock was not free in time: too many writers at once.")
        case "42P01" | "42883" | "3F000":
            return SchemaMismatch(
                "the database lacks Backstory's schema or has an older one: run 'backstory db upgrade'."
            )
        case "40001" | "40P01":
            return Conflict("the database refused the transaction because of another one; try again.")
        case "53100":
            return StorageFull(f"the database has no space left, so nothing was written: {text}.")
        case "25006":
            return ServerUnavailable("the database is read-only: a replica, or one that was made so.")
        case "54000":
            return InvalidInput("append", text)
    if isinstance(error, psycopg.DataError):
        # What the checks let through and Postgres cannot store. The driver's own have no message of the server's.
        return InvalidInput("value", (text or str(error)).splitlines()[0])
    if isinstance(error, LOST) and (not state or state.startswith(("08", "57P"))):
        return _Lost()
    if isinstance(error, psycopg.OperationalError | psycopg.InternalError) or state == "42501":
        # A statement timeout, a lack of memory, a missing privilege: the statement was undone.
        return Unavailable(f"the database could not do it: {text or 'it gave no reason'}.")
    return error
