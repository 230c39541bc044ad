"""A session from its start to a verified end, on every form of the store."""

from typing import Any


def test_start_talk_decide_backtrack_fork_verify(any_store: Any) -> None:
    session = any_store.start(title="Story", tags=["demo"], limit=1000)
    session.message("hello")
    goal = session.work.set_goal("be useful")
    session.by("boss").decide("use RS256", rationale="keys are distributed")
    session.tool_call("grep", {"q": 1}, call_id="c1")
    session.tool_result("c1", "found it")
    back = session.backtrack(3, "another way")
    assert session.state.version == back
    assert session.state.decision_count == 0
    fork = session.fork(at=6)
    fork.message("in the fork")
    assert fork.state.decision_count == 1
    session.work.complete_goal(goal)
    with session.atomic() as tx:
        tx.message("one")
        ticket = tx.decide("two")
    assert tx.version_of(ticket) == session.version
    session.redo()
    assert session.state.decision_count == 1
    assert [event.version for event in session.events()] == list(range(1, session.version + 1))
    assert session.verify().problem is None
    assert fork.verify().problem is None
