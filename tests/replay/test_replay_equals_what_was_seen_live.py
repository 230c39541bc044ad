"""The law of the log: the state at a version is the state that was seen when the version was new. Whatever happened
since, with snapshots or without, also when the fold's version changed halfway; and the read models say the same."""

import json

import psycopg
from hypothesis import given

from backstory.domain.fold.evolve import evolve
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.infrastructure.postgres.queries import query
from tests.properties import examples
from tests.replay.histories import Told, World, a_store, histories

OTHER_FOLD = 99


@examples(11)
@given(history=histories(40))
def test_replay_equals_live(store, history):
    world = World(a_store(store))
    world.tell(history)
    for told in world.told:
        every_version_is_as_it_was_seen(told)
        read_models_equal_the_fold(told)
        assert told.session.verify().problem is None


@examples(5)
@given(history=histories(40))
def test_replay_equals_live_without_snapshots(store, url, history):
    world = World(a_store(store))
    world.tell(history)
    delete_snapshots(url, world)
    for told in reversed(world.told):
        every_version_is_as_it_was_seen(told)
    delete_snapshots(url, world)
    for told in world.told:
        for version, state in sorted(told.seen.items(), reverse=True):
            assert told.session.at(version) == state
        assert told.session.verify().problem is None


@examples(5)
@given(before=histories(25), after=histories(20))
def test_replay_equals_live_when_the_fold_changed_halfway(store, url, before, after):
    world = World(a_store(store))
    world.tell(before)
    world.go_on_in(a_store(store, fold_version=OTHER_FOLD, snapshot_every=3))
    world.tell(after)
    for told in world.told:
        every_version_is_as_it_was_seen(told)
        assert told.session.verify().problem is None
    world.go_on_in(a_store(store, snapshot_every=5))
    for told in world.told:
        every_version_is_as_it_was_seen(told)
        read_models_equal_the_fold(told)
        assert told.session.verify().problem is None


@examples(3)
@given(history=histories(20, without="erase"))
def test_what_is_read_at_a_version_is_what_was_read_then(store, url, history):
    """Conversations and exports, texts included. Erasing is the one thing that changes what was said."""
    world = World(a_store(store))
    read: list[tuple[Told, int, list[object]]] = []
    for step in history:
        world.happen(step)
        read += [(told, told.session.version, readings(told, told.session.version)) for told in world.told]
    for told, version, readings_then in read:
        assert readings(told, version) == readings_then
    delete_snapshots(url, world)
    for told, version, readings_then in reversed(read):
        assert readings(told, version) == readings_then


def readings(told: Told, version: int) -> list[object]:
    session = told.session
    return [
        session.messages(at=version),
        session.messages(at=version, format="openai"),
        session.messages(at=version, format="anthropic", window="small"),
        json.dumps(session.views.current_context(at=version)),
    ]


def every_version_is_as_it_was_seen(told: Told) -> None:
    """Also as a fold from the very beginning says, which no snapshot has a part in."""
    session = told.session
    assert session.version in told.seen
    for version in range(1, session.version + 1):
        found = session.at(version)
        assert found.version == version
        assert found == folded(told, version)
        if version in told.seen:
            assert found == told.seen[version]
            assert found.digest() == told.seen[version].digest()
            assert found.encode() == told.seen[version].encode()
        windows_hold_their_items(found)


def folded(told: Told, version: int, *, keep_removed: bool = False) -> ContextState:
    """The fold of the events that lead to a version. Items that have left the windows are kept, if asked for, from
    where the branch entered the session's own log: a fork begins with what was live."""
    session = told.session
    reader = session._runtime.reader
    state: ContextState | None = None
    owned = reader.owner(session.id, version)
    for event in reader.events(reader.lineage(owned, version)):
        state = evolve(state, event, keep_removed=keep_removed and event.stream == session.id)
    assert state is not None
    return state


def windows_hold_their_items(state: ContextState) -> None:
    for name, window in state.windows.items():
        live = state.live(name)
        assert window.items == len(live)
        assert window.tokens == sum(item.tokens_in(window.encoding) for item in live)
    assert all(item.windows for item in state.items.values())
    assert list(state.items) == sorted(state.items)


def read_models_equal_the_fold(told: Told) -> None:
    session = told.session
    expected = folded(told, session.version, keep_removed=True)
    assert session.items.list() == [as_row(item) for item in expected.items.values()]
    assert session.items.list(live=True) == [as_row(item) for item in session.state.items.values()]
    rows = session._runtime.database.read(lambda c: c.execute(query("windows"), (session.id,)).fetchall())
    assert {row[0]: row[1:] for row in rows} == {name: tuple(w) for name, w in expected.windows.items()}
    head = session._runtime.require_head(session.id)
    assert (head.version, head.epoch, head.labels) == (expected.version, expected.epoch, expected.labels)
    assert head.counts == expected.counts


def as_row(item: Item) -> Item:
    """An item as the read model has it."""
    return item._replace(versions=(item.id,), role=None)


def delete_snapshots(url: str, world: World) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(
            "delete from backstory.snapshots where stream_id = any (%s)",
            ([told.session.id for told in world.told],),
        )
