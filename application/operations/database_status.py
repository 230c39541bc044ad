"""The status of a database beside its tables: migrations, feed, transactions, replication."""

from datetime import datetime
from typing import NamedTuple

import psycopg

from backstory.infrastructure.postgres.queries import query


class AppliedMigration(NamedTuple):
    number: int
    name: str
    applied_at: datetime


class OpenTransaction(NamedTuple):
    """An open transaction. Readers of the feed wait for one that has written."""

    pid: int
    seconds: float
    state: str | None
    """The state of its process. None if this login may not see it."""
    user: str | None
    application: str | None
    writes: bool
    """Whether it has written, so that the feed waits for it."""
    database: str | None
    """Its database, if that is another one. The feed waits for writers in any database of the server."""


class FollowingServer(NamedTuple):
    """A standby of this server."""

    name: str
    state: str
    sync: str
    """sync, potential, quorum or async."""
    behind: int | None
    """Bytes of the write-ahead log that it has not replayed. None if this login may not see it."""


class Replication(NamedTuple):
    standby: bool
    """Whether this server is a standby, which takes no writes."""
    replayed_at: datetime | None
    """The commit time of the newest transaction that a standby has replayed."""
    standbys: tuple[FollowingServer, ...]


def applied_migrations(connection: psycopg.Connection) -> tuple[AppliedMigration, ...]:
    return tuple(AppliedMigration._make(row) for row in connection.execute(query("applied_migrations")))


def longest_transaction(connection: psycopg.Connection) -> OpenTransaction | None:
    row = connection.execute(query("longest_transaction")).fetchone()
    return None if row is None else OpenTransaction._make(row)


def replication(connection: psycopg.Connection) -> Replication:
    row = connection.execute(query("replayed")).fetchone()
    assert row is not None
    standbys = connection.execute(query("standbys")).fetchall()
    standby, replayed_at = row
    return Replication(standby, replayed_at, tuple(FollowingServer._make(one) for one in standbys))
