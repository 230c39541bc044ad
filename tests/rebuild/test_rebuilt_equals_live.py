"""The law of read models: whatever happened, those made anew from the log are those that the appends have kept."""

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent
from hypothesis import given

from backstory.application.rebuild import session_rebuild
from backstory.application.store import ContextStore
from backstory.infrastructure.eventsourcing_library.recorder import AggregateLogRecorder
from tests.properties import examples
from tests.replay.histories import World, a_store, histories

FORGET = (
    "delete from backstory.items where stream_id = any (%s)",
    "delete from backstory.checkpoints where stream_id = any (%s)",
    "delete from backstory.branch_points where stream_id = any (%s)",
    "update backstory.streams set summary = '{}', epoch = 0 where stream_id = any (%s)",
)


@pytest.fixture(params=[1_000, 5], ids=["under the lock", "before the lock"])
def short(request: pytest.FixtureRequest) -> Iterator[None]:
    """What counts as short. Everything longer is drawn before the lock is taken."""
    usual, session_rebuild.SHORT = session_rebuild.SHORT, request.param
    yield
    session_rebuild.SHORT = usual


@examples(2)
@given(history=histories(40))
def test_rebuilt_read_models_equal_live_ones(
    store: ContextStore, url: str, short: None, history: list
) -> None:
    world = World(a_store(store))
    world.tell(history)
    ids = [told.session.id for told in world.told]
    assert store.rebuild_projections(ids).changed == ()
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in FORGET:
            connection.execute(statement.encode(), (ids,))
    assert {found.session for found in store.rebuild_projections(ids).changed} == set(ids)
    assert store.check_projections(ids).require().ok
    for told in world.told:
        assert told.session.verify().problem is None


def test_a_stream_of_the_library_has_an_empty_summary(store: ContextStore, url: str) -> None:
    stream = uuid4()
    recorder = AggregateLogRecorder(store._runtime.database)
    recorder.insert_events([StoredEvent(stream, version, "topic", b"\0state") for version in (1, 2, 3)])
    assert store.rebuild_projections([stream]).changed == ()
    assert store.check_projections([stream]).ok
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("update backstory.streams set summary = '{}' where stream_id = %s", (stream,))
    assert not store.check_projections([stream]).ok
    assert len(store.rebuild_projections([stream]).changed) == 1
    assert store.check_projections([stream]).ok
