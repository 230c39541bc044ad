"""Pruning a session's window: what it answers, records and leaves."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backstory import ContextStore, InvalidInput, PruningPolicy, Session, WindowPolicy
from backstory.application.window.prune import Pruner
from backstory.domain.window.priorities import KeepPriority

NOON = datetime(2026, 11, 9, 12, tzinfo=UTC)


def filled(store: Any, messages: int = 40) -> Any:
    session = store.start(limit=400)
    session.set_system_prompt("Be brief.")
    for number in range(messages):
        session.message(
            f"message {number} with some more words in it", role="user" if number % 2 else "agent"
        )
    return session


def test_it_is_brought_to_its_target(any_store: Any) -> None:
    session = filled(any_store)
    before = session.state
    done = session.window.prune()
    after = session.state
    assert (done.version, done.window, done.limit, done.target) == (session.version, "main", 400, 280)
    assert (done.tokens_before, done.tokens_after) == (before.tokens, after.tokens)
    assert after.tokens <= 280
    assert tuple(after.items) == done.kept
    assert set(done.dropped) == before.items.keys() - after.items.keys()
    (event,) = session.events(after=done.version - 1, upto=done.version)
    assert (event.body.algorithm, event.body.policy, event.body.summary) == ("prune", "default", None)


def test_a_dry_run_tells_the_same_and_does_nothing(store: ContextStore) -> None:
    session = filled(store)
    version = session.version
    planned = session.window.prune(0.5, dry_run=True)
    assert (planned.version, planned.dry_run, session.version) == (None, True, version)
    done = session.window.prune(0.5)
    assert (done.dropped, done.kept, done.tokens_after) == (
        planned.dropped,
        planned.kept,
        planned.tokens_after,
    )


def test_one_event_brings_everything_back(store: ContextStore) -> None:
    session = filled(store)
    before = session.state
    session.window.prune(0.1)
    session.window.undo_compaction()
    after = session.state
    assert {item.id for item in after.live()} == {item.id for item in before.live()}
    assert after.tokens == before.tokens
    session.verify().require()


def test_nothing_to_prune(store: ContextStore) -> None:
    session = filled(store, messages=5)
    version = session.version
    done = session.window.prune()
    assert (done.version, done.dropped, done.reached, session.version) == (None, (), True, version)


def test_a_target_below_the_essentials_leaves_only_the_barest_context(store: ContextStore) -> None:
    session = filled(store)
    before = {item.id for item in session.state.live()}
    planned = session.window.prune(0.1, dry_run=True)
    done = session.window.prune(0.1)
    assert (done.depth, done.kept, done.reached) == ("aggressive", (2, session.version - 1), True)
    assert (planned.depth, planned.kept) == (done.depth, done.kept)
    session.window.undo_compaction()
    assert {item.id for item in session.state.live()} == before


def test_it_can_be_told_to_keep_the_essentials(store: ContextStore) -> None:
    session = filled(store)
    done = session.window.prune(0.1, aggressive=False)
    assert (done.depth, done.reached) == ("essentials", False)
    assert len(done.kept) == 11


def test_what_stands_there_twice_leaves_first(store: ContextStore) -> None:
    session = store.start(limit=1_000)
    listing = "def parse(data): return data.split()\n" * 5
    first = session.items.save("note", listing)
    said = session.message(listing, role="agent")
    newest = session.items.save("code", listing)
    other = session.items.save("note", "word " * 40)
    for number in range(12):
        session.message(f"message {number} with some more words in it")
    session.window.configure(limit=session.state.tokens)
    done = session.window.prune(0.99)
    assert {first, said} == set(done.dropped)
    assert {newest, other} <= set(done.kept)
    assert {one.item: one.priority for one in done.ranked}[first] == KeepPriority.ALWAYS_PRUNE


def test_aggressive(store: ContextStore) -> None:
    session = filled(store)
    done = session.window.prune(0, aggressive=True)
    assert done.kept == (2, session.version - 1)
    (event,) = session.events(after=done.version - 1, upto=done.version)
    assert event.body.algorithm == "prune:aggressive"


def test_the_moment_is_the_one_that_is_said(store: ContextStore) -> None:
    """In a simulation nothing is recent by the clock on the wall."""
    session = store.start(limit=100)
    old = session.occurred(NOON).items.save("note", "word " * 40)
    new = session.occurred(NOON + timedelta(hours=3)).items.save("note", "word " * 40)
    points = {
        one.item: one.points
        for one in session.occurred(NOON + timedelta(hours=3)).window.prune(dry_run=True).ranked
    }
    assert points == {old: 0, new: 30}


def test_the_file_that_is_edited_outlives_newer_notes(store: ContextStore) -> None:
    session = store.start(limit=100)
    file = session.items.save("code", "word " * 40, path="a.py")
    for number in range(3):
        session.items.save("note", f"note {number} " + "word " * 20)
    session.progress.focus(["a.py"], last_edited="a.py")
    assert file in session.window.prune().kept


def test_the_policies_are_the_callers(store: ContextStore) -> None:
    session = filled(store)
    session.window.choose_policy(WindowPolicy(name="roomy", prune_target=0.8))
    assert session.window.prune(dry_run=True).target == 320
    assert session.window.prune(dry_run=True, policy=WindowPolicy(prune_target=0.6)).target == 240
    generous = PruningPolicy(types={"message": 20})
    assert {
        one.points
        for one in session.window.prune(dry_run=True, pruning=generous).ranked
        if one.type == "message"
    } >= {50}


def test_the_pruning_policy_that_a_session_chose(store: ContextStore) -> None:
    session = filled(store)
    mine = PruningPolicy(
        name="mine", recency={60: 7}, types={"message": 1}, threshold=3, disposable=("junk",)
    )
    session.window.choose_policy(mine)
    assert PruningPolicy.chosen(session.state.policies["pruning"]) == mine
    done = session.window.prune()
    assert {one.points for one in done.ranked if one.type == "message"} == {7, 8}
    (event,) = session.events(after=done.version - 1, upto=done.version)
    assert event.body.policy == "default, mine"


def test_under_its_key_it_is_done_once(store: ContextStore) -> None:
    session = filled(store)
    first = session.once("k").window.prune()
    session.message("meanwhile")
    again = session.once("k").window.prune()
    assert (again.version, again.dropped, again.kept) == (first.version, first.dropped, first.kept)
    assert again.tokens_after == first.tokens_after


def test_a_message_that_arrives_meanwhile_is_not_touched(
    store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = filled(store)
    other = store.session(session.id)
    plan = Pruner.plan
    arrived = []

    def meanwhile(*args: Any) -> Any:
        if not arrived:
            arrived.append(other.message("meanwhile"))
        return plan(*args)

    monkeypatch.setattr(Pruner, "plan", meanwhile)
    done = session.window.prune()
    assert arrived[0] < done.version
    assert arrived[0] in session.state.items


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"target": 1.1}, "target"),
        ({"target": "half"}, "target"),
        ({"target": True}, "target"),
        ({"window": "side"}, "window"),
        ({"next_tokens": -1}, "next_tokens"),
        ({"policy": "default"}, "policy"),
        ({"pruning": 3}, "pruning"),
        ({"trigger": ""}, "trigger"),
        ({"aggressive": 1}, "aggressive"),
    ],
)
def test_bad_input_is_named_and_leaves_nothing(store: ContextStore, said: dict[str, Any], field: str) -> None:
    session: Session = filled(store, messages=3)
    version = session.version
    with pytest.raises(InvalidInput, match=f"^{field}: "):
        session.window.prune(**said)
    assert session.version == version


def test_a_window_without_a_limit(store: ContextStore) -> None:
    session = store.start()
    session.message("hello")
    with pytest.raises(InvalidInput, match="window: 'main' has no limit to keep to"):
        session.window.prune()
