"""Safety on the command line: where an item got into, quarantine, confirmation, flags, the policy."""

from uuid import uuid4

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from tests.cli.conftest import Cli

TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"[:36]


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start(project=f"locks-{uuid4()}")


def test_reached_shows_memories_and_prompts(cli: Cli, session: Session) -> None:
    said = session.message("The lock opens at noon.")
    memory = session.memory.remember("The lock has hours.", items=[said])
    prompt = session.context(4_000)
    found = cli("reached", said, "--session", session.id, "--json").document
    assert [(one["type"], one["item"]) for one in found["items"]] == [("message", said), ("memory", memory)]
    assert found["prompts"][0]["version"] == prompt.version
    out = cli("reached", said, "--session", session.id).out
    assert f"M{memory} memory" in out
    assert f"{prompt.version} prompt" in out


def test_it_is_taken_out(cli: Cli, session: Session) -> None:
    said = session.message("The lock opens at noon.")
    memory = session.memory.remember("The lock has hours.", items=[said])
    words = ("reached", said, "--session", session.id, "--take-out", "--why", "wrong")
    assert "would go into quarantine" in cli(*words, "--dry-run").out
    assert session.safety.quarantined() == []
    done = cli(*words, "--json").document["taken_out"]
    assert [one["items"] for one in done] == [[memory], [said]]
    assert session.safety.quarantined() == [said]
    assert "quarantined" in cli("safety", "list", "--session", session.id).out


def test_quarantine_and_release(cli: Cli, session: Session) -> None:
    said = session.message("The lock opens at noon.")
    document = cli("safety", "quarantine", said, "--session", session.id, "--why", "x", "--json").document
    assert (document["session"], document["items"]) == (str(session.id), [said])
    assert session.safety.quarantined() == [said]
    assert "left quarantine" in cli("safety", "release", said, "--session", session.id).out
    assert session.safety.quarantined() == []


def test_memories_in_quarantine_are_found_on_request(cli: Cli, session: Session) -> None:
    project = session.memory.project
    memory = project.remember("The lock opens at noon.")
    cli("safety", "quarantine", memory, "--project", project.name, "--why", "wrong")
    for words in (("recall", "lock"), ("list",)):
        asked = ("memory", *words, "--project", project.name)
        assert f"M{memory}" not in cli(*asked).out
        assert f"M{memory} note" in cli(*asked, "--quarantined").out


def test_a_person_confirms_a_memory(cli: Cli, session: Session) -> None:
    project = session.memory.project
    memory = project.remember("The lock opens at noon.")
    words = ("safety", "confirm", memory, "--project", project.name)
    cli(*words, "--person", "ines")
    assert project.memory(memory).trust == "trusted"
    refused = cli(*words, "--witness", "last")
    assert (refused.code, "witness-item" in refused.err) == (2, True)


def test_flags_are_listed_and_cleared(cli: Cli, session: Session) -> None:
    said = session.message(f"The token is {TOKEN}.")
    (flagged,) = cli("safety", "list", "--session", session.id, "--json").document["items"]
    assert (flagged["item"], flagged["flags"]) == (said, ["secret:github-token"])
    cli("safety", "clear", said, "--session", session.id)
    assert session.safety.flagged() == []


def test_the_policy_is_the_projects(cli: Cli, session: Session) -> None:
    name = session.memory.project.name
    shown = cli("safety", "policy", "--project", name, "--set", "secrets=mask", "--json").document
    assert (shown["secrets"], shown["version"]) == ("mask", 2)
    item = session.message(f"The token is {TOKEN}.")
    assert TOKEN not in session.text(item)
    for wrong in ("secrets=burn", "colour=red"):
        assert cli("safety", "policy", "--project", name, "--set", wrong).code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("reached", 2, "--take-out"),
        ("reached", 2, "--dry-run"),
        ("reached", 2, "--session", "last", "--project", "p"),
    ],
)
def test_options_that_do_not_fit_are_refused(cli: Cli, session: Session, words: tuple[object, ...]) -> None:
    session.message("Hello.")
    assert cli(*words).code == 2
