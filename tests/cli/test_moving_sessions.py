"""Purging, and importing what was exported, on the command line."""

from pathlib import Path
from uuid import uuid4

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


def test_a_project_goes_and_comes_back(cli: Cli, store: ContextStore, tmp_path: Path) -> None:
    name = f"shop-{uuid4().hex[:6]}"
    store.start(project=name, title="Orders").memory.remember("Deploys go to Fly.")
    file = tmp_path / "shop.jsonl"
    done = cli("export", "--project", name, "-o", file, "--json").document
    assert [one["project"] for one in done["streams"]] == [name, None]
    assert [one["project"] for one in cli("audit", file, "--json").document["sessions"]] == [name, None]
    assert f"memory of {name}" in " ".join(cli("audit", file).out.split())
    memory, session = cli("import", file, "--json").documents
    assert (memory["project"], session["project"], session["title"]) == (name, None, "Orders")
    assert f"memory of {name}" in " ".join(cli("import", file).out.split())
    assert cli("purge", "--memory-of", name, "--export", tmp_path / "p.jsonl", "--yes").code == 0
    refused = cli("memory", "remember", "more", "--project", name, "--json")
    assert refused.error["code"] == "session-purged"
    assert cli("import", tmp_path / "p.jsonl").code == 0
    assert store.project(name).memories().memories[0].text == "Deploys go to Fly."


def test_everything_can_be_exported(cli: Cli, store: ContextStore, tmp_path: Path) -> None:
    session = store.start()
    done = cli("export", "--all", "-o", tmp_path / "all.jsonl", "--json").document
    assert str(session.id) in done["sessions"]
    for wrong in ([], ["last", "--all"]):
        assert "must name what to export" in cli("export", *wrong).err
    assert "must be given, or --memory-of" in cli("purge", "--without-export").err
