"""A write under an idempotency key answers with the first result, and another one under it is refused."""

from uuid import uuid4

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli


def test_the_same_again(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    session.message("one")
    words = ("backtrack", session.id, 1, "--why", "again", "--key", "k", "--json")
    assert cli(*words).document == cli(*words).document
    assert session.version == 3


def test_something_else_under_the_same_key(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    cli("sessions", "end", session.id, "--why", "done", "--key", "k")
    other = cli("sessions", "end", session.id, "--why", "undone", "--key", "k", "--json")
    assert (other.code, other.error["code"]) == (5, "idempotency-conflict")
    assert session.version == 2


def test_a_session_is_started_once(cli: Cli) -> None:
    words = ("sessions", "start", "--id", uuid4(), "--title", "once", "--json")
    assert cli(*words).document == cli(*words).document
