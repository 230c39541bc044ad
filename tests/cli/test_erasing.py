"""`erase` says what would go, takes it, and the proof remains."""

import pytest

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli


def test_a_dry_run_erases_nothing(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    item = session.message("my number is 555")
    found = cli("erase", session.id, item, "--why", "asked for", "--dry-run", "--json").document
    assert found["dry_run"] is True
    assert found["erased"] == [{"session": str(session.id), "version": item, "part": 0, "project": None}]
    assert found["events"] == {}
    assert session.text(item) == "my number is 555"


def test_the_text_goes_and_the_proof_remains(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    item = session.message("my number is 555")
    fork = session.fork()
    found = cli("erase", session.id, item, "--why", "asked for", "--actor", "dpo", "--json").document
    assert found["events"] == {str(session.id): 3}
    assert found["forks"] == [str(fork.id)]
    shown = cli("log", session.id).out
    assert "555" not in shown
    assert "(erased)" in shown
    assert "item 2, 1 content: asked for" in shown
    assert "(erased)" in cli("at", session.id, 2).out
    assert cli("verify", session.id, "--json").documents[0]["erased"] == 1
    assert cli("verify", fork.id).code == 0


def test_memories_that_were_made_from_it_are_named(cli: Cli, store: ContextStore) -> None:
    session = store.start(project="atlas-erased")
    item = session.message("my number is 555")
    memory = session.memory.remember("the number is 555", items=[item])
    planned = cli("erase", session.id, item, "--why", "asked for", "--dry-run").out
    assert "memory of atlas-erased" in planned
    found = cli("erase", session.id, item, "--why", "asked for", "--json").document
    project = store.project("atlas-erased")
    gone = {"session": str(project.id), "version": memory, "part": 0, "project": "atlas-erased"}
    assert found["derived"] == [gone]
    assert project.memory(memory).text is None


def test_equal_texts_go_together_if_asked(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    session.message("the same")
    session.message("the same")
    found = cli("erase", session.id, 2, "--why", "x", "--everywhere", "--json").document
    assert [gone["version"] for gone in found["erased"]] == [2, 3]


def test_what_is_gone_cannot_go_again(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    session.message("once")
    assert cli("erase", session.id, 2, "--why", "x").code == 0
    again = cli("erase", session.id, 2, "--why", "x", "--json")
    assert (again.code, again.error["code"]) == (4, "refused")


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1)])
def test_on_a_terminal_it_asks_first(
    answer: str, code: int, cli: Cli, store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = store.start()
    session.message("sure?")
    monkeypatch.setattr("backstory.interfaces.cli.look_back.verify.asks_first", lambda: True)
    outcome = cli("erase", session.id, 2, "--why", "x", typed=answer)
    assert outcome.code == code
    assert "would erase 1 content" in outcome.out
    assert session.version == (3 if code == 0 else 2)
