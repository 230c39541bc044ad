"""What goes on in a database beside the tables: migrations, the feed, transactions, replication."""

from datetime import datetime
from typing import NamedTuple

import psycopg

from backstory.infrastructure.postgres.queries import query


class AppliedMigration(NamedTuple):
    number: int
    name: str
    applied_at: datetime


class FeedConsumer(NamedTuple):
    """How far one who keeps track of the feed has come."""

    name: str
    position: int
    behind: int
    """Positions up to the newest event."""
    seconds: float
    """How long the oldest event that it has not had is there."""


class FeedLag(NamedTuple):
    newest: int
    """The position of the newest event."""
    consumers: tuple[FeedConsumer, ...]


class OpenTransaction(NamedTuple):
    """A transaction that is not done. While one is open that has written, readers of the feed wait for it."""

    pid: int
    seconds: float
    state: str | None
    """What its process does; None where this login may not see that."""
    user: str | None
    application: str | None
    writes: bool
    """Whether it has a transaction id, so that the feed waits for it."""
    database: str | None
    """The one it is in, when that is another one than this: the feed waits for writers in any of the server's."""


class Standby(NamedTuple):
    """A server that follows this one."""

    name: str
    state: str
    sync: str
    """sync, potential, quorum or async."""
    behind: int | None
    """Bytes of the write-ahead log that it has not replayed; None where this login may not see that."""


class Replication(NamedTuple):
    standby: bool
    """Whether this server follows another, and takes no writes."""
    replayed_at: datetime | None
    """When the newest transaction that a standby has replayed was committed."""
    standbys: tuple[Standby, ...]


def applied_migrations(connection: psycopg.Connection) -> tuple[AppliedMigration, ...]:
    return tuple(AppliedMigration._make(row) for row in connection.execute(query("applied_migrations")))


def feed_lag(connection: psycopg.Connection) -> FeedLag:
    newest, consumers = 0, []
    for name, position, newest, seconds in connection.execute(query("feed_lag"), (0,)):
        if name is not None:
            consumers.append(FeedConsumer(name, position, max(0, newest - position), seconds))
    return FeedLag(newest, tuple(consumers))


def longest_transaction(connection: psycopg.Connection) -> OpenTransaction | None:
    row = connection.execute(query("longest_transaction")).fetchone()
    return None if row is None else OpenTransaction._make(row)


def replication(connection: psycopg.Connection) -> Replication:
    row = connection.execute(query("replayed")).fetchone()
    assert row is not None
    standbys = connection.execute(query("standbys")).fetchall()
    standby, replayed_at = row
    return Replication(standby, replayed_at, tuple(Standby._make(one) for one in standbys))
