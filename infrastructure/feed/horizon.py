"""The position up to which the feed can be read with nothing missing.

A position is drawn before its event is committed, so a reader that goes by what it sees would pass over a number whose
writer is slow. Every writer has its transaction id before it draws a position. So whoever reads the newest number that
was drawn, then takes a transaction id of his own, and then waits until every id up to his is done, knows: what was
drawn by then is visible now, or was rolled back and never will be.
"""

import logging
import threading
import time
from typing import NamedTuple

import psycopg

from backstory.domain.errors import Refused
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.queries import query

_LOGGER = logging.getLogger(__name__)
_PAUSE = 0.001
PATIENCE = 5.0
"""Seconds that a reader of the feed waits for writers before it takes what is certain."""
NOTE_EVERY = 1.0
"""Seconds between two notes of the horizon in the database, for readers that begin while it cannot move."""


class _Mark(NamedTuple):
    """A position that was the newest before this transaction id was taken."""

    position: int
    transaction: int
    made_at: float


class Staller(NamedTuple):
    """The oldest transaction that the feed waits for: the process it is in, or the name it was prepared under."""

    pid: int | None
    prepared: str | None = None

    def __str__(self) -> str:
        if self.pid is None:
            return f"the prepared transaction {self.prepared!r}"
        return f"a long transaction of process {self.pid}"


class Horizon:
    """The newest position below which no event can still appear. Many readers may share one."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._mark: _Mark | None = None
        self._noted_at = 0.0
        self._warned: Staller | None = None
        self._spread: bool | None = None
        self.position = 0

    @property
    def is_held(self) -> bool:
        """Whether positions were drawn that are not certain yet."""
        return self._mark is not None

    def advance(self, patience: float = PATIENCE, warn_after: float | None = None) -> int:
        """The newest position that is certain: everything that was committed before the call is below it. Short writers
        are waited for; a long one limits what is served, and a warning names it, at the end of the patience or once it
        has taken longer than `warn_after`."""
        began = time.monotonic()
        while True:
            with self._lock:
                looked_at = self._mark.made_at if self._mark else began
                if self._database.read(self._step):
                    self._warned = None
                    if looked_at >= began:
                        return self.position
                    continue  # That was as much as somebody else's look before this call could tell.
                held_since = self._mark.made_at if self._mark else began
            if time.monotonic() - began > patience:
                if warn_after is None or time.monotonic() - held_since >= warn_after:
                    self._warn()
                return self.position
            time.sleep(_PAUSE)

    def staller(self) -> Staller | None:
        """The oldest open transaction with an id, if there is one."""
        row = self._database.read(lambda c: c.execute(query("stalling_process")).fetchone())
        return Staller(*row) if row else None

    def _step(self, connection: psycopg.Connection) -> bool:
        """Whether the newest position that was drawn, when this or an earlier step looked, is certain now.

        A mark is kept until its time comes. Were a new one made at every look, transactions that overlap each other
        could hold the feed for ever, although none of them is long."""
        if self._mark is None:
            self._mark = self._next_mark(connection)
            if self._mark is None:
                return True
        oldest, next_ = _row(connection, query("running_transactions"))
        if oldest > self._mark.transaction:
            self.position = max(self.position, self._mark.position)
            self._mark = None
            return True
        if next_ <= self._mark.transaction:
            # The server has lost the transactions since, as one that took over from another may have.
            self._mark = None
        return False

    def _next_mark(self, connection: psycopg.Connection) -> _Mark | None:
        """The newest position that was drawn, and a transaction id that was taken after that. None where nothing was
        drawn since: while nobody writes, no id is used up."""
        if self._spread is None:
            self._spread = bool(_row(connection, query("is_distributed"))[0])
        if self._spread:
            raise Refused(
                "there is no feed of all sessions where they are spread over several machines: follow each one by its "
                "own tail."
            )
        last, is_called = _row(connection, query("last_drawn_position"))
        if not is_called or last <= self.position:
            return None
        note = self.position > 0 and time.monotonic() - self._noted_at > NOTE_EVERY
        row = connection.execute(query("mark_feed"), (self.position if note else None,)).fetchone()
        assert row is not None
        (newest, transaction, noted) = row[0]
        if note or self.position == 0:
            self._noted_at = time.monotonic()
        self.position = max(self.position, noted)
        return _Mark(newest, transaction, time.monotonic())

    def _warn(self) -> None:
        staller = self.staller()
        if staller is not None and staller != self._warned:
            self._warned = staller
            _LOGGER.warning("the feed is held at position %s by %s", self.position, staller)


def _row(connection: psycopg.Connection, text: bytes) -> tuple[int, ...]:
    row = connection.execute(text).fetchone()
    assert row is not None
    return row
