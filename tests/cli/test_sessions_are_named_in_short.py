"""A session is found by its id, by the beginning or the end of it, or as the last one."""

from collections.abc import Callable
from uuid import UUID

from backstory.store import ContextStore
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
