"""`backstory say`: a message from the shell."""

import subprocess

import pytest

from backstory.application.store import ContextStore
from tests.cli.conftest import PROGRAM, Cli


def test_a_message_is_added(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    done = cli("say", session.id, "The login test fails.", "--actor", "ana")
    assert (done.code, done.out) == (0, f"message 2 in session {str(session.id)[-12:]}, 5 tokens\n")
    item = session.state.items[2]
    assert (session.text(2), item.role, item.agent) == ("The login test fails.", "user", "ana")


def test_as_json_and_in_another_role(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    done = cli("say", session.id, "Done.", "--role", "agent", "--json").document
    assert done == {"session": str(session.id), "version": 2, "role": "agent", "tokens": 2}


@pytest.mark.parametrize("words", [(), ("-",)])
def test_from_standard_input(cli: Cli, store: ContextStore, words: tuple[str, ...]) -> None:
    session = store.start()
    assert cli("say", session.id, *words, typed="two\nlines ✓\n").code == 0
    assert session.text(2) == "two\nlines ✓"


def test_it_may_be_repeated_under_a_key(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    words = ("say", session.id, "once", "--key", "k", "--json")
    assert cli(*words).document == cli(*words).document
    assert session.version == 2


@pytest.mark.parametrize("words", [("",), ("  \n",), (), ("x", "--role", "nobody")])
def test_nothing_and_nobody_are_bad_input(cli: Cli, store: ContextStore, words: tuple[str, ...]) -> None:
    session = store.start()
    refused = cli("say", session.id, *words, "--json", typed="")
    assert (refused.code, refused.error["code"]) == (2, "invalid-input")
    assert session.version == 1


@pytest.mark.parametrize("data", [b"\xff\xfe", b"x" * (16 * 2**20 + 1)])
def test_what_no_message_can_hold_is_refused(environment, store: ContextStore, data: bytes) -> None:
    session = store.start()
    command = [PROGRAM, "say", str(session.id), "--json"]
    done = subprocess.run(command, input=data, capture_output=True, env=environment, check=False)
    assert done.returncode == 2
    assert b"invalid-input" in done.stderr
    assert session.version == 1


def test_a_session_that_has_ended_takes_none(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    session.end()
    assert cli("say", session.id, "more").code == 4


def test_a_message_has_metadata_of_the_callers_own(store: ContextStore, cli: Cli) -> None:
    session = store.start()
    said = cli("say", session.id, "Hello", "--metadata", '{"ticket": 12}', "--json").document["version"]
    assert session.items.metadata(said) == {"ticket": 12}
    (shown,) = [one for one in cli("log", session.id, "--json").documents if one["version"] == said]
    assert [one["text"] for one in shown["contents"] if one["field"] == "metadata"] == ['{"ticket":12}']
    for bad in ("ticket 12", "[12]"):
        assert cli("say", session.id, "Hello", "--metadata", bad).code == 2
    assert session.version == said
