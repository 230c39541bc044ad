"""The command line, in this process and as the installed program, on a database of its tests."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from backstory.application.store import ContextStore
from backstory.interfaces.cli import application
from backstory.interfaces.cli.demo.story import Story
from backstory.interfaces.cli.manual import MANUALS
from backstory.interfaces.cli.root import every_command
from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.errors import ErrorDocument, NoticeDocument, WarningDocument
from tests.conftest import create_database

COMMANDS = dict(every_command())
"""Loaded at once, so that every command's manual is there."""

PROGRAM = Path(sys.executable).parent / "backstory"


@dataclass
class Outcome:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)

    @property
    def documents(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def error(self) -> Any:
        return json.loads(self.err)["error"]


Cli = Callable[..., Outcome]


@pytest.fixture(scope="session")
def url(embedded_server: str, migrated_template: str) -> str:
    """The database of these tests. What a command says of every session takes as long as there are sessions, so those
    of other tests are not in it."""
    return create_database(embedded_server, migrated_template)


@pytest.fixture(scope="session")
def store(url: str) -> Iterator[ContextStore]:
    with ContextStore.open(url) as store:
        yield store


@pytest.fixture
def cli(url: str, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs a command in this process: cli("log", session.id, "--json")."""
    monkeypatch.setenv("BACKSTORY_DATABASE_URL", url)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*words: object, env: dict[str, str] | None = None, typed: str | None = None) -> Outcome:
        result = CliRunner().invoke(application(), [str(word) for word in words], env=env, input=typed)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        outcome = Outcome(result.exit_code, result.stdout, result.stderr)
        if "--json" in words and "--" not in words:
            check_documents(words, outcome)
        return outcome

    return run


def check_documents(words: Sequence[object], outcome: Outcome) -> None:
    """Fails unless everything that was printed is the document that the command's manual names."""
    named = " ".join(map(str, words[:2]))
    manual = MANUALS.get(named) or MANUALS.get(str(words[0])) or MANUALS.get(f"{words[0]} list")
    for line in outcome.err.splitlines():
        assert any(_is(kind, line) for kind in (ErrorDocument, NoticeDocument, WarningDocument)), line
    if manual is not None and outcome.out:
        for text in outcome.out.splitlines() if manual.lines else [outcome.out]:
            if manual.instead is None or not _is(manual.instead, text):
                manual.document.model_validate_json(text)


def _is(kind: type[Document], text: str) -> bool:
    try:
        kind.model_validate_json(text)
    except ValidationError:
        return False
    return True


@pytest.fixture
def raw_bytes(cli: Cli) -> Callable[..., bytes]:
    """Runs a command in this process that prints bytes, and nothing else."""

    def run(*words: object) -> bytes:
        result = CliRunner().invoke(application(), [str(word) for word in words])
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout_bytes

    return run


@pytest.fixture
def environment(url: str) -> dict[str, str]:
    """What the installed program is run with."""
    return {**os.environ, "BACKSTORY_DATABASE_URL": url, "COLUMNS": "100"}


@pytest.fixture
def program(environment: dict[str, str]) -> Cli:
    """Runs the installed program."""

    def run(*words: object, env: dict[str, str] | None = None) -> Outcome:
        command = [PROGRAM, *map(str, words)]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env={**environment, **(env or {})},
            timeout=60,
            check=False,
        )
        outcome = Outcome(done.returncode, done.stdout, done.stderr)
        if "--json" in words and "--" not in words:
            check_documents(words, outcome)
        return outcome

    return run


@contextmanager
def running(*words: object, env: dict[str, str], **streams: Any) -> Iterator["subprocess.Popen[bytes]"]:
    """The installed program while it runs; it does not outlive the block."""
    process = subprocess.Popen([PROGRAM, *map(str, words)], env=env, **streams)
    try:
        with process:
            try:
                yield process
            except BaseException:
                process.kill()
                raise
    finally:
        process.kill()


@contextmanager
def documents_of(*words: object, env: dict[str, str]) -> Iterator[Callable[[], Any]]:
    """The installed program while it prints documents: gives a function that waits for the next one. Interrupted at
    the end of the block, it must end at once and in silence."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with running(*words, "--json", env=env, **pipes) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        lines = process.stdout
        yield lambda: json.loads(lines.readline())
        process.send_signal(signal.SIGINT)
        rest, errors = process.stdout.read(), process.stderr.read()
    assert (process.returncode, rest, errors) == (0, b"", b"")


@pytest.fixture(scope="session")
def story(store: ContextStore) -> Story:
    """The demo's story, played to its end: 18 versions, a branch that was left, a fork."""
    story = Story(store)
    story.begin()
    story.turn_back()
    story.answer_late()
    decision = story.take_the_other_path()
    story.fork(decision - 1)
    return story
