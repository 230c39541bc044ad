"""Reads from a standby that may lag, without missing what this process has written.

A standby replays the primary's write-ahead log. Before a read, it is asked whether it has replayed our own last write.
If it has not after a short wait, or is away, the primary answers. Only calls that only read come here: a read that
decides a write goes to the primary.
"""

import inspect
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

import psycopg
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from backstory.infrastructure.postgres.queries import query

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE = 0.25
"""Seconds that a read waits for a standby to replay our own writes."""
AVOIDED = 2.0
"""Seconds for which a standby that could not answer is not asked again."""
CONNECT_SECONDS = 2
"""Seconds that a read waits for a connection to it."""
_PAUSE = 0.002

_may_lag: ContextVar[bool] = ContextVar("backstory_may_lag", default=False)


def reads_only(method: Callable[P, T]) -> Callable[P, T]:
    """Marks a call that only reads: its reads may go to a standby."""
    if not inspect.isgeneratorfunction(method):

        @wraps(method)
        def read(*args: P.args, **named: P.kwargs) -> T:
            with _lagging():
                return method(*args, **named)

        return read

    @wraps(method)
    def iterate(*args: P.args, **named: P.kwargs) -> Iterator[Any]:
        # Step by step: what the caller does between two steps is not a part of this read.
        steps = cast(Iterator[Any], method(*args, **named))
        while True:
            with _lagging():
                try:
                    value = next(steps)
                except StopIteration:
                    return
            yield value

    return cast(Callable[P, T], iterate)


@contextmanager
def _lagging() -> Iterator[None]:
    before = _may_lag.set(True)
    try:
        yield
    finally:
        _may_lag.reset(before)


@contextmanager
def from_primary() -> Iterator[None]:
    """Sends reads to the primary until the block ends: a decision needs the newest state."""
    before = _may_lag.set(False)
    try:
        yield
    finally:
        _may_lag.reset(before)


def may_lag() -> bool:
    """Whether the current call may be answered by a standby."""
    return _may_lag.get()


class StandbyAway(Exception):
    """The standby cannot answer now: the primary can."""


class Standby:
    """Connections to a standby. `position` asks the primary how far its write-ahead log has come."""

    def __init__(
        self,
        url: str,
        *,
        pool_size: int,
        position: Callable[[], str],
        configure: Callable[[psycopg.Connection], None],
    ) -> None:
        self._position = position
        self._lock = threading.Lock()
        self._writes = 1
        self._known_writes = 0
        self._needed = 0
        self._replayed = -1
        self._avoided_until = 0.0
        self._pool = ConnectionPool(
            url,
            min_size=0,
            max_size=pool_size,
            open=True,
            timeout=CONNECT_SECONDS,
            reconnect_timeout=CONNECT_SECONDS,
            kwargs={"autocommit": True, "connect_timeout": CONNECT_SECONDS},
            configure=configure,
            name="backstory-standby",
        )

    def close(self) -> None:
        self._pool.close()

    def wrote(self) -> None:
        """To be called after each write: later reads see it."""
        self._writes += 1

    def read(self, reading: Callable[[psycopg.Connection], T]) -> T:
        """Returns the result of a read on the standby. StandbyAway if it has not replayed our own writes in time."""
        if time.monotonic() < self._avoided_until:
            raise StandbyAway
        needed = self._needed_position()
        try:
            connection = self._pool.getconn(CONNECT_SECONDS)
        except (PoolTimeout, PoolClosed, psycopg.Error):
            raise self._away() from None
        try:
            if self._replayed < needed:
                self._await(connection, needed)
            return reading(connection)
        except psycopg.Error as error:
            # A read is cancelled when it stands in the way of replay; an older standby may lack what the primary has.
            # An error that is the reading's own, the primary repeats.
            connection.close()
            raise self._away() from error
        finally:
            self._pool.putconn(connection)

    def _needed_position(self) -> int:
        """A position in the log after all our own writes. The primary is asked for it once after each write."""
        writes = self._writes
        if self._known_writes < writes:
            found = _number(self._position())
            with self._lock:
                self._needed = max(self._needed, found)
                self._known_writes = max(self._known_writes, writes)
        return self._needed

    def _await(self, connection: psycopg.Connection, needed: int) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            row = connection.execute(query("replayed_position")).fetchone()
            assert row is not None
            if row[0] is None:
                raise self._away()  # It follows nobody any more: it was promoted, or never was a standby.
            self._replayed = max(self._replayed, _number(row[0]))
            if self._replayed >= needed:
                return
            if time.monotonic() > deadline:
                raise StandbyAway
            time.sleep(_PAUSE)

    def _away(self) -> StandbyAway:
        self._avoided_until = time.monotonic() + AVOIDED
        return StandbyAway()


def _number(position: str) -> int:
    """A position in the write-ahead log as a number."""
    high, _, low = position.partition("/")
    return (int(high, 16) << 32) + int(low, 16)
