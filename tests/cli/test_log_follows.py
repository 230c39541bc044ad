"""`log --follow` tells what comes, and ends when it is told to."""

import json
import signal
import subprocess
import threading

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli, running


def test_new_events_appear_until_it_is_interrupted(store: ContextStore, environment: dict[str, str]) -> None:
    session = store.start()
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with running("log", session.id, "--follow", "--json", env=environment, **pipes) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = json.loads(process.stdout.readline())
        session.message("hello")
        second = json.loads(process.stdout.readline())
        session.backtrack(1, "again")
        third = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        rest, errors = process.stdout.read(), process.stderr.read()
    assert [first["version"], second["version"], third["version"]] == [1, 2, 3]
    assert second["contents"][0]["text"] == "hello"
    assert (process.returncode, rest, errors) == (0, b"", b"")


def test_it_ends_by_itself_at_a_version(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    writer = threading.Thread(target=lambda: [session.message(str(number)) for number in range(3)])
    writer.start()
    found = cli("log", session.id, "--follow", "--upto", 4, "--json").documents
    writer.join()
    assert [event["version"] for event in found] == [1, 2, 3, 4]
