"""`backstory sessions resume` and the list, as people read them."""

from datetime import UTC, datetime, timedelta

import pytest

from backstory.application.store import ContextStore
from backstory.interfaces.wording import ago
from tests.cli.conftest import Cli

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def test_what_a_person_reads(cli: Cli, store: ContextStore) -> None:
    session = store.start(title="JWT authentication")
    session.work.set_goal("Implement JWT", status="in-progress")
    session.message("Working on token validation")
    session.work.add_action("Test refresh flow")
    session.end()
    shown = cli("sessions", "resume", session.id)
    assert shown.code == 0
    assert shown.out.splitlines() == [
        "✓ Restored session: JWT authentication (it had ended and is open again)",
        "Active goals: 1",
        "  Implement JWT (in-progress)",
        "Last activity: action: Test refresh flow",
        "Next steps: Test refresh flow",
        str(session.id),
    ]
    assert session.state.status == "open"


def test_a_person_reads_which_one_it_is(cli: Cli, store: ContextStore) -> None:
    session = store.start(title="JWT")
    assert cli("sessions", "resume", session.id).out.startswith("✓ Restored session: JWT\n")
    first, *_, id = cli("sessions", "resume", session.id, "--fork").out.splitlines()
    assert first == "✓ Restored session: JWT (in a fork; the session itself is left as it is)"
    assert id != str(session.id)


def test_as_json_in_a_fork(cli: Cli, store: ContextStore) -> None:
    session = store.start(title="JWT")
    session.end()
    found = cli("sessions", "resume", session.id, "--fork", "--json").document
    assert found["session"] != found["forked_from"] == str(session.id)
    assert (found["version"], found["resumed"], session.state.status) == (3, False, "ended")


def test_a_resumed_session_is_the_last_one(cli: Cli, store: ContextStore) -> None:
    session = store.start(title="Older")
    session.end()
    store.start(title="Newer")
    cli("sessions", "resume", session.id)
    assert cli("sessions", "show", "last", "--json").document["session"] == str(session.id)


def test_one_that_is_not_there(cli: Cli) -> None:
    assert cli("sessions", "resume", "0199d0a0-0000-7000-8000-00000000dead").code == 3


def test_the_list_shows_title_messages_and_how_long_ago(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    session.message("Fix the zebra parser. Now.")
    line = next(line for line in cli("sessions", "list").out.splitlines() if session.id.hex[-12:] in line)
    assert "Fix the zebra parser" in line
    assert "just now" in line
    assert " 1 " in line


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1m ago"),
        (7300, "2h ago"),
        (86_400, "1d ago"),
        (86_400e3, "1,000d ago"),
    ],
)
def test_how_long_ago(seconds: float, said: str) -> None:
    assert ago(NOW - timedelta(seconds=seconds), NOW) == said
