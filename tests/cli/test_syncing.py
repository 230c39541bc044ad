"""`backstory sync`: which sessions, what is printed, what is refused."""

from pathlib import Path

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli


def test_the_last_session_unless_others_are_named(cli: Cli, store: ContextStore, tmp_path: Path) -> None:
    first, last = store.start(title="First"), store.start(title="Last")
    found = cli("sync", tmp_path, "--json").document
    assert found["sessions"] == [str(last.id)]
    assert (tmp_path / "context/active_session.txt").read_text() == f"{last.id}\n"
    again = cli("sync", tmp_path, first.id, "--json").document
    assert again["sessions"] == [str(last.id), str(first.id)]


def test_what_a_person_reads(cli: Cli, store: ContextStore, tmp_path: Path) -> None:
    session = store.start(title="One")
    shown = cli("sync", tmp_path, session.id)
    assert shown.out == f"1 session in {tmp_path}: 6 files written, 0 removed, 0 unchanged\n"


def test_private_items_with_agent_only(cli: Cli, store: ContextStore, tmp_path: Path) -> None:
    session = store.start(project="atlas")
    session.by("quaid").items.save("lesson", "secret lesson")
    for options, seen in (((), False), (("--agent", "quaid"), True)):
        assert cli("sync", tmp_path, session.id, *options).code == 0
        assert ("secret lesson" in (tmp_path / "memory/atlas/quaid-notes.md").read_text()) is seen


def test_what_is_refused(cli: Cli, store: ContextStore, tmp_path: Path) -> None:
    session = store.start()
    (tmp_path / "file").write_text("x")
    assert cli("sync", tmp_path / "file", session.id).code == 2
    assert cli("sync", tmp_path, session.id, "--all").code == 2
    assert cli("sync", tmp_path, "0199d0a0-0000-7000-8000-00000000dead").code == 3
