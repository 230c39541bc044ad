"""How far a rebuild of all read models has come, kept in the database, so that an interrupted one goes on."""

import time
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import psycopg

from backstory.application.integrity.projection_check import Listed
from backstory.infrastructure.postgres.queries import query

READ_MODELS = "read models"
NOTED_EVERY = 1.0
"""Seconds between two notes: so much work is done again, at most."""


class LastRebuild(NamedTuple):
    started_at: datetime
    finished_at: datetime | None
    stream_started_at: datetime | None
    last_stream: UUID | None
    sessions: int
    events: int


def last_rebuild(connection: psycopg.Connection) -> LastRebuild | None:
    row = connection.execute(query("last_rebuild"), (READ_MODELS,)).fetchone()
    return None if row is None else LastRebuild._make(row)


class RebuildRun:
    """A run over all sessions, in the order of their beginnings."""

    def __init__(self, connection: psycopg.Connection, *, afresh: bool) -> None:
        last = None if afresh else last_rebuild(connection)
        self.resumed = last if last is not None and last.finished_at is None and last.last_stream else None
        if self.resumed is None:
            connection.execute(query("begin_rebuild"), (READ_MODELS,))
        self._sessions, self._events = (
            (self.resumed.sessions, self.resumed.events) if self.resumed else (0, 0)
        )
        self._reached: Listed | None = None
        self._stopped = False
        self._noted = time.monotonic()

    def left(self, streams: list[Listed]) -> list[Listed]:
        """What is still to be done of all sessions."""
        if self.resumed is None or self.resumed.stream_started_at is None or self.resumed.last_stream is None:
            return streams
        done = (self.resumed.stream_started_at, self.resumed.last_stream)
        return [one for one in streams if (one.started_at, one.stream) > done]

    def passed(self, connection: psycopg.Connection, one: Listed, *, done: bool) -> None:
        """Notes a session that was passed. What comes after one that could not be done is done again."""
        self._stopped = self._stopped or not done
        if self._stopped:
            return
        self._reached = one
        self._sessions += 1
        self._events += one.events
        if time.monotonic() - self._noted >= NOTED_EVERY:
            self._note(connection, finished=False)

    def finish(self, connection: psycopg.Connection) -> None:
        self._note(connection, finished=True)

    def _note(self, connection: psycopg.Connection, *, finished: bool) -> None:
        reached = (self._reached.started_at, self._reached.stream) if self._reached else (None, None)
        connection.execute(
            query("note_rebuild"), (*reached, self._sessions, self._events, finished, READ_MODELS)
        )
        self._noted = time.monotonic()
