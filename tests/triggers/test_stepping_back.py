"""`facilitator backtrack` restores the state of the previous layer, keeps what was decided, and can be taken back."""

import pytest

from backstory import BranchMoved, ContextStore, Project, Session
from tests.triggers.conftest import Start


def _on_layer_1(session: Session) -> Session:
    session.message("What is the idea?")
    session.work.set_goal("Clarify the idea")
    session.progress.set_clarity(95)
    session.progress.set_layer(1)
    session.message("Which modules are there?")
    session.work.set_goal("Draw the modules")
    session.progress.set_clarity(20)
    session.decide("Keep six layers", rationale="ERP", priority="high", decided_by="Boss", impact=["docs"])
    session.work.add_constraint("No git automation")
    return session


@pytest.fixture(params=["with triggers", "without"])
def session(request: pytest.FixtureRequest, store: ContextStore, start: Start) -> Session:
    return _on_layer_1(start() if request.param == "with triggers" else store.start())


def test_the_state_is_that_in_which_the_layer_was_left(session: Session) -> None:
    answer = session.command("facilitator backtrack")
    assert answer.ok
    state = session.state
    assert (state.project_layer, state.clarity) == (0, 95)
    assert [session.items.text_at(goal.text) for goal in state.goals.values()] == ["Clarify the idea"]
    said = [message for message in session.messages(format="openai") if isinstance(message, dict)]
    assert [message["content"] for message in said if message["role"] == "user"] == ["What is the idea?"]


def test_what_was_decided_stays_with_its_words_and_time(session: Session) -> None:
    (before,) = session.decisions.recorded()
    session.command("facilitator backtrack")
    (after,) = session.decisions.recorded()
    assert (after.text, after.rationale, after.priority, after.decided_by, after.at) == (
        before.text,
        before.rationale,
        before.priority,
        before.decided_by,
        before.at,
    )
    rules = [session.items.text_at(place) for place in session.state.constraints.values()]
    assert rules == ["No git automation"]


def test_it_can_be_taken_back(session: Session) -> None:
    before = session.state
    session.command("facilitator backtrack")
    session.redo()
    after = session.state
    assert (after.project_layer, after.clarity) == (1, 20)
    assert list(after.goals) == list(before.goals)
    assert after.invalidated == {}


def test_what_was_done_on_the_later_layer_is_marked_invalid(start: Start) -> None:
    session = _on_layer_1(start())
    session.artifacts.load("MODULE-001")
    session.command("facilitator backtrack")
    assert "MODULE-001" in session.state.invalidated
    rows = {row["id"]: row for row in session.views.current_context()["loaded_artifacts"]}
    assert rows["MODULE-001"]["valid"] is False
    (marked,) = session.events(types=["progress.invalidated"])
    assert (marked.body.left_layer, marked.body.project_layer) == (1, 0)  # type: ignore[union-attr]
    session.artifacts.load("MODULE-001")
    assert "MODULE-001" not in session.state.invalidated


def test_each_of_its_actions_is_the_triggers_where_there_is_one(start: Start, project: Project) -> None:
    session = _on_layer_1(start())
    session.command("facilitator backtrack")
    (record,) = [one for one in session.triggers.history() if one.trigger == "backtrack_initiated"]
    assert {one.action: one.outcome for one in record.actions} == {
        "restore_historical_context": "done",
        "load_previous_layer_state": "done",
        "reset_clarity_if_needed": "nothing",
        "invalidate_forward_progress": "done",
    }
    assert len(list(session.events(types=["session.backtracked"]))) == 1
    assert len(list(session.events(types=["progress.invalidated"]))) == 1


def test_a_decision_that_was_kept_is_no_new_one(start: Start, project: Project) -> None:
    session = _on_layer_1(start())
    session.triggers.run()
    session.command("facilitator backtrack")
    session.triggers.run()
    fired = [one for one in session.triggers.history() if one.trigger == "boss_major_decision"]
    assert len(fired) == 1
    assert len(project.memories(kinds=["decision"]).memories) == 1


def test_a_session_that_was_never_on_the_previous_layer_gets_its_number(store: ContextStore) -> None:
    session = store.start()
    session.progress.set_layer(2)
    session.message("hello")
    assert session.command("facilitator backtrack").ok
    assert session.state.project_layer == 1
    assert session.state.message_count == 1


def test_an_agent_that_did_not_see_it_is_told(session: Session, store: ContextStore) -> None:
    other = store.session(session.id)
    session.command("facilitator backtrack")
    with pytest.raises(BranchMoved):
        other.message("late")


def test_repeated_under_its_key_it_steps_back_once(session: Session) -> None:
    first = session.once("back-1").command("facilitator backtrack")
    session.progress.set_layer(1)
    version = session.version
    again = session.once("back-1").command("facilitator backtrack")
    assert (again.ok, again.data["checkpoint"], again.data["backtrack"]) == (
        True,
        first.data["checkpoint"],
        first.data["backtrack"],
    )
    assert session.state.project_layer == 1
    assert not list(session.events(after=version, types=["session.backtracked", "layer.changed"]))


def test_twice_goes_back_two_layers(store: ContextStore) -> None:
    session = store.start()
    session.progress.set_clarity(90)
    session.progress.set_layer(1)
    session.progress.set_clarity(70)
    session.progress.set_layer(2)
    session.command("facilitator backtrack")
    assert (session.state.project_layer, session.state.clarity) == (1, 70)
    session.command("facilitator backtrack")
    assert (session.state.project_layer, session.state.clarity) == (0, 90)
    assert session.verify().ok
