"""Going on with an earlier session: the same one, or a fork that leaves it as it is."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from backstory.application.queries.resume import resumed_lines
from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput, UnknownSession


def worked_on(store: Any) -> Any:
    session = store.start(title="JWT authentication")
    session.work.set_goal("Implement JWT", status="in-progress")
    session.message("Let's go.")
    session.by("coder").message("Working on token validation", role="agent")
    session.work.add_action("Update docs", priority="low")
    session.work.add_action("Test refresh flow", priority="high")
    return session


def test_an_ended_session_is_open_again(any_store: Any) -> None:
    session = worked_on(any_store)
    session.end("lunch")
    ended = session.state.recorded_at
    found = any_store.resume(session.id)
    assert found.session.id == session.id
    assert found.resumed == list(session.events(types=["session.resumed"]))[-1].version
    assert session.state.status == "open"
    assert found.view.last_activity == ended
    assert found.session.message("Back again.") == session.version


def test_an_open_session_is_left_as_it_is(store: ContextStore) -> None:
    session = worked_on(store)
    version = session.version
    found = store.resume(str(session.id))
    assert (found.resumed, session.version) == (None, version)


def test_what_it_was_about(store: ContextStore) -> None:
    found = store.resume(worked_on(store).id)
    assert found.view.title == "JWT authentication"
    assert [(goal.text, goal.status) for goal in found.view.goals] == [("Implement JWT", "in-progress")]
    assert found.view.next_steps == ("Test refresh flow", "Update docs")
    assert (found.view.messages, found.view.summary, found.forked_from) == (2, None, None)
    assert resumed_lines(found) == [
        "✓ Restored session: JWT authentication",
        "Active goals: 1",
        "  Implement JWT (in-progress)",
        "Last activity: action: Test refresh flow",
        "Next steps: Test refresh flow, Update docs",
    ]


def test_with_fork_the_old_one_stays_ended(any_store: Any) -> None:
    session = worked_on(any_store)
    session.end()
    version = session.version
    found = any_store.resume(session.id, fork=True)
    assert found.session.id != session.id
    assert found.forked_from.id == session.id
    assert (session.version, session.state.status) == (version, "ended")
    assert found.session.state.status == "open"
    assert found.session.message("On another way.") == version + 2
    assert found.view.title == "JWT authentication"


def test_next_steps_are_goals_where_there_is_no_action(store: ContextStore) -> None:
    session = store.start()
    session.work.set_goal("Implement JWT")
    assert store.resume(session.id).view.next_steps == ("Implement JWT",)


def test_next_steps_of_the_newest_summary(store: ContextStore) -> None:
    session = store.start()
    session.message("Implement JWT in auth/jwt.py.")
    action = session.work.add_action("Test refresh flow")
    session.summarize()
    session.work.complete_action(action)
    found = store.resume(session.id)
    assert found.view.summary == session.views.summary()
    assert found.view.next_steps == ("Test refresh flow",)


def test_what_happened_last_is_one_short_line_that_nobody_keeps_private(store: ContextStore) -> None:
    session = store.start()
    session.tool_call("grep", {"q": "jwt"}, call_id="c1")
    assert store.resume(session.id).view.last_activity_text == "called grep"
    session.tool_result("c1", "auth/jwt.py:12\nauth/jwt.py:14 " + "x" * 200)
    line = store.resume(session.id).view.last_activity_text
    assert line is not None
    assert line.startswith("auth/jwt.py:12 auth/jwt.py:14")
    assert len(line) <= 100
    session.by("spy").items.save("note", "private")
    assert store.resume(session.id).view.last_activity_text == line


def test_erased_texts_are_not_told(store: ContextStore) -> None:
    session = store.start()
    goal = session.work.set_goal("Call 555 0100")
    session.erase(goal, "personal")
    found = store.resume(session.id)
    assert [goal.text for goal in found.view.goals] == ["(erased)"]
    assert found.view.last_activity_text is None


def test_an_empty_session(store: ContextStore) -> None:
    found = store.resume(store.start().id)
    assert resumed_lines(found) == [
        "✓ Restored session: untitled",
        "Active goals: 0",
        "Last activity: nothing was said yet",
        "Next steps: none",
    ]


def test_two_at_once_both_get_the_session(store: ContextStore) -> None:
    session = worked_on(store)
    session.end()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: store.resume(session.id), range(4)))
    assert {one.session.id for one in found} == {session.id}
    assert [event.type for event in session.events(types=("session.resumed",))] == ["session.resumed"]


def test_a_session_that_is_not_there(store: ContextStore) -> None:
    with pytest.raises(UnknownSession):
        store.resume("0199d0a0-0000-7000-8000-00000000dead")
    with pytest.raises(InvalidInput):
        store.resume("no id")
