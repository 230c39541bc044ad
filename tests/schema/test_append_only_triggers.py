"""What only grows refuses every change, whoever asks."""

from collections.abc import Iterator
from itertools import product

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.infrastructure.schema import migrate as schema

CHANGES = {
    "update": "update backstory.{} set stream_id = stream_id",
    "delete": "delete from backstory.{}",
    "truncate": "truncate backstory.{}",
}
REFUSED = [
    *product(["events", "contents", "appends", "tombstones"], CHANGES),
    ("streams", "delete"),
    ("streams", "truncate"),
]


@pytest.fixture
def superuser(empty_database: str) -> Iterator[psycopg.Connection]:
    schema.upgrade(empty_database)
    with ContextStore.open(empty_database) as store:
        store.start(title="kept").once("key").message("hello")
    with psycopg.connect(empty_database, autocommit=True) as connection:
        yield connection


def test_a_superuser_is_refused_also_when_calling_itself_a_replica(superuser: psycopg.Connection) -> None:
    for role, (table, change) in product(("origin", "replica", "local"), REFUSED):
        superuser.execute(f"set session_replication_role = {role}".encode())
        with pytest.raises(psycopg.Error, match=f"{table} is append-only: {change} is refused") as refused:
            superuser.execute(CHANGES[change].format(table).encode())
        assert refused.value.sqlstate == "BS008"


def test_the_purge_of_a_stream_goes_through_and_leaves_a_tombstone(superuser: psycopg.Connection) -> None:
    stream, version, chain = superuser.execute(
        "select stream_id, version, chain from backstory.streams"
    ).fetchone() or (None, None, None)
    superuser.execute("select backstory.purge(%s)", (stream,))
    left = superuser.execute("select stream_id, version, chain from backstory.tombstones").fetchall()
    assert left == [(stream, version, chain)]
    for table in (
        "events",
        "contents",
        "appends",
        "streams",
        "items",
        "snapshots",
        "branch_points",
        "checkpoints",
    ):
        assert superuser.execute(f"select count(*) from backstory.{table}".encode()).fetchone() == (0,)
    with pytest.raises(psycopg.Error, match="tombstones is append-only"):
        superuser.execute("delete from backstory.tombstones")


def test_a_door_closes_behind_the_one_who_went_through(superuser: psycopg.Connection) -> None:
    with superuser.transaction():
        superuser.execute("select backstory.erase_contents(stream_id, '{1}', '{0}') from backstory.streams")
        with pytest.raises(psycopg.Error, match="contents is append-only"):
            superuser.execute("delete from backstory.contents")
