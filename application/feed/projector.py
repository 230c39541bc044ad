"""One projection on one connection: applies batches exactly once, and sets aside events that cannot be applied."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from backstory.application.feed.projections import FeedBatch, FeedProjection, TryLater
from backstory.application.runtime import Runtime
from backstory.domain.errors import ProjectionFailed
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.schema.migrate import may_become_service

_LOGGER = logging.getLogger(__name__)

MOST_IN_A_ROW = 20
"""Consecutive events that may be set aside before the projection itself counts as broken."""
LONGEST_REASON = 2_000
_PAUSE = 0.05
_LONGEST_PAUSE = 5.0

_PASSING = (
    psycopg.errors.SerializationFailure,
    psycopg.errors.DeadlockDetected,
    psycopg.errors.LockNotAvailable,
    psycopg.errors.QueryCanceled,
    psycopg.errors.InsufficientResources,
    psycopg.errors.ReadOnlySqlTransaction,
)
"""Errors that do not depend on the event. They are retried until they pass."""


class Interrupted(Exception):
    """Raised when the projection is to stop, or is being rebuilt. Nothing was applied."""


class Projector:
    """Applies events to a projection. Its writes and the position are committed together."""

    def __init__(
        self,
        runtime: Runtime,
        projection: FeedProjection,
        connection: psycopg.Connection,
        *,
        attempts: int,
        stopped: threading.Event,
        forgiving: bool = True,
    ) -> None:
        self._runtime = runtime
        self._projection = projection
        self._connection = connection
        self._attempts = attempts
        self._stopped = stopped
        self._forgiving = forgiving
        self._types = tuple(getattr(projection, "types", None) or ())
        self._serves = may_become_service(connection)
        self._in_a_row = 0

    def lead(self) -> bool:
        """Whether this connection leads the projection, from now until it ends."""
        return bool(self._value(query("lead_projection"), self._projection.name))

    def hold(self) -> None:
        """Locks out all others until the connection ends."""
        self._value(query("hold_projection"), self._projection.name)

    def reset(self) -> None:
        """Empties the projection and resets its position."""
        with self._transaction():
            self._act_as_login()
            self._projection.reset(self._connection)
            self._act_as_service()
            self._connection.execute(query("start_over"), (self._projection.name,))

    def position(self) -> int:
        """The position of the projection."""
        with self._connection.transaction():
            self._act_as_service()
            return self._position()

    def step(self, horizon: int, size: int) -> bool:
        """Applies the next events up to the horizon. Returns whether there were any."""
        with self._connection.transaction():
            self._act_as_service()
            after = self._position()
            upto = self._value(query("end_of_batch"), after, horizon, size)
        if upto is None:
            return False
        self._apply_or_part(after, upto)
        return True

    def take_up(self, position: int) -> bool:
        """Applies an event that was set aside. Returns whether that succeeded."""
        try:
            with self._transaction():
                if self._value(query("take_up"), self._projection.name, position):
                    self._project(position - 1, position)
            return True
        except Exception as error:
            if self._connection.closed or isinstance(error, (Interrupted, TryLater, *_PASSING)):
                raise
            with self._transaction():
                self._set_aside(position, 1, error)
            return False

    def _apply_or_part(self, after: int, upto: int) -> None:
        """Applies a range of events. On failure it is split in two, and so on, until the event that cannot be applied
        is alone."""
        try:
            self._apply_when_possible(after, upto)
            return
        except Exception as error:
            if self._connection.closed or isinstance(error, Interrupted | TryLater):
                raise
            failure = error
        positions = self._positions(after, upto)
        if len(positions) > 1:
            middle = positions[len(positions) // 2 - 1]
            self._apply_or_part(after, middle)
            self._apply_or_part(middle, upto)
        else:
            self._apply_insisting(after, upto, positions, failure)

    def _apply_when_possible(self, after: int, upto: int) -> None:
        """Applies a range of events, and retries errors that pass."""
        pause = _PAUSE
        while True:
            try:
                self._apply(after, upto)
                self._in_a_row = 0
                return
            except _PASSING as error:
                if self._connection.closed:
                    raise
                _LOGGER.warning("projection %s tries again: %s", self._projection.name, _told(error))
            if self._stopped.wait(pause):
                raise Interrupted
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _apply_insisting(self, after: int, upto: int, positions: list[int], failure: Exception) -> None:
        """Retries an event a few times, then sets it aside."""
        pause = _PAUSE
        for _ in range(1, self._attempts):
            if self._stopped.wait(pause):
                raise Interrupted
            pause = min(2 * pause, _LONGEST_PAUSE)
            try:
                self._apply_when_possible(after, upto)
                return
            except Exception as error:
                if self._connection.closed or isinstance(error, Interrupted | TryLater):
                    raise
                failure = error
        name = self._projection.name
        where = f"the event at position {positions[0]}" if positions else f"nothing up to position {upto}"
        if not (self._forgiving and positions):
            raise ProjectionFailed(f"{name} cannot apply {where}: {_told(failure)}") from failure
        if self._in_a_row >= MOST_IN_A_ROW:
            raise ProjectionFailed(
                f"{name} could apply none of {self._in_a_row + 1} events in a row, the last one at position "
                f"{positions[0]}: {_told(failure)}"
            ) from failure
        with self._transaction() as position:
            _expect(position, after)
            self._set_aside(positions[0], self._attempts, failure)
            self._track(upto)
        self._in_a_row += 1
        _LOGGER.error("projection %s goes on without %s: %s", name, where, _told(failure))

    def _apply(self, after: int, upto: int) -> None:
        with self._transaction() as position:
            _expect(position, after)
            self._project(after, upto)
            self._track(upto)

    def _project(self, after: int, upto: int) -> None:
        """Calls the projection as the login role, so that it can have its own tables."""
        self._act_as_login()
        self._projection.apply(self._connection, FeedBatch(self._runtime, after, upto, self._types))
        self._act_as_service()

    @contextmanager
    def _transaction(self) -> Iterator[int]:
        """A transaction during which nobody can rebuild the projection. Yields its position."""
        with self._connection.transaction():
            self._act_as_service()
            if not self._value(query("enter_projection"), self._projection.name):
                raise Interrupted
            yield self._position()

    def _position(self) -> int:
        return self._value(query("newest_tracked_position"), self._projection.name) or 0

    def _positions(self, after: int, upto: int) -> list[int]:
        wanted = {"after": after, "upto": upto, "types": list(self._types) or None}
        with self._connection.transaction():
            self._act_as_service()
            return [row[0] for row in self._connection.execute(query("feed_positions"), wanted)]

    def _track(self, upto: int) -> None:
        self._connection.execute(query("track"), (self._projection.name, upto))

    def _set_aside(self, position: int, attempts: int, failure: Exception) -> None:
        given = (self._projection.name, position, attempts, _told(failure))
        self._connection.execute(query("set_aside"), given)

    def _act_as_service(self) -> None:
        if self._serves:
            self._connection.execute(query("act_as_service"))

    def _act_as_login(self) -> None:
        if self._serves and not getattr(self._projection, "acts_as_service", False):
            self._connection.execute(query("act_as_login"))

    def _value(self, text: bytes, *parameters: object) -> Any:
        row = self._connection.execute(text, parameters).fetchone()
        return row[0] if row else None


def _expect(position: int, after: int) -> None:
    """Raises Interrupted if another process has applied events or begun a rebuild."""
    if position != after:
        raise Interrupted


def _told(error: Exception) -> str:
    """The reason of a failure, as text that can be stored and shown."""
    said = f"{type(error).__name__}: {error}".replace("\0", "\\0")[:LONGEST_REASON]
    return said.encode(errors="backslashreplace").decode()
