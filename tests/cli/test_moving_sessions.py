"""Purging, and importing what was exported, on the command line."""

from pathlib import Path

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli


def test_a_session_goes_and_comes_back(cli: Cli, store: ContextStore, tmp_path: Path) -> None:
    session = store.start(title="Old orders")
    session.message("hello")
    file = tmp_path / "old.jsonl.zst"
    gone = cli("purge", session.id, "--export", file, "--zstd", "--json").document
    assert (gone["session"], gone["version"], gone["file"]) == (str(session.id), 2, str(file))
    shown = cli("sessions", "show", session.id)
    assert shown.code == 3
    assert "was purged on" in shown.err
    assert gone["chain"] in shown.err.replace("\n", "")
    assert cli("sessions", "show", str(session.id)[-12:], "--json").error["code"] == "session-purged"
    (back,) = cli("import", tmp_path, "--json").documents
    assert (back["session"], back["title"], back["messages"]) == (str(session.id), "Old orders", 1)
    again = cli("import", file)
    assert again.code == 0
    assert cli("verify", session.id).code == 0


def test_in_words(cli: Cli, store: ContextStore, tmp_path: Path) -> None:
    session = store.start()
    assert cli("purge", session.id).code == 2
    told = cli("purge", session.id, "--export", tmp_path / "x.jsonl", "--yes")
    assert told.code == 0
    assert "purged" in told.out
    assert "tombstone: 1:" in told.out


def test_a_session_that_others_began_in(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    fork = session.fork()
    outcome = cli("purge", session.id, "--without-export", "--json")
    assert (outcome.code, outcome.error["code"]) == (4, "forks-depend")
    assert str(fork.id) in outcome.error["message"]
