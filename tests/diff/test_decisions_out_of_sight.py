"""A state keeps the newest 50 decisions: an older one has not gone, and was not added either."""

from backstory.application.store import ContextStore


def test_decisions_out_of_sight_are_no_change(store: ContextStore) -> None:
    session = store.start()
    with session.atomic() as tx:
        for number in range(60):
            tx.decide(f"decision {number}")
    forwards, backwards = session.diff(56, 61), session.diff(61, 56)
    assert [decision.id for decision in forwards.decisions_added] == [57, 58, 59, 60, 61]
    assert forwards.decisions_gone == ()
    assert [decision.id for decision in backwards.decisions_gone] == [57, 58, 59, 60, 61]
    assert backwards.decisions_added == ()


def test_a_decision_of_the_branch_that_was_left_is_gone(store: ContextStore) -> None:
    session = store.start()
    left = session.decide("the wrong one")
    session.backtrack(1, "wrong")
    right = session.decide("the right one")
    diff = session.diff(left, right)
    assert [decision.id for decision in diff.decisions_gone] == [left]
    assert [decision.id for decision in diff.decisions_added] == [right]
