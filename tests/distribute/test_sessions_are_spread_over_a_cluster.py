"""On a real Citus cluster: everything that a session can do, on whatever machine it is. Needs BACKSTORY_CITUS_URL, the
superuser's address of a database on its coordinator that these tests may fill."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from backstory.application.operations.distribution import distribute_database
from backstory.application.store import ContextStore
from backstory.domain.errors import Refused
from backstory.infrastructure.schema import migrate as schema
from backstory.infrastructure.schema.protection import PROTECTED
from tests.verify.rich_session import write_fork, write_session

CLUSTER = os.environ.get("BACKSTORY_CITUS_URL", "")

pytestmark = [
    pytest.mark.citus,
    pytest.mark.skipif(not CLUSTER, reason="needs a Citus coordinator, at BACKSTORY_CITUS_URL"),
]


@pytest.fixture(scope="module")
def store() -> Iterator[ContextStore]:
    distribute_database(CLUSTER)
    with ContextStore.open(CLUSTER) as store:
        yield store


@pytest.fixture(scope="module")
def connection() -> Iterator[psycopg.Connection]:
    with psycopg.connect(CLUSTER, autocommit=True) as connection:
        yield connection


def test_done_again_there_is_nothing_left_to_spread(store: ContextStore) -> None:
    again = distribute_database(CLUSTER)
    assert (again.distributed, again.replicated) == ((), ())
    assert {"append", "erase_contents", "lock_stream", "save_snapshot"} <= {*again.delegated}


def test_every_table_of_streams_is_where_the_streams_are(
    store: ContextStore, connection: psycopg.Connection
) -> None:
    rows = connection.execute(
        "select c.relname, p.partmethod, p.colocationid from pg_class c "
        "left join pg_dist_partition p on p.logicalrelid = c.oid "
        "where c.relnamespace = 'backstory'::regnamespace and c.relkind = 'r'"
    ).fetchall()
    found = {name: (method, group) for name, method, group in rows}
    together = {
        "events",
        "contents",
        "appends",
        "snapshots",
        "items",
        "branch_points",
        "checkpoints",
        "tombstones",
    }
    assert {found[name] for name in together} == {found["streams"]}
    assert found["streams"][0] == "h"
    assert found["tracking"][0] == "n", "a copy on every machine"


def test_everything_that_a_session_can_do(store: ContextStore) -> None:
    session = write_session(store)
    fork = write_fork(session)
    again = write_fork(fork)
    for one in (session, fork, again):
        assert one.verify().problem is None
        assert store.check_projections([one.id]).require().ok


def test_sessions_lie_on_several_machines(store: ContextStore, connection: psycopg.Connection) -> None:
    ids = [store.start().id for _ in range(40)]
    places = connection.execute(
        "select count(distinct (nodename, nodeport)) from unnest(%s::uuid[]) as s (id), "
        "lateral get_shard_id_for_distribution_column('backstory.streams', s.id) as shard, pg_dist_shard_placement p "
        "where p.shardid = shard",
        (ids,),
    ).fetchone()
    machines = connection.execute("select count(*) from pg_dist_node where shouldhaveshards").fetchone()
    assert places == machines


def test_many_writers_of_one_session_lose_nothing(store: ContextStore) -> None:
    session = store.start()
    with ThreadPoolExecutor(8) as threads:
        written = [threads.submit(session.message, f"message {number}") for number in range(80)]
        assert sorted(job.result() for job in written) == list(range(2, 82))
    assert session.verify().ok


def test_read_models_are_rebuilt(store: ContextStore, connection: psycopg.Connection) -> None:
    session = write_session(store)
    connection.execute(
        "update backstory.items set tokens = tokens + 1 where stream_id = %s and item = 5", (session.id,)
    )
    assert not store.check_projections([session.id]).ok
    assert len(store.rebuild_projections([session.id]).changed) == 1
    assert session.verify().ok


def test_the_log_only_grows(store: ContextStore, connection: psycopg.Connection) -> None:
    stream = store.start().id
    for table in ("events", "contents", "appends"):
        with pytest.raises(psycopg.Error, match="append-only"):
            connection.execute(f"delete from backstory.{table} where stream_id = %s".encode(), (stream,))
    assert set(PROTECTED) >= {"events", "contents", "appends"}


def test_there_is_no_feed_of_all_sessions(store: ContextStore) -> None:
    store.start()
    with pytest.raises(Refused, match="spread over several machines"):
        next(iter(store.feed()))


def test_a_session_is_followed_by_its_own_tail(store: ContextStore) -> None:
    session = store.start()
    session.message("hello")
    assert [event.version for event in session.tail(upto=2)] == [1, 2]


def test_an_upgrade_has_nothing_to_do(store: ContextStore) -> None:
    assert schema.upgrade(CLUSTER) == ((), False)
