"""`log --follow` tells what comes, and ends when it is told to."""

import threading

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli, documents_of


def test_new_events_appear_until_it_is_interrupted(store: ContextStore, environment: dict[str, str]) -> None:
    session = store.start()
    with documents_of("log", session.id, "--follow", env=environment) as next_document:
        first = next_document()
        session.message("hello")
        second = next_document()
        session.backtrack(1, "again")
        third = next_document()
    assert [first["version"], second["version"], third["version"]] == [1, 2, 3]
    assert second["contents"][0]["text"] == "hello"


def test_it_ends_by_itself_at_a_version(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    writer = threading.Thread(target=lambda: [session.message(str(number)) for number in range(3)])
    writer.start()
    found = cli("log", session.id, "--follow", "--upto", 4, "--json").documents
    writer.join()
    assert [event["version"] for event in found] == [1, 2, 3, 4]
