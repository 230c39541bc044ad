"""An erase rule reaches memories: those made from the sessions it erases, and those that stopped holding long ago."""

from datetime import UTC, datetime, timedelta

import pytest

from backstory import ContextStore, InvalidInput

LATER = datetime.now(UTC) + timedelta(days=31)


@pytest.fixture
def store(own_store: ContextStore) -> ContextStore:
    return own_store


def test_memories_go_with_the_sessions_they_were_made_from(store: ContextStore) -> None:
    session = store.start(project="chats")
    memory = session.memory.remember("Ana lives in Lisbon.", items=[session.message("I live in Lisbon.")])
    project = store.project("chats")
    other = project.remember("We deploy on Fridays.")
    session.end()
    store.set_retention("chats", 30, erase=True)
    store.apply_retention(LATER)
    assert project.memory(memory).text is None
    assert project.memory(other).text == "We deploy on Fridays."
    assert project.verify().ok


def test_unless_they_are_to_be_kept(store: ContextStore) -> None:
    session = store.start(project="chats")
    memory = session.memory.remember("Ana lives in Lisbon.", items=[session.message("I live in Lisbon.")])
    old = store.project("chats").remember("x")
    store.project("chats").forget(old)
    session.end()
    rule = store.set_retention("chats", 30, erase=True, keep_memories=True)
    assert rule.keeps_memories
    assert [step.session for step in store.apply_retention(LATER)] == [session.id]
    assert store.project("chats").memory(memory).text == "Ana lives in Lisbon."


def test_what_stopped_holding_is_erased_in_time(store: ContextStore) -> None:
    project = store.project("chats")
    held = project.remember("We deploy to Fly.", key="target")
    forgotten = project.remember("a mistake")
    project.forget(forgotten)
    new = project.remember("We deploy to Hetzner.", key="target")
    store.set_retention("chats", 30, erase=True)
    assert store.apply_retention() == ()
    (planned,) = store.apply_retention(LATER, dry_run=True)
    assert (planned.session, planned.memories, planned.done) == (project.id, (held, forgotten), False)
    (done,) = store.apply_retention(LATER)
    assert (done.memories, done.done) == ((held, forgotten), True)
    assert [project.memory(id).text for id in (held, forgotten, new)] == [None, None, "We deploy to Hetzner."]
    assert store.apply_retention(LATER) == ()
    assert project.verify().ok


def test_a_purge_rule_leaves_memories_alone(store: ContextStore, tmp_path: str) -> None:
    with pytest.raises(InvalidInput, match="keep_memories: is for sessions that are erased"):
        store.set_retention("chats", 30, purge_to=tmp_path, keep_memories=True)
    project = store.project("chats")
    project.forget(project.remember("a mistake"))
    store.set_retention("chats", 30, purge_to=tmp_path)
    assert store.apply_retention(LATER) == ()
