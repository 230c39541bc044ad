"""The numbers of the context document are the session's own."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backstory import ContextInvalid, ContextStore, Session, WindowPolicy
from backstory.application.queries.status import session_status

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def window_of(session: Session) -> dict[str, Any]:
    window: dict[str, Any] = session.views.current_context()["context_window"]
    return window


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start(limit=1000)


def test_compactions_are_counted_and_the_newest_has_its_time(session: Session) -> None:
    for number in range(14):
        session.message(f"message {number} " * 5)
    assert (window_of(session)["compressions_this_session"], window_of(session)["last_compaction"]) == (
        0,
        None,
    )
    session.occurred(NOON).window.prune(0.05)
    window = window_of(session)
    assert (window["compressions_this_session"], window["last_compaction"]) == (1, "2026-03-01T12:00:00Z")
    session.window.undo_compaction()
    window = window_of(session)
    assert (window["compressions_this_session"], window["last_compaction"]) == (0, None)


def test_a_fork_knows_the_compactions_it_inherited(session: Session) -> None:
    for number in range(14):
        session.message(f"message {number} " * 5)
    session.occurred(NOON).window.prune(0.05)
    window = window_of(session.fork())
    assert (window["compressions_this_session"], window["last_compaction"]) == (1, "2026-03-01T12:00:00Z")


def test_thresholds_are_those_of_the_policy(session: Session) -> None:
    while session.state.tokens < 600:
        session.message("some words that fill the window " * 3)
    assert window_of(session)["needs_compaction"] is False
    session.window.choose_policy(
        WindowPolicy(name="early", stubs_from=0.4, warning=0.555, checkpoint_from=0.6, low_space=0.88)
    )
    window = window_of(session)
    assert (window["compaction_threshold_percent"], window["emergency_threshold_percent"]) == (55.5, 88)
    assert window["needs_compaction"] is True


def test_an_item_that_came_back_was_loaded_then(any_store: Any) -> None:
    session = any_store.start(limit=1000)
    item = session.occurred(NOON).items.save("module", "x", artifact="M")
    session.items.remove(item)
    session.occurred(NOON + timedelta(minutes=5)).items.bring_back(item)
    session.message("later")
    row = next(row for row in session.views.current_context()["loaded_artifacts"] if row["id"] == "M")
    assert row["load_time"] == "2026-03-01T12:05:00Z"


def test_a_candidate_is_no_decision(session: Session) -> None:
    session.decide("Use RS256")
    session.message("We decided to use Postgres for the store.", role="agent")
    session.context(500)
    (noticed,) = session.state.candidates
    assert session.views.current_context()["session_stats"]["decisions_recorded"] == 1
    session.decisions.dismiss(noticed.id)
    assert session.views.current_context()["session_stats"]["decisions_recorded"] == 1
    assert session_status(session).decisions == 1


def test_chat_commands_that_change_the_session_are_counted(any_store: Any) -> None:
    session = any_store.start(limit=1000)
    session.progress.command_executed("ls")
    done = session.command("/set_goal ship it")
    session.command("/context status")
    session.command("/complete_goal nothing like it")
    assert session.views.current_context()["session_stats"]["commands_executed"] == 2
    assert done.events == (session.version - 1,)


def test_a_command_under_a_key_is_counted_once(session: Session) -> None:
    for _ in range(2):
        session.once("goal-1").command("/set_goal ship it")
    assert session.state.counters["commands_executed"] == 1


def test_the_status_counts_what_the_document_lists(session: Session) -> None:
    session.message("hello")
    session.items.save("module", "x", artifact="M")
    session.items.remove(session.items.save("idea", "y"))
    rows = session.views.current_context()["loaded_artifacts"]
    health = session_status(session).monitoring()["context_health"]
    assert health["loaded_artifacts"] == sum(row["loaded"] for row in rows) == 2


class TestValidation:
    def test_the_document_is_returned(self, any_store: Any) -> None:
        session = any_store.start(limit=1000)
        session.decide("Use RS256")
        assert session.views.validate() == session.views.current_context()

    def test_a_lost_decision_is_named(self, session: Session) -> None:
        start = session.version
        version = session.decide("Use RS256")
        session.backtrack(start, "no")
        with pytest.raises(ContextInvalid, match=rf"recent_decisions\[DEC-{version}\]: was lost"):
            session.views.validate(since=version)
        session.views.validate()

    def test_a_noticed_decision_may_be_dismissed(self, session: Session) -> None:
        session.message("We decided to use Postgres for the store.", role="agent")
        session.context(500)
        before = session.version
        session.decisions.dismiss(session.state.candidates[-1].id)
        session.views.validate(since=before)

    def test_the_last_compaction_is_looked_across(self, session: Session) -> None:
        for number in range(14):
            session.message(f"message {number} " * 5)
        decision = session.decide("Use RS256")
        session.window.prune(0.05)
        session.backtrack(decision, "again")
        session.window.prune(0.05)
        assert session.views.validate()["recent_decisions"][0]["id"] == f"DEC-{decision}"

    def test_a_chat_command_answers(self, session: Session) -> None:
        session.message("hello")
        answer = session.command("/context validate")
        assert answer.ok
        assert answer.text == "Valid: loaded items 1, tokens 1, layer 0 IDEA, decisions 0."
        assert answer.events == ()
