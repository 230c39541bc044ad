from datetime import UTC, datetime, timedelta, timezone

import pytest

from backstory.domain.errors import ItemNotLive, SessionNotOpen


def test_a_write_returns_the_version_of_its_event_and_the_id_of_its_item(any_store):
    session = any_store.start()
    assert session.message("one") == 2
    assert session.work.set_goal("two") == 3
    assert session.items.touch(2) == 4
    assert [event.version for event in session.events()] == [1, 2, 3, 4]
    assert list(session.state.items) == [2, 3]


def test_who_when_and_why_are_in_the_envelope(any_store):
    session = any_store.start()
    moment = datetime(2020, 2, 3, 4, 5, 6, 789, tzinfo=timezone(timedelta(hours=5)))
    session.by("planner").occurred(moment).caused_by(1).message("hello")
    session.message("plain")
    _, said, plain = session.events()
    assert (said.actor, said.cause, said.occurred_at) == ("planner", 1, moment)
    assert (plain.actor, plain.cause, plain.occurred_at) == (None, None, plain.recorded_at)
    assert said.recorded_at <= plain.recorded_at
    assert abs(datetime.now(UTC) - plain.recorded_at) < timedelta(minutes=5)
    assert session.state.items[2].brought_at == moment
    assert session.state.items[2].agent == "planner"


def test_a_view_does_not_change_the_handle_it_was_made_from(any_store):
    session = any_store.start()
    session.by("planner").once("k").message("hello")
    session.message("plain")
    assert [event.actor for event in session.events(after=1)] == ["planner", None]


def test_an_ended_session_takes_no_items_until_it_is_resumed(any_store):
    session = any_store.start()
    session.message("before")
    session.end("enough")
    for write in (
        lambda: session.message("after"),
        lambda: session.decide("after"),
        lambda: session.items.save("code", "after"),
    ):
        with pytest.raises(SessionNotOpen, match="resume it first"):
            write()
    assert session.version == 3
    session.items.touch(2)
    session.resume()
    assert session.message("again") == 6
    assert session.verify().ok


def test_a_backtrack_to_before_the_end_opens_the_session_again(any_store):
    session = any_store.start()
    session.end()
    session.backtrack(1, "not yet")
    assert session.message("on it goes") == 4
    assert session.state.status == "open"
    assert any_store.summary(session.id).status == "open"


def test_a_fork_of_an_ended_session_is_open(any_store):
    session = any_store.start()
    session.end()
    fork = session.fork()
    assert fork.message("on it goes")
    assert fork.state.status == "open"
    assert session.state.status == "ended"


@pytest.mark.parametrize(
    ("bring", "close"),
    [
        (lambda s: s.work.set_goal("g"), lambda s, item: s.work.complete_goal(item)),
        (lambda s: s.work.set_goal("g"), lambda s, item: s.work.update_goal(item, text="new")),
        (lambda s: s.work.add_action("a"), lambda s, item: s.work.complete_action(item)),
        (lambda s: s.work.ask("q"), lambda s, item: s.work.answer(item, "yes")),
        (lambda s: s.work.add_constraint("c"), lambda s, item: s.work.remove_constraint(item)),
        (lambda s: s.progress.error("e"), lambda s, item: s.progress.resolve_error(item)),
        (lambda s: s.work.start_task("T", "t"), lambda s, item: s.work.complete_task("T")),
    ],
    ids=["goal", "goal's text", "action", "question", "constraint", "error", "task"],
)
def test_what_has_left_the_window_is_open_all_the_same(any_store, bring, close):
    session = any_store.start()
    item = bring(session)
    session.items.remove(item)
    assert close(session, item) == 4
    assert session.verify().ok


def test_a_sub_goal_of_a_goal_that_has_left_the_window(any_store):
    session = any_store.start()
    goal = session.work.set_goal("goal")
    below = session.work.set_goal("below", parent=goal)
    session.items.remove(goal)
    last = session.work.set_goal("below that", parent=below)
    session.work.complete_goal(goal)
    assert session.state.goals == {}
    assert last not in session.state.items
    assert session.verify().ok


def test_what_was_completed_cannot_be_completed_again(any_store):
    session = any_store.start()
    goal = session.work.set_goal("goal")
    session.work.complete_goal(goal)
    with pytest.raises(ItemNotLive, match=f"goal {goal} is not open"):
        session.work.complete_goal(goal)
