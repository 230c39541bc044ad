"""A database as it is at one moment, for reads that must agree with each other."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import psycopg

from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.queries import query

T = TypeVar("T")


class SnapshotRead(Database):
    """What all reads through it see is the same, whatever others commit meanwhile."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection]:
        yield self._connection

    def _repeat(self, work: Callable[[psycopg.Connection], T], *, certain: bool) -> T:
        # A moment that was lost with its connection does not come back: whoever asked for it asks again.
        return work(self._connection)


def at_one_moment(database: Database, work: Callable[[SnapshotRead], T]) -> T:
    """What the work gives, done on the database as it is now. It takes no lock and waits for nobody; being
    without a transaction id it does not hold up readers of the feed either. When the connection is lost, all
    of it is done again."""

    def attempt(connection: psycopg.Connection) -> T:
        with connection.transaction():
            connection.execute(query("read_one_moment"))
            return work(SnapshotRead(connection))

    return database.repeat(attempt, certain=True)
