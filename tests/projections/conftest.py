"""Projections of a user's own, on databases of the tests' own."""

from collections.abc import Collection, Iterator

import psycopg
import pytest

from backstory.application.feed.projections import FeedBatch
from backstory.application.store import ContextStore


class Versions:
    """Keeps one row for each event, in a table of its own, so that one that counted twice or not at all shows."""

    types: Collection[str] = ()

    def __init__(self, connection: psycopg.Connection, name: str = "versions") -> None:
        self.name = name
        self.poison: set[int] = set()
        self.applied: list[tuple[int, int]] = []
        connection.execute("create schema if not exists mine")
        connection.execute(
            f"create table if not exists mine.{self.table} (position bigint, n bigserial)".encode()
        )

    @property
    def table(self) -> str:
        return self.name.replace("-", "_")

    def apply(self, connection: psycopg.Connection, batch: FeedBatch) -> None:
        for event in batch:
            connection.execute(f"insert into mine.{self.table} (position) values (%s)", (event.position,))
            if event.position in self.poison:
                raise ValueError(f"position {event.position} \0 is poison")
        self.applied.append((batch.after, batch.upto))

    def reset(self, connection: psycopg.Connection) -> None:
        connection.execute(f"delete from mine.{self.table}")

    def rows(self, connection: psycopg.Connection) -> list[int]:
        """The positions, in the order in which they were applied."""
        return [row[0] for row in connection.execute(f"select position from mine.{self.table} order by n")]


@pytest.fixture
def connection(own_store: ContextStore) -> Iterator[psycopg.Connection]:
    """As a superuser."""
    with psycopg.connect(own_store._runtime.database.url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def versions(connection: psycopg.Connection) -> Versions:
    return Versions(connection)


def positions(store: ContextStore) -> list[int]:
    return [event.position for event in store.feed()]


def write(store: ContextStore, events: int, together: int = 10) -> None:
    session = store.start()
    for first in range(0, events - 1, together):
        with session.atomic() as tx:
            for number in range(first, min(first + together, events - 1)):
                tx.message(str(number))
