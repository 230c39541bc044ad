"""`/context clear` keeps what a session cannot be without, and `/context undo` brings back the rest exactly."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from backstory.application.store import ContextStore
from backstory.domain.errors import Refused
from tests.properties import examples


def furnished(store: Any) -> tuple[Any, set[int], set[int]]:
    """A session, with what must stay and what must leave."""
    session = store.start()
    staying = {session.set_system_prompt("Be kind."), session.message("You are a bot.", role="system")}
    leaving = {session.message("hello"), session.message("later rule", role="system")}
    staying |= {session.work.add_constraint("TTL"), session.decide("RS256"), session.work.set_goal("JWT")}
    leaving.add(session.work.start_task("T-1", "old task"))
    staying.add(session.work.start_task("T-2", "current task"))
    pinned = session.items.save("note", "pinned")
    session.items.pin(pinned)
    staying.add(pinned)
    leaving |= {
        session.work.ask("Why?"),
        session.work.add_action("Do"),
        session.items.save("code", "x = 1"),
        session.progress.error("boom"),
    }
    leaving.add(session.tool_call("grep", {"q": 1}, call_id="c1"))
    session.tool_result("c1", "found")
    return session, staying, leaving


def test_what_stays_and_what_leaves(any_store: Any) -> None:
    session, staying, leaving = furnished(any_store)
    done = session.command("/context clear")
    assert set(done.data["cleared"]) == leaving
    assert set(session.state.items) == staying
    (event,) = session.events(after=done.events[0] - 1, upto=done.events[0])
    assert [removal.disposition for removal in event.effects.removes] == ["cleared"]
    assert session.verify().ok


def test_open_work_stays_open_though_its_item_left(store: ContextStore) -> None:
    session, _, _ = furnished(store)
    questions, actions = dict(session.state.questions), dict(session.state.actions)
    session.window.clear()
    assert (session.state.questions, session.state.actions) == (questions, actions)
    assert session.command("/answer because").ok


def test_undo_brings_back_exactly_what_left(any_store: Any) -> None:
    session, _, leaving = furnished(any_store)
    before = session.state
    session.command("/context clear")
    said = session.message("after the clear")
    undone = session.command("/context undo")
    after = session.state
    assert set(undone.data["returned"]) == leaving
    assert set(after.items) == {*before.items, said}
    assert list(after.items) == sorted(after.items)
    for key, item in before.items.items():
        assert after.items[key]._replace(changed=0) == item._replace(changed=0)
    assert session.messages(format="openai")[:3] == session.messages(format="openai", at=before.version)[:3]
    assert after.tokens == before.tokens + after.items[said].tokens
    assert session.verify().ok


def test_clears_are_undone_one_after_the_other(store: ContextStore) -> None:
    session = store.start()
    first = session.message("one")
    session.window.clear()
    second = session.message("two")
    session.window.clear()
    session.window.undo_clear()
    assert list(session.state.items) == [second]
    session.window.undo_clear()
    assert list(session.state.items) == [first, second]
    with pytest.raises(Refused):
        session.window.undo_clear()
    assert "/context undo" not in session.command("/help").available


def test_what_came_back_on_its_own_is_left_where_it_is(store: ContextStore) -> None:
    session = store.start()
    first, second = session.message("one"), session.message("two")
    session.window.clear("too much")
    session.items.bring_back(first)
    assert session.command("/context undo").data["returned"] == [second]
    assert list(session.state.items) == [first, second]
    assert session.verify().ok


def test_all_of_it_may_be_back_already(store: ContextStore) -> None:
    session = store.start()
    first = session.message("one")
    session.window.clear()
    session.items.bring_back(first)
    assert session.command("/context undo").data["returned"] == []
    assert session.state.clears == []


def test_a_clear_is_undone_in_a_fork_too(store: ContextStore) -> None:
    session, staying, leaving = furnished(store)
    before = session.state
    session.window.clear()
    fork = session.fork()
    fork.message("in the fork")
    fork.window.undo_clear()
    assert staying | leaving <= set(fork.state.items)
    for key, item in before.items.items():
        assert fork.state.items[key]._replace(changed=0) == item._replace(changed=0)
    assert fork.verify().ok
    assert set(session.state.items) == staying


def test_a_backtrack_takes_a_clear_with_it(store: ContextStore) -> None:
    session = store.start()
    session.message("one")
    session.window.clear()
    session.backtrack(2, "no clear")
    assert (list(session.state.items), session.state.clears) == ([2], [])


def test_only_the_main_window_is_cleared(store: ContextStore) -> None:
    session = store.start()
    both = session.message("both", windows=["main", "side"])
    side = session.message("side", windows=["side"])
    session.window.clear()
    assert [item.id for item in session.state.live("side")] == [both, side]
    assert session.state.live("main") == []
    session.window.undo_clear()
    assert [item.id for item in session.state.live("main")] == [both]


def test_there_is_nothing_to_clear(store: ContextStore) -> None:
    session = store.start()
    session.decide("RS256")
    with pytest.raises(Refused, match="nothing to clear"):
        session.window.clear()
    assert session.version == 2


@examples(3)
@given(st.lists(st.sampled_from(["message", "decide", "clear", "undo", "tool", "goal"]), max_size=14))
def test_decisions_and_goals_never_leave_and_nothing_is_lost(store: ContextStore, steps: list[str]) -> None:
    session = store.start()
    said, kept = [], []
    for number, step in enumerate(steps):
        if step == "message":
            said.append(session.message(f"m{number}"))
        elif step == "tool":
            said.append(session.tool_call("t", {}, call_id=f"c{number}"))
        elif step == "decide":
            kept.append(session.decide(f"d{number}"))
        elif step == "goal":
            kept.append(session.work.set_goal(f"g{number}"))
        else:
            session.command(f"/context {step}")
        assert set(kept) <= set(session.state.items)
    while session.state.clears:
        session.window.undo_clear()
    assert sorted(session.state.items) == sorted(said + kept)
    assert session.verify().ok
