"""`sessions hot-context`, `recent-history` and `restore-view`; notes in `status` and `/context status`."""

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from tests.cli.conftest import Cli

NOTE = "The gateway runs on port 8080"


@pytest.fixture(scope="module")
def session(store: ContextStore) -> Session:
    session = store.start(title="JWT login")
    session.work.set_goal("Implement JWT")
    session.message("Let's edit auth/jwt.py.", importance=0.9)
    session.message("Fine.", role="agent", importance=0.2)
    session.command(f"/remember {NOTE}")
    return session


def test_the_hot_context(cli: Cli, session: Session) -> None:
    found = cli("sessions", "hot-context", session.id, "--json").document
    assert [goal["goal"] for goal in found["active_goals"]] == ["Implement JWT"]
    assert [note["text"] for note in found["pinned_notes"]] == [NOTE]
    shown = cli("sessions", "hot-context", session.id).out
    assert "Implement JWT" in shown
    assert NOTE in shown


def test_the_recent_history(cli: Cli, session: Session) -> None:
    words = ["sessions", "recent-history", session.id]
    (found,) = cli(*words, "--json").documents
    assert found["text"] == "Let's edit auth/jwt.py."
    assert len(cli(*words, "--min-importance", 0, "--json").documents) == 2
    assert "Fine." not in cli(*words).out
    assert cli(*words, "--min-importance", 2, "--json").error["code"] == "invalid-input"


def test_the_view_to_restore_from(cli: Cli, session: Session) -> None:
    found = cli("sessions", "restore-view", session.id, "--json").document
    assert [message["text"] for message in found["recent_history"]] == ["Let's edit auth/jwt.py.", "Fine."]
    assert (found["next_steps"], found["hot_context"]["pinned_notes"][0]["text"]) == (["Implement JWT"], NOTE)
    shown = cli("sessions", "restore-view", session.id).out
    assert "Next steps: Implement JWT" in shown
    assert "Fine." in shown


def test_notes_stand_in_the_status(cli: Cli, session: Session) -> None:
    assert [note["text"] for note in cli("status", session.id, "--json").document["notes"]] == [NOTE]
    assert NOTE in cli("status", session.id).out
    assert NOTE in cli("command", session.id, "/context status").out


def test_an_erased_note_is_shown_as_one(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    session.command("/remember My number is 4711")
    session.erase(min(session.state.pins), "asked for")
    for words in (["status"], ["sessions", "hot-context"], ["sessions", "restore-view"]):
        shown = cli(*words, session.id).out
        assert "4711" not in shown
        assert "(erased)" in shown


def test_a_recorded_text_cannot_steer_the_terminal(cli: Cli, store: ContextStore) -> None:
    session = store.start(title="\x1b]0;owned\x07")
    session.by("an \u200egent").message("\x1b[31mred\x9b", importance=1)
    session.command("/remember \x1b[2J gone")
    for verb in ("hot-context", "recent-history", "restore-view"):
        assert not set("\x1b\x07\x9b\u200e") & set(cli("sessions", verb, session.id).out)
