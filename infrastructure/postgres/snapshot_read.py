"""Reads of one snapshot of the database, for reads that must agree with each other."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import psycopg

from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.queries import query

T = TypeVar("T")


class SnapshotRead(Database):
    """A database of which all reads see the same snapshot."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection]:
        yield self._connection

    def _repeat(self, work: Callable[[psycopg.Connection], T], *, certain: bool) -> T:
        # A snapshot ends with its connection: `read_snapshot` does the whole work again.
        return work(self._connection)


def read_snapshot(database: Database, work: Callable[[SnapshotRead], T]) -> T:
    """Returns the result of work on a snapshot of the database. It takes no lock and, having no transaction id, does
    not hold up readers of the feed. If the connection is lost, all of it is done again."""

    def attempt(connection: psycopg.Connection) -> T:
        with connection.transaction():
            connection.execute(query("read_one_moment"))
            return work(SnapshotRead(connection))

    return database.repeat(attempt, certain=True)
