"""The progress of a rebuild of all read models, kept in the database so that an interrupted one can continue."""

import time
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import psycopg

from backstory.application.integrity.projection_check import StreamToCheck
from backstory.infrastructure.postgres.queries import query

READ_MODELS = "read models"
NOTED_EVERY = 1.0
"""Seconds between two writes. At most this much work is repeated."""


class LastRebuild(NamedTuple):
    """The newest run over all sessions."""

    started_at: datetime
    finished_at: datetime | None
    stream_started_at: datetime | None
    last_stream: UUID | None
    sessions: int
    events: int


def last_rebuild(connection: psycopg.Connection) -> LastRebuild | None:
    row = connection.execute(query("last_rebuild"), (READ_MODELS,)).fetchone()
    return None if row is None else LastRebuild._make(row)


class RebuildProgress:
    """The progress of a run over all sessions, in the order of their beginnings."""

    def __init__(self, connection: psycopg.Connection, *, afresh: bool) -> None:
        last = None if afresh else last_rebuild(connection)
        self.resumed = last if last is not None and last.finished_at is None and last.last_stream else None
        if self.resumed is None:
            connection.execute(query("begin_rebuild"), (READ_MODELS,))
        self._sessions, self._events = (
            (self.resumed.sessions, self.resumed.events) if self.resumed else (0, 0)
        )
        self._reached: StreamToCheck | None = None
        self._stopped = False
        self._noted = time.monotonic()

    def left(self, streams: list[StreamToCheck]) -> list[StreamToCheck]:
        """The sessions that are still to be done."""
        if self.resumed is None or self.resumed.stream_started_at is None or self.resumed.last_stream is None:
            return streams
        done = (self.resumed.stream_started_at, self.resumed.last_stream)
        return [stream for stream in streams if (stream.started_at, stream.id) > done]

    def passed(self, connection: psycopg.Connection, stream: StreamToCheck, *, done: bool) -> None:
        """Records a session. After one that could not be done, nothing is recorded, so that the next run repeats it."""
        self._stopped = self._stopped or not done
        if self._stopped:
            return
        self._reached = stream
        self._sessions += 1
        self._events += stream.events
        if time.monotonic() - self._noted >= NOTED_EVERY:
            self._note(connection, finished=False)

    def finish(self, connection: psycopg.Connection) -> None:
        self._note(connection, finished=True)

    def _note(self, connection: psycopg.Connection, *, finished: bool) -> None:
        reached = (self._reached.started_at, self._reached.id) if self._reached else (None, None)
        connection.execute(
            query("note_rebuild"), (*reached, self._sessions, self._events, finished, READ_MODELS)
        )
        self._noted = time.monotonic()
