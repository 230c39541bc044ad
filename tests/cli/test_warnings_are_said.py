"""What the store warns of while a command goes on is said on stderr, once: not where the log goes there already."""

import json
import logging

import pytest

from backstory.interfaces.cli.run import Run

WARNING = "following goes on when the database is back: postgresql://ana:secret@db.example/x"


@pytest.fixture
def run() -> Run:
    return Run("postgresql://ana:secret@db.example/x")


def warn(name: str = "backstory.application.feed.follower") -> None:
    logging.getLogger(name).warning(WARNING)


def test_for_people(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    with run.warnings(besides="backstory.application.jobs.worker"):
        warn()
        warn("backstory.application.jobs.worker")
        logging.getLogger("backstory.application.feed.follower").info("nobody asked")
    warn()
    said = capsys.readouterr().err
    assert said.count("following goes on") == 1
    assert said.startswith("warning: ")
    assert "secret" not in said


def test_for_machines(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run.json = True
    with run.warnings():
        warn()
    said = json.loads(capsys.readouterr().err)["warning"]["message"]
    assert said.startswith("following goes on")
    assert "secret" not in said


def test_not_beside_the_log(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run.logs = True
    with run.warnings():
        warn()
    assert "warning: " not in capsys.readouterr().err
