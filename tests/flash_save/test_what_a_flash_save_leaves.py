"""A flash save takes a checkpoint and clears the window but for HOT items and what always stays."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backstory import ContextStore, InvalidInput, Session
from backstory.domain.window.essentials import essential_items


def filled(store: Any) -> tuple[Any, dict[str, int]]:
    session = store.start(limit=2000)
    session.set_system_prompt("Be brief.")
    session.work.add_constraint("no network")
    places = {
        "hot": session.items.save("code", "def f(): ...", importance=0.95),
        "warm": session.items.save("note", "a note", importance=0.5),
        "cold": session.items.save("log", "a line", importance=0.1),
        "colder": session.items.save("log", "another line", importance=0.05),
    }
    for number in range(12):
        session.message(f"message {number}")
    return session, places


def test_hot_and_essential_items_stay(any_store: Any) -> None:
    session, places = filled(any_store)
    before = session.state
    done = session.window.flash_save()
    after = session.state
    essential = essential_items(before)
    assert {item.id for item in after.live()} == essential | {places["hot"]}
    assert (done.items_archived, done.items_stored) == (2, 3)
    assert done.hot_items_retained == sum(item.tier == "HOT" for item in after.live())
    assert (done.tokens_before, done.tokens_after) == (before.tokens, after.tokens)


def test_the_session_summary_the_newest_error_and_the_active_file_stay(store: ContextStore) -> None:
    session = store.start(limit=4000)
    old = session.occurred(datetime.now(UTC) - timedelta(days=10))
    file = old.items.save("code", "def sign(): ...", path="signer.py", importance=0.1)
    other = old.items.save("code", "def parse(): ...", path="parser.py", importance=0.1)
    resolved = old.progress.error("the first failure")
    error = old.progress.error("the newest failure")
    for number in range(20):
        old.message(f"{number}: the signer in signer.py rejects tokens")
    old.summarize()
    session.progress.focus(["signer.py", "parser.py"], last_edited="signer.py")
    summary = session.state.summary
    assert summary is not None
    session.tiers.update()
    assert {session.state.items[item].tier for item in (file, error, summary.item)} == {"COLD"}
    session.window.flash_save()
    assert {file, error, summary.item} <= set(session.state.items)
    assert not {other, resolved} & set(session.state.items)
    assert session.window.compact("everything").events == ()
    session.verify().require()


def test_what_left_is_in_the_record_and_comes_back_by_one_event(store: ContextStore) -> None:
    session, places = filled(store)
    before = {item.id for item in session.state.live()}
    done = session.window.flash_save()
    stored = {item.id: item for item in session.items.list()}
    assert stored[places["warm"]].tier == "WARM"
    assert stored[places["cold"]].tier == "COLD"
    assert stored[places["cold"]].windows == ()
    assert session.text(places["cold"]) == "a line"
    (event,) = session.events(after=done.version - 1, upto=done.version)
    gone = {removal.disposition: set(removal.items) for removal in event.effects.removes}
    assert gone["archived"] == {places["cold"], places["colder"]}
    assert places["warm"] in gone["stored"]
    session.window.undo_compaction()
    assert {item.id for item in session.state.live()} == before


def test_the_checkpoint_is_the_window_as_it_was(store: ContextStore) -> None:
    session, _ = filled(store)
    before = session.state
    done = session.window.flash_save()
    assert session.checkpoints.list()[-1].version == done.checkpoint_id == done.version - 1
    restored = session.checkpoints.restore(done.checkpoint_id)
    assert restored.state_verified is True
    assert session.state.items == before.items
    session.verify().require()


def test_with_nothing_to_clear_there_is_the_checkpoint(store: ContextStore) -> None:
    session = store.start(limit=100)
    session.message("hello")
    done = session.window.flash_save()
    assert (done.version, done.items_archived, done.items_stored) == (None, 0, 0)
    assert session.version == done.checkpoint_id


def test_what_has_cooled_meanwhile_leaves(store: ContextStore) -> None:
    session = store.start(limit=1000)
    old = datetime.now(UTC) - timedelta(days=10)
    item = session.occurred(old).items.save("code", "def f(): ...", importance=0.9)
    session.message("hello")
    assert session.state.items[item].tier == "HOT"
    assert session.window.flash_save().items_archived == 1
    assert item not in session.state.items


def test_an_agents_own_items(store: ContextStore) -> None:
    session = store.start(limit=1000)
    coder, tester = session.by("coder"), session.by("tester")
    own = coder.items.save("note", "mine", importance=0.3)
    other = tester.items.save("note", "theirs", importance=0.3)
    shared = session.items.save("note", "everybody's", importance=0.3)
    done = session.window.flash_save(agent="coder")
    assert done.items_archived == 1
    assert own not in session.state.items
    assert {other, shared} <= set(session.state.items)


def test_under_its_key_it_is_done_once(store: ContextStore) -> None:
    session, _ = filled(store)
    first = session.once("k").window.flash_save()
    version = session.version
    assert session.once("k").window.flash_save() == first
    assert session.version == version


@pytest.mark.parametrize(
    ("said", "field"), [({"window": "side"}, "window"), ({"agent": ""}, "agent"), ({"policy": 1}, "policy")]
)
def test_bad_input_is_named_and_leaves_nothing(store: ContextStore, said: dict[str, Any], field: str) -> None:
    session: Session = store.start(limit=100)
    with pytest.raises(InvalidInput, match=f"^{field}: "):
        session.window.flash_save(**said)
    assert session.version == 1
