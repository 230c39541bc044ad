"""The recorders that states are read through: the library's repository over our log and our snapshots.

Their errors are ours, since it is the store's users who meet them.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import psycopg
from eventsourcing.persistence import AggregateRecorder, InterfaceError, ProgrammingError, StoredEvent

from backstory.infrastructure.eventsourcing_library.mapper import StoredRow
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.log import EventLog
from backstory.infrastructure.postgres.queries import query

LAST_VERSION = 2**31 - 1


class EnvelopeRecorder(AggregateRecorder):
    """Reads events with all of their envelope, as the fold needs them. Events are written by `append`."""

    def __init__(self, database: Database) -> None:
        self._log = EventLog(database)

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        raise ProgrammingError("a stored event lacks the envelope that an event of ours has")

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredRow]:
        after, upto = 0 if gt is None else gt, LAST_VERSION if lte is None else lte
        return self._log.rows(stream_of(originator_id), after, upto, desc=desc, limit=limit)


class SnapshotRecorder(AggregateRecorder):
    """Records states of one fold version; those of others are not seen. A state is saved once: whoever
    computed the same one a moment later has nothing to add."""

    TOPIC = "snapshot"

    def __init__(self, database: Database, fold_version: int) -> None:
        self.database = database
        self.fold_version = fold_version

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        def save_all(connection: psycopg.Connection) -> None:
            with connection.transaction():
                for event in stored_events:
                    self.save(connection, event, event.state)

        self.database.repeat(save_all, certain=True)
        return None

    def save(self, connection: psycopg.Connection, event: StoredEvent, state: bytes) -> bool:
        """Whether the state was saved: not when there is one already, or no such version to have it of."""
        row = connection.execute(
            query("save_snapshot"),
            (stream_of(event.originator_id), event.originator_version, self.fold_version, state),
        ).fetchone()
        return bool(row and row[0])

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        text = query("last_snapshots") if desc else query("first_snapshots")
        stream = stream_of(originator_id)
        after, upto = -1 if gt is None else gt, LAST_VERSION if lte is None else lte
        wanted = (stream, self.fold_version, after, upto, limit)
        rows = self.database.read(lambda c: c.execute(text, wanted, binary=True).fetchall())
        return [StoredEvent(stream, version, self.TOPIC, state) for version, state in rows]


def stream_of(originator_id: UUID | str) -> UUID:
    """The stream that an id of the library's names."""
    if isinstance(originator_id, UUID):
        return originator_id
    try:
        return UUID(originator_id)
    except ValueError as error:
        raise InterfaceError(f"{originator_id!r} is not a UUID") from error
