"""`… | head` ends a command quietly."""

import subprocess

import pytest

from backstory.store import ContextStore
from tests.cli.conftest import PROGRAM


@pytest.mark.parametrize("option", ["--json", "--full"])
def test_nothing_is_said_about_it(option: str, store: ContextStore, environment: dict[str, str]) -> None:
    session = store.start()
    command = [PROGRAM, "log", str(session.id), option, "--follow"]
    # Followed, so that it certainly still has something to write: it would not end by itself.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        while process.poll() is None:
            session.file_updated("a.py")
        errors = process.stderr.read()
    assert (process.returncode, errors) == (141, b"")
