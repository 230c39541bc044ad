"""Writers who have not seen a backtrack are refused, whatever they write; once they accept it, they go on."""

import pytest

from backstory.domain.errors import BranchMoved, NoLiveCall
from backstory.domain.events import EventBody


class Noticed(EventBody):
    type = "append:noticed"


WRITES = {
    "message": lambda s, on: s.message("late"),
    "tool result": lambda s, on: s.tool_result("call", "late"),
    "result of a call that is gone": lambda s, on: s.tool_result("gone", "late"),
    "touch": lambda s, on: s.items.touch(on["goal"]),
    "touch of an item that is gone": lambda s, on: s.items.touch(on["abandoned goal"]),
    "decision from an item that is gone": lambda s, on: s.items.save(
        "note", "late", references=[on["abandoned goal"]]
    ),
    "remove": lambda s, on: s.items.remove(on["item"]),
    "bring back": lambda s, on: s.items.bring_back(on["removed"]),
    "goal that is gone": lambda s, on: s.work.complete_goal(on["abandoned goal"]),
    "goal": lambda s, on: s.work.complete_goal(on["goal"]),
    "sub-goal": lambda s, on: s.work.set_goal("late", parent=on["goal"]),
    "custom": lambda s, on: s.record(Noticed()),
    "window": lambda s, on: s.window.configure(encoding="cl100k_base"),
    "same window": lambda s, on: s.window.configure(limit=5),
    "backtrack": lambda s, on: s.backtrack(1, "late"),
    "atomic": lambda s, on: s.atomically(lambda tx: (tx.message("late"), tx.work.complete_goal(on["goal"]))),
    "atomic that read": lambda s, on: s.atomically(lambda tx: tx.message(f"late {tx.state.version}")),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_from_before_a_backtrack_is_refused(any_store, write):
    session = any_store.start()
    on = {
        "item": session.message("hello"),
        "removed": session.message("gone"),
        "goal": session.work.set_goal("goal"),
    }
    session.tool_call("t", {}, call_id="call")
    session.items.remove(on["removed"])
    on["abandoned goal"] = session.work.set_goal("abandoned")
    session.tool_call("t", {}, call_id="gone")
    late = any_store.session(session.id)
    session.backtrack(on["abandoned goal"] - 1, "another way")
    before = session.version
    with pytest.raises(BranchMoved, match="backtracked and is in epoch 1"):
        write(late, on)
    assert session.version == before
    assert session.verify().ok


def test_after_refresh_the_writer_goes_on(any_store):
    session = any_store.start()
    session.tool_call("t", {}, call_id="kept")
    session.tool_call("t", {}, call_id="gone")
    late = any_store.session(session.id)
    session.backtrack(2, "another way")
    late.refresh()
    assert late.epoch == 1
    assert late.tool_result("kept", "result") == session.version
    with pytest.raises(NoLiveCall, match="'gone' answers no live call"):
        late.tool_result("gone", "result")


def test_the_one_who_backtracked_goes_on_at_once(any_store):
    session = any_store.start()
    session.message("one")
    view = session.by("me")
    session.backtrack(1, "again")
    assert session.message("two") == 4
    assert view.message("three") == 5


def test_a_backtrack_that_is_asked_for_again_does_not_accept_a_later_one(any_store):
    session = any_store.start()
    session.message("one")
    session.once("k").backtrack(1, "first")
    other = any_store.session(session.id)
    other.backtrack(2, "second")
    assert session.once("k").backtrack(1, "first") == 3
    with pytest.raises(BranchMoved):
        session.message("unaware of the second")


def test_forks_are_not_moved_by_their_parents_backtracks(any_store):
    session = any_store.start()
    session.message("one")
    fork = session.fork()
    session.backtrack(1, "again")
    assert fork.message("two") == 4
    assert fork.epoch == 0
