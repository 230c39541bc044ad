"""A session is found by its id, by the beginning or the end of it, or as the last one."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from backstory.application import identifiers
from backstory.application.store import ContextStore
from tests.cli.conftest import Cli

ONE = UUID("aaaaaaaa-0000-7000-8000-00000000abcd")
TWO = UUID("aaaaaaaa-0000-7000-8000-00000000dcba")


def test_beginnings_endings_and_last(cli: Cli, new_database: Callable[[], str]) -> None:
    url = new_database()

    def found(name: str) -> object:
        outcome = cli("--url", url, "sessions", "show", name, "--json")
        return outcome.document["session"] if outcome.code == 0 else outcome.error["code"]

    assert found("last") == "unknown-session"
    with ContextStore.open(url) as store:
        store.start(ONE)
        store.start(TWO)
    assert found("last") == str(TWO)
    assert found(str(ONE)) == found(ONE.hex.upper()) == str(ONE)
    assert found("abcd") == str(ONE)
    assert found("8000-00000000dcba") == str(TWO)
    assert found("aaaaaaaa") == "invalid-input"
    assert found("aaaaaaaa-0000-7000-8000-00000000a") == str(ONE)
    assert found("bbbb") == "unknown-session"
    assert found("%") == "invalid-input"
    with ContextStore.open(url) as store:
        store.session(ONE).message("the newest event is mine")
    assert found("LAST") == str(ONE)


@pytest.fixture(params=[100, 1])
def few_at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identifiers, "SESSIONS_AT_ONCE", request.param)


@pytest.mark.usefixtures("few_at_once")
def test_last_stays_with_a_session_that_is_forked(new_database: Callable[[], str]) -> None:
    with ContextStore.open(new_database()) as store:
        session = store.start()
        session.message("hello")
        fork = session.fork()
        store.session(fork.id).tiers.update(datetime.now(UTC) + timedelta(days=365))
        assert store.find("last") == session.id
        fork.message("something new")
        assert store.find("last") == fork.id


@pytest.mark.usefixtures("few_at_once")
def test_last_goes_by_when_something_happened_not_by_when_it_was_imported(
    new_database: Callable[[], str], tmp_path: Path
) -> None:
    def transcript(day: int) -> Path:
        path = tmp_path / f"{day}.jsonl"
        line = {
            "type": "user",
            "uuid": f"u{day}",
            "sessionId": f"s{day}",
            "timestamp": f"2025-06-{day}T10:00:00Z",
        }
        path.write_text(json.dumps(line | {"message": {"role": "user", "content": "hello"}}) + "\n")
        return path

    with ContextStore.open(new_database()) as store:
        (newer,) = store.import_file(transcript(15))
        store.import_file(transcript(14))
        assert store.find("last") == newer.session
        session = store.start()
        store.import_file(transcript(16))
        assert store.find("last") == session.id


def test_the_list_marks_the_last_where_the_order_leaves_a_doubt(
    cli: Cli, new_database: Callable[[], str]
) -> None:
    url = new_database()
    with ContextStore.open(url) as store:
        session = store.start(title="mine")
        session.message("hello")
        assert "← last" not in cli("--url", url, "sessions", "list").out
        session.fork(title="a fork")
        shown = cli("--url", url, "sessions", "list").out.splitlines()
        assert ["← last" in line for line in shown] == [False, False, True]
        listed = cli("--url", url, "sessions", "list", "--json").documents
        assert [(one["title"], one["last"]) for one in listed] == [("a fork", False), ("mine", True)]
