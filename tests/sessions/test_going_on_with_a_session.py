"""The hot context, the recent history and the view to restore from."""

from typing import Any

import pytest

from backstory.domain.errors import InvalidInput


@pytest.fixture
def session(any_store: Any) -> Any:
    session = any_store.start(title="JWT login")
    session.work.set_goal("Implement JWT", status="in-progress", priority="high")
    session.work.add_action("Test refresh flow")
    session.work.add_constraint("Tokens live one hour")
    session.message("Let's edit auth/jwt.py.", importance=0.8)
    session.by("coder").message("Reading it.", role="agent", importance=0.4)
    session.decide("Use RS256", rationale="services only need the public key")
    session.by("coder").message("It fails in validate_token().", role="agent", importance=0.6)
    session.progress.focus(["auth/jwt.py"])
    session.command("/remember The gateway runs on port 8080")
    return session


def test_the_hot_context_names_everything_that_is_open(session: Any) -> None:
    hot = session.views.hot_context()
    assert [(goal["goal"], goal["priority"]) for goal in hot["active_goals"]] == [("Implement JWT", "high")]
    assert hot["current_file_context"]["files"] == ["auth/jwt.py"]
    assert hot["pending_actions"] == ["Test refresh flow"]
    assert hot["important_constraints"] == ["Tokens live one hour"]
    assert [row["decision"] for row in hot["key_decisions"]] == ["Use RS256"]
    assert [row["text"] for row in hot["pinned_notes"]] == ["The gateway runs on port 8080"]
    assert "auth/jwt.py" in hot["key_entities"]["files"]


def test_the_hot_context_of_an_agent_has_its_own_private_pins(session: Any) -> None:
    session.by("coder").items.pin(session.by("coder").items.save("note", "Mine alone", private=True))
    notes = {
        who: [row["text"] for row in session.by(who).views.hot_context()["pinned_notes"]]
        for who in ("coder", "tester")
    }
    assert "Mine alone" in notes["coder"]
    assert "Mine alone" not in notes["tester"]


def test_the_recent_history_leaves_out_what_is_unimportant(session: Any) -> None:
    said = [message.text for message in session.views.recent_history()]
    assert said == ["Let's edit auth/jwt.py.", "It fails in validate_token()."]
    assert len(session.views.recent_history(min_importance=0)) == 3


def test_the_recent_history_keeps_to_its_limits(session: Any) -> None:
    everything = session.views.recent_history(min_importance=0)
    assert session.views.recent_history(2, min_importance=0) == everything[1:]
    tokens = [message.tokens for message in everything]
    assert session.views.recent_history(min_importance=0, max_tokens=sum(tokens[1:])) == everything[1:]
    assert session.views.recent_history(min_importance=0, max_tokens=tokens[-1] - 1) == ()


def test_an_erased_message_has_no_text(session: Any) -> None:
    session.erase(session.views.recent_history()[-1].item, "asked for")
    assert session.views.recent_history()[-1].text is None


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"min_importance": 1.5}, "min_importance"),
        ({"min_importance": "high"}, "min_importance"),
    ],
    ids=str,
)
def test_limits_that_are_none_are_refused(session: Any, wanted: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{field}"):
        session.views.recent_history(**wanted)


def test_the_view_to_restore_from_holds_all_of_it_and_changes_nothing(session: Any) -> None:
    for number in range(12):
        session.message(f"Message {number}")
    session.end()
    version = session.version
    view = session.views.restore_view()
    assert (view.title, [goal.text for goal in view.goals]) == ("JWT login", ["Implement JWT"])
    assert [message.text for message in view.recent_history] == [f"Message {n}" for n in range(2, 12)]
    assert view.next_steps == ("Test refresh flow",)
    assert view.hot_context == session.views.hot_context()
    assert (session.version, session.state.status) == (version, "ended")
