"""`… | head` ends a command quietly."""

import subprocess

import pytest

from backstory.application.store import ContextStore
from tests.cli.conftest import running


@pytest.mark.parametrize("option", ["--json", "--full"])
def test_nothing_is_said_about_it(option: str, store: ContextStore, environment: dict[str, str]) -> None:
    session = store.start()
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # Followed, so that it certainly still has something to write: it would not end by itself.
    with running("log", session.id, option, "--follow", env=environment, **pipes) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        while process.poll() is None:
            session.progress.file_updated("a.py")
        errors = process.stderr.read()
    assert (process.returncode, errors) == (141, b"")
