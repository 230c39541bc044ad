import pytest

from backstory.domain.errors import (
    BackstoryError,
    InvalidInput,
    ItemNotLive,
    NoLiveCall,
    SessionNotOpen,
    UnknownItem,
    VersionConflict,
)


def said(session):
    return [message.parts[0].data.decode() for message in session.messages()]


def test_changes_are_committed_together(any_store):
    session = any_store.start()
    with session.atomic() as tx:
        first = tx.message("one")
        second = tx.decide("two")
        assert session.version == 1
    assert (tx.version_of(first), tx.version_of(second)) == (2, 3)
    assert len({event.recorded_at for event in session.events(after=1)}) == 1
    assert session.verify().ok


def test_a_block_that_fails_leaves_nothing(any_store):
    session = any_store.start()
    with pytest.raises(ZeroDivisionError), session.atomic() as tx:  # noqa: PT012
        tx.message("one")
        1 / 0  # noqa: B018
    assert session.version == 1


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda tx: tx.work.complete_goal(99), UnknownItem),
        (lambda tx: tx.work.complete_goal(2), ItemNotLive),
        (lambda tx: tx.tool_result("nobody's", "x"), NoLiveCall),
        (lambda tx: tx.items.remove(3), ItemNotLive),
        (lambda tx: tx.message(""), InvalidInput),
        (lambda tx: (tx.end(), tx.message("after the end")), SessionNotOpen),
    ],
    ids=["unknown goal", "no goal", "no live call", "removed", "empty", "ended"],
)
def test_one_refused_change_refuses_them_all(any_store, wrong, error):
    session = any_store.start()
    session.message("kept")
    session.items.remove(session.message("gone"))
    before = session.version
    with pytest.raises(error), session.atomic() as tx:  # noqa: PT012
        tx.message("one")
        wrong(tx)
    assert session.version == before
    assert said(session) == ["kept"]


def test_a_change_sees_the_ones_before_it(any_store):
    session = any_store.start()
    goal = session.work.set_goal("goal")
    with session.atomic() as tx:
        tx.tool_call("t", {}, call_id="c")
        tx.tool_result("c", "result")
        tx.work.update_goal(goal, text="other")
        tx.work.complete_goal(goal)
    assert session.state.goals == {}
    assert session.state.open_calls == {}
    with pytest.raises(ItemNotLive), session.atomic() as tx:  # noqa: PT012
        tx.items.remove(3)
        tx.items.remove(3)
    assert session.verify().ok


def test_a_block_that_read_the_state_conflicts_with_whoever_wrote_meanwhile(any_store):
    session = any_store.start()
    with pytest.raises(VersionConflict, match="at version 2"), session.atomic() as tx:  # noqa: PT012
        tx.progress.set_phase(str(tx.state.version))
        session.message("meanwhile")
    assert session.state.phase is None


def test_a_block_that_did_not_read_goes_on_after_others(any_store):
    session = any_store.start()
    goal = session.work.set_goal("goal")
    with session.atomic() as tx:
        tx.message("one")
        tx.work.complete_goal(goal)
        session.message("meanwhile")
    assert said(session) == ["meanwhile", "one"]


def test_atomically_runs_again_until_nobody_came_between(any_store):
    session = any_store.start()
    turns = []

    def work(tx):
        turns.append(tx.state.version)
        if len(turns) < 3:
            any_store.session(session.id).message("meanwhile")
        return tx.progress.set_phase(str(tx.state.version))

    session.atomically(work)
    assert turns == [1, 2, 3]
    assert session.state.phase == "3"


def test_atomically_gives_up_after_the_attempts_it_was_given(any_store):
    session = any_store.start()

    def work(tx):
        any_store.session(session.id).message(f"meanwhile {tx.state.version}")
        tx.message("never")

    with pytest.raises(VersionConflict):
        session.atomically(work, attempts=2)
    assert session.version == 3


@pytest.mark.parametrize("attempts", [0, -1, None, "many", True])
def test_attempts_must_be_a_number(any_store, attempts):
    with pytest.raises(InvalidInput, match="attempts"):
        any_store.start().atomically(lambda tx: tx.message("x"), attempts)


def test_the_state_of_a_block_stays_the_same_throughout(any_store):
    session = any_store.start()
    tx = session.atomic()
    state = tx.state
    session.message("meanwhile")
    assert tx.state == state
    tx.state.items.clear()
    assert tx.state == state


def test_a_block_is_committed_once(any_store):
    session = any_store.start()
    tx = session.atomic()
    tx.message("one")
    tx.commit()
    for again in (tx.commit, lambda: tx.message("two")):
        with pytest.raises(InvalidInput, match="has been committed"):
            again()
    assert session.version == 2


def test_an_empty_block_writes_nothing(any_store):
    session = any_store.start()
    with session.atomic():
        pass
    assert session.version == 1


@pytest.mark.parametrize("ticket", [0, 1, -3, None, "x"])
def test_a_ticket_of_no_write_has_no_version(any_store, ticket):
    session = any_store.start()
    tx = session.atomic()
    tx.message("one")
    with pytest.raises(InvalidInput, match="ticket"):
        tx.version_of(-1)
    tx.commit()
    with pytest.raises(InvalidInput, match="ticket"):
        tx.version_of(ticket)


def test_each_change_says_who_said_it(any_store):
    session = any_store.start()
    with session.by("crew").atomic() as tx:
        tx.message("one")
        tx.by("captain").message("two")
    assert [event.actor for event in session.events(after=1)] == ["crew", "captain"]


def test_a_long_block_is_one_append(any_store):
    session = any_store.start()
    with session.atomic() as tx:
        for number in range(500):
            tx.message(f"{number} " + "x" * (2000 if number % 100 == 0 else 1))
    assert session.version == 501
    assert session.verify().ok


def test_a_key_inside_a_block_is_refused(any_store):
    session = any_store.start()
    with pytest.raises(BackstoryError, match="belongs to the whole transaction"), session.atomic() as tx:
        tx.once("k")


def test_a_block_has_its_limit(store):
    session = store.start()
    with pytest.raises(InvalidInput, match="at most 32767 changes"), session.atomic() as tx:  # noqa: PT012
        for _ in range(32768):
            tx.progress.set_clarity(5)
    assert session.version == 1
