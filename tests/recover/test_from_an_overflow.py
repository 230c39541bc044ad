"""Recovery from an overflow: from what loses least to what loses most, and only then an error with the state intact."""

import re
from typing import Any

import pytest

from backstory import ContextOverflow, ContextStore, InvalidInput, Session, WindowPolicy
from backstory.domain.window.validation import problems


def say(session: Session, words: int, **said: Any) -> int:
    return session.message("word " * words, **said)


def test_a_window_that_fits_is_left_alone(any_store: Any) -> None:
    session = any_store.start(limit=1000)
    session.message("word " * 900)
    before = session.version
    done = session.window.recover()
    assert (done.way, done.events, session.version) == ("fits", (), before)


def test_a_prune_is_enough(any_store: Any) -> None:
    session = any_store.start(limit=1000)
    decision = session.decide("use Postgres")
    for _ in range(20):
        session.message("word " * 50)
    before = session.state
    done = session.window.recover()
    after = session.state
    assert done.way == "pruned"
    assert done.events == (done.emergency, done.emergency + 1)
    assert (done.tokens_before, done.tokens_after) == (before.tokens, after.tokens)
    assert after.tokens <= 700
    assert decision in after.items
    assert problems(before, after) == []
    assert session.checkpoints.list()[-1].name == "context_overflow"
    session.window.undo_compaction()
    assert session.state.items.keys() == before.items.keys()


def test_the_next_call_counts(store: ContextStore) -> None:
    session = store.start(limit=1000)
    for _ in range(20):
        say(session, 30)
    assert session.window.recover(next_tokens=100).way == "fits"
    done = session.window.recover(next_tokens=400)
    assert done.way == "pruned"
    assert done.tokens_after + 400 <= 950


def test_the_minimal_context_when_the_last_messages_are_too_much(store: ContextStore) -> None:
    session = store.start(limit=1000)
    session.set_system_prompt("Be brief.")
    goal = session.work.set_goal("ship it")
    for _ in range(10):
        last = say(session, 200)
    done = session.window.recover()
    assert done.way == "minimal"
    assert {item.id for item in session.state.live()} == {2, goal, last}
    session.window.undo_compaction()
    assert session.state.tokens == done.tokens_before


def test_the_barest_context_when_pins_are_too_much(store: ContextStore) -> None:
    session = store.start(limit=1000)
    session.set_system_prompt("Be brief.")
    pinned = session.items.save("note", "word " * 900)
    session.items.pin(pinned)
    asked = say(session, 10)
    last = say(session, 200, role="agent")
    done = session.window.recover()
    assert done.way == "aggressive"
    assert {item.id for item in session.state.live()} == {2, asked, last}
    assert pinned in session.state.pins


def test_back_to_the_last_checkpoint_when_the_last_message_is_too_much(store: ContextStore) -> None:
    session = store.start(limit=1000)
    session.set_system_prompt("Be brief.")
    asked = say(session, 10)
    session.checkpoints.create("early")
    checkpoint = session.checkpoints.create("late")
    huge = say(session, 1200)
    version = session.version
    done = session.window.recover()
    assert (done.way, done.restored) == ("checkpoint", checkpoint)
    assert {item.id for item in session.state.live()} == {2, asked}
    assert session.text(huge).startswith("word word")
    assert session.epoch == 1
    session.backtrack(version, "redo")
    assert session.state.tokens == done.tokens_before


def test_a_checkpoint_that_would_lose_a_decision_is_passed_over(store: ContextStore) -> None:
    session = store.start(limit=1000)
    say(session, 10)
    session.checkpoints.create("before the decision")
    session.decide("use Postgres")
    safe = session.checkpoints.create("after it")
    say(session, 1200)
    assert session.window.recover().restored == safe
    assert len(session.state.decisions) == 1


def test_an_error_at_last_with_the_state_intact(any_store: Any) -> None:
    session = any_store.start(limit=1000)
    session.set_system_prompt("word " * 1200)
    session.message("hello")
    before = session.state
    with pytest.raises(ContextOverflow, match="limit of 1000 tokens, and the smallest context") as raised:
        session.window.recover(next_tokens=50)
    after = session.state
    assert raised.value.needed > 1250
    said = re.search(
        r"needs (\d+): system prompt \(item 2\) (\d+), message \(item 3\) (\d+), the next call 50\.",
        str(raised.value),
    )
    assert said is not None
    needed, *parts = map(int, said.groups())
    assert needed == raised.value.needed == sum(parts) + 50
    assert raised.value.exit_code == 4
    assert (after.items, after.windows, after.decisions) == (before.items, before.windows, before.decisions)
    assert (session.version, session.epoch) == (before.version + 1, 0)
    assert session.checkpoints.list()[-1].version == session.version
    with pytest.raises(ContextOverflow):
        session.window.recover(next_tokens=50)
    assert session.version == after.version


def test_no_checkpoint_that_keeps_every_decision(store: ContextStore) -> None:
    session = store.start(limit=1000)
    session.checkpoints.create("before the decision")
    session.decide("use Postgres")
    say(session, 1200)
    with pytest.raises(ContextOverflow):
        session.window.recover()
    assert len(session.state.decisions) == 1


def test_other_windows_and_policies(store: ContextStore) -> None:
    session = store.start()
    session.window.configure("side", limit=200)
    for _ in range(20):
        session.items.save("note", "word " * 20, windows=["main", "side"])
    main = session.state.tokens
    done = session.window.recover(window="side", policy=WindowPolicy(name="tight", prune_target=0.2))
    assert done.tokens_after <= 40
    assert session.state.tokens == main


@pytest.mark.parametrize(
    ("said", "field"),
    [({"next_tokens": -1}, "next_tokens"), ({"window": "side"}, "window"), ({"policy": 1}, "policy")],
)
def test_bad_input_is_named_and_leaves_nothing(store: ContextStore, said: dict[str, Any], field: str) -> None:
    session = store.start(limit=100)
    with pytest.raises(InvalidInput, match=f"^{field}: "):
        session.window.recover(**said)
    with pytest.raises(InvalidInput, match="window: 'main' has no limit"):
        store.start().window.recover()
    assert session.version == 1
