"""`verify` ends with exit code 7 and names the first thing wrong."""

from collections.abc import Callable
from pathlib import Path

import psycopg

from backstory.application.store import ContextStore
from backstory.interfaces.cli.demo.story import Story
from tests.cli.conftest import Cli

TABLES = ("events", "contents", "streams")


def tamper(url: str, statement: str) -> None:
    """Changes the record the way a superuser could: with the triggers switched off meanwhile."""
    with psycopg.connect(url) as connection:
        for table in TABLES:
            connection.execute(f"alter table backstory.{table} disable trigger append_only".encode())
        connection.execute(statement.encode())
        for table in TABLES:
            connection.execute(f"alter table backstory.{table} enable always trigger append_only".encode())


def disarm(url: str) -> None:
    with psycopg.connect(url) as connection:
        for table in TABLES:
            connection.execute(f"alter table backstory.{table} disable trigger append_only".encode())


def recorded(url: str) -> str:
    with ContextStore.open(url) as store:
        session = store.start()
        session.message("pay 100")
        session.decide("approve")
        return str(session.id)


def test_a_changed_content(cli: Cli, new_database: Callable[[], str]) -> None:
    url = new_database()
    id = recorded(url)
    tamper(url, "update backstory.contents set bytes = 'pay 999' where version = 2")
    outcome = cli("--url", url, "verify", id)
    assert outcome.code == 7
    assert "contents, version 2 part 0: does not match the digest" in " ".join(outcome.err.split())
    assert "BROKEN" in outcome.out
    found = cli("--url", url, "verify", id, "--json")
    assert found.code == 7
    assert found.documents[0]["problem"]["where"] == "contents, version 2 part 0"
    assert found.error["code"] == "verification-failed"


def test_all_sessions_also_one_that_can_no_longer_be_opened(
    cli: Cli, new_database: Callable[[], str]
) -> None:
    url = new_database()
    intact, broken = recorded(url), recorded(url)
    tamper(url, f"delete from backstory.streams where stream_id = '{broken}'")
    outcome = cli("--url", url, "verify", "--all", "--json")
    assert outcome.code == 7
    assert {one["session"]: one["ok"] for one in outcome.documents} == {intact: True, None: False}
    assert broken in outcome.error["message"]
    assert cli("--url", url, "verify", broken).code == 7


def test_an_anchor_that_was_kept_outside(cli: Cli, new_database: Callable[[], str]) -> None:
    url = new_database()
    id = recorded(url)
    (check,) = cli("--url", url, "verify", id, "--json").documents
    anchor = f"{check['version']}:{check['chain']}"
    assert f"--anchor {anchor}" in cli("--url", url, "verify", id, env={"COLUMNS": "200"}).out
    assert cli("--url", url, "verify", id, "--anchor", anchor).code == 0
    assert cli("--url", url, "verify", id, "--anchor", f"{check['version']}:{'00' * 32}").code == 7


def test_status_says_that_triggers_are_off(cli: Cli, new_database: Callable[[], str]) -> None:
    url = new_database()
    disarm(url)
    assert cli("--url", url, "db", "status", "--json").document["append_only"]["triggers"] is False
    assert "grants only: triggers are missing or switched off" in cli("--url", url, "db", "status").out


def test_what_is_intact_is_said_with_what_cannot_be_seen(cli: Cli, story: Story) -> None:
    outcome = cli("verify", story.session.id)
    assert outcome.code == 0
    assert outcome.out.startswith("intact")
    assert "not visible from inside: a rewrite of the whole stream" in outcome.out


def test_commands_that_show_an_altered_text_end_like_verify(
    cli: Cli, new_database: Callable[[], str], tmp_path: Path
) -> None:
    url = new_database()
    with ContextStore.open(url) as store:
        session = store.start(limit=8_000)
        session.message("pay 100")
        shown = session.context()
        call = session.model_called(shown, "a-model", {"input_tokens": 10})
        answer = session.caused_by(call).message("approved", role="agent")
        decision = session.caused_by(answer).decide("approve it")
    tamper(url, "update backstory.contents set bytes = 'pay 999' where version = 2")
    for words in (
        ("log", session.id, "--full"),
        ("context", session.id),
        ("saw", session.id, decision),
        ("reproduce", session.id),
        ("export", session.id, "-o", tmp_path / "x.jsonl"),
    ):
        outcome = cli("--url", url, *words)
        assert (words[0], outcome.code) == (words[0], 7)
        assert "pay 999" not in outcome.out
        assert "same bytes" not in outcome.out


def test_protection_that_is_off_is_warned_of_until_it_is_restored(
    cli: Cli, new_database: Callable[[], str]
) -> None:
    url = new_database()
    id = recorded(url)
    disarm(url)
    outcome = cli("--url", url, "verify", id)
    assert outcome.code == 0
    assert "triggers are off on contents, events, streams" in " ".join(outcome.err.split())
    found = cli("--url", url, "verify", id, "--json")
    assert found.documents[0]["unprotected"] == ["contents", "events", "streams"]
    restored = cli("--url", url, "db", "upgrade", "--json").document["restored"]
    assert restored == {"triggers": ["contents", "events", "streams"], "grants": []}
    assert cli("--url", url, "verify", id).err == ""
    disarm(url)
    assert "restored triggers on contents, events, streams" in cli("--url", url, "db", "upgrade").out
