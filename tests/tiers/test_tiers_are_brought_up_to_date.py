"""After an update for a moment, every live item is in the tier that its score gives it then."""

from datetime import UTC, datetime, timedelta

import pytest

from backstory import ContextStore, InvalidInput, TierPolicy
from backstory.domain.events import TiersReassigned
from backstory.domain.policies.tiers import tier_policy_of
from backstory.domain.values import microseconds

NOON = datetime(2026, 11, 9, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def tiers(session):
    return {item.id: item.tier for item in session.state.items.values()}


def from_scratch(session, at):
    state = session.state
    policy = tier_policy_of(state.labels)
    return {
        item.id: policy.tier(policy.score(item.importance, item.accesses, item.touched, microseconds(at)))
        for item in state.items.values()
    }


def test_items_cool_and_one_event_says_so(any_store):
    session = any_store.start()
    at_noon = session.occurred(NOON)
    task = at_noon.work.start_task("T1", "write the parser")
    note = at_noon.items.save("note", "tabs, not spaces")
    quiet = at_noon.items.save("note", "cold from the start", importance=0.1)
    update = session.tiers.update(NOON + 15 * HOUR)
    assert update.moves == ((task, "HOT", "WARM"), (note, "WARM", "COLD"))
    event = list(session.events())[-1]
    assert event.version == update.version
    assert event.body == TiersReassigned(
        as_of=NOON + 15 * HOUR, policy="default", changes={"WARM": str(task), "COLD": str(note)}
    )
    assert tiers(session) == {task: "WARM", note: "COLD", quiet: "COLD"}
    assert session.verify().ok


def test_without_anything_due_there_is_no_event(any_store):
    session = any_store.start()
    session.occurred(NOON).items.save("note", "tabs", importance=0.5)
    before = session.version
    assert session.tiers.update(NOON + HOUR) == (NOON + HOUR, None, ())
    assert session.version == before


def test_an_access_warms_an_item_again(any_store):
    session = any_store.start()
    item = session.occurred(NOON).items.save("code", "def f(): ...", importance=0.8)
    session.tiers.update(NOON + 100 * HOUR)
    assert tiers(session) == {item: "COLD"}
    session.occurred(NOON + 100 * HOUR).items.touch(item)
    assert session.tiers.update(NOON + 101 * HOUR).moves == ((item, "COLD", "HOT"),)
    # It cools from the access on, with what the access added.
    assert session.tiers.update(NOON + 105 * HOUR).moves == ((item, "HOT", "WARM"),)


def test_going_back_in_time_gives_the_tiers_of_then(any_store):
    session = any_store.start()
    item = session.occurred(NOON).items.save("code", "def f(): ...", importance=0.9)
    session.tiers.update(NOON + 100 * HOUR)
    session.tiers.update(NOON + HOUR)
    assert tiers(session) == {item: "HOT"}


def test_a_chosen_policy_decides(any_store):
    session = any_store.start()
    item = session.occurred(NOON).items.save("code", "def f(): ...", importance=1.0)
    session.window.choose_policy(TierPolicy(name="quick", tau_hours=1.0))
    assert session.tiers.update(NOON + HOUR / 2).moves == ((item, "HOT", "WARM"),)
    assert list(session.events())[-1].body.policy == "quick"
    assert session.verify().ok
    back = session.backtrack(2, "the usual policy was fine")
    assert session.state.version == back
    assert session.tiers.update(NOON + HOUR / 2).moves == ()
    assert session.verify().ok


def test_a_completed_task_brings_them_up_to_date(any_store):
    session = any_store.start()
    item = session.occurred(NOON).items.save("code", "def f(): ...", importance=0.9)
    session.occurred(NOON).work.start_task("T1", "write it")
    session.occurred(NOON + 30 * HOUR).work.complete_task("T1")
    assert tiers(session) == {item: "WARM"}


def test_an_ended_session_rests_until_it_is_resumed(any_store):
    session = any_store.start()
    item = session.occurred(NOON).items.save("code", "def f(): ...", importance=0.9)
    session.end()
    assert session.tiers.update(NOON + 1000 * HOUR).moves == ()
    assert tiers(session) == {item: "HOT"}
    session.occurred(NOON + 1000 * HOUR).resume()
    assert tiers(session) == {item: "COLD"}
    assert session.verify().ok


def test_a_task_completed_in_a_transaction_brings_them_up_to_date(any_store):
    session = any_store.start()
    item = session.occurred(NOON).items.save("code", "def f(): ...", importance=0.9)
    session.occurred(NOON).work.start_task("T1", "write it")
    with session.occurred(NOON + 30 * HOUR).atomic() as tx:
        tx.work.complete_task("T1")
        tx.message("done")
    assert tiers(session)[item] == "WARM"
    assert [event.type for event in session.events()][-3:] == [
        "task.completed",
        "message.added",
        "tiers.reassigned",
    ]


def test_stored_items_go_on_cooling(any_store):
    session = any_store.start()
    item = session.occurred(NOON).items.save("code", "def f(): ...", importance=0.9)
    session.items.remove(item)
    assert session.tiers.update(NOON + 1000 * HOUR).moves == ((item, "HOT", "COLD"),)
    assert session.verify().ok
    session.items.bring_back(item)
    assert session.state.items[item].tier == "COLD"
    assert session.verify().ok


def test_an_access_warms_a_stored_item(any_store):
    session = any_store.start()
    item = session.occurred(NOON).items.save("code", "def f(): ...", importance=0.8)
    session.items.remove(item)
    session.tiers.update(NOON + 100 * HOUR)
    session.occurred(NOON + 100 * HOUR).items.touch(item)
    assert session.tiers.update(NOON + 101 * HOUR).moves == ((item, "COLD", "HOT"),)
    assert session.verify().ok
    # Also after the read model was made anew, and on another branch.
    session.backtrack(session.version - 1, "before it was warm")
    assert session.tiers.update(NOON + 101 * HOUR).moves == ((item, "COLD", "HOT"),)
    assert session.verify().ok


def test_a_fork_goes_on_cooling(any_store):
    session = any_store.start()
    item = session.occurred(NOON).items.save("code", "def f(): ...", importance=0.9)
    session.end()
    fork = session.fork()
    assert fork.tiers.update(NOON + 30 * HOUR).moves == ((item, "HOT", "WARM"),)
    assert tiers(session) == {item: "HOT"}
    assert fork.verify().ok


def test_a_naive_moment_is_refused(any_store):
    session = any_store.start()
    with pytest.raises(InvalidInput, match="as_of"):
        session.tiers.update(datetime(2026, 1, 1))  # noqa: DTZ001
    with pytest.raises(InvalidInput, match="as_of"):
        any_store.update_tiers(datetime(2026, 1, 1))  # noqa: DTZ001


def test_a_store_updates_the_open_sessions_that_have_something_due(new_database):
    with ContextStore.open(new_database()) as store:
        sessions = [store.start() for _ in range(120)]
        for place, session in enumerate(sessions):
            session.occurred(NOON if place % 2 else NOON + 1000 * HOUR).items.save(
                "code", "x", importance=0.9
            )
        sessions[1].end()
        told = []
        done = store.update_tiers(NOON + 1000 * HOUR, progress=lambda *numbers: told.append(numbers))
        assert (done.sessions, done.updated, done.moved, done.busy) == (59, 59, 59, 0)
        assert told[-1] == (59, 59)
        assert [tiers(session)[2] for session in sessions[:4]] == ["HOT", "HOT", "HOT", "COLD"]
        assert store.update_tiers(NOON + 1000 * HOUR)[1:] == (0, 0, 0, 0)


def test_an_item_is_moved_once_however_often_it_is_looked_at(any_store):
    session = any_store.start()
    session.occurred(NOON).items.save("code", "x", importance=0.9)
    for hours in range(0, 200, 5):
        session.tiers.update(NOON + hours * HOUR)
        assert tiers(session) == from_scratch(session, NOON + hours * HOUR)
    assert len(list(session.events(types=["tiers.reassigned"]))) == 2
