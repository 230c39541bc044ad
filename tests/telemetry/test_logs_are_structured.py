"""Logs as JSON lines or for people: with fields, without secrets, and only when they are asked for."""

import io
import json
import logging

import pytest

from backstory import InvalidInput
from backstory.application.operations.logs import JsonLines, Lines, set_up_logs

ADDRESS = "postgresql://me:hunter2secret@db.example/agents"


@pytest.fixture
def root():
    """The root logger, put back as it was."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield root
    root.handlers[:] = handlers
    root.setLevel(level)
    for name in ("apscheduler", "httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.NOTSET)


@pytest.fixture
def logged(root, monkeypatch):
    """Sets logs up with these settings, and gives what is written."""

    def set_up(**settings):
        for name in ("format", "level"):
            monkeypatch.delenv(f"BACKSTORY_LOG_{name.upper()}", raising=False)
        for name, value in settings.items():
            monkeypatch.setenv(f"BACKSTORY_LOG_{name.upper()}", value)
        stream = io.StringIO()
        return set_up_logs(ADDRESS, stream), stream

    return set_up


def test_nothing_is_set_up_unasked(logged, root):
    before = list(root.handlers)
    assert logged()[0] is False
    assert root.handlers == before


def test_json_has_fields_and_no_secret(logged):
    _, stream = logged(format="json")
    logger = logging.getLogger("backstory.test")
    try:
        raise ValueError(f"cannot use {ADDRESS}")
    except ValueError:
        logger.exception(
            "job %s failed at %s", "tiers", ADDRESS, extra={"job": "tiers", "seconds": 1.5, "why": [ADDRESS]}
        )
    logger.debug("not at this level")
    (line,) = stream.getvalue().splitlines()
    assert "hunter2" not in line
    said = json.loads(line)
    assert (said["level"], said["logger"], said["job"], said["seconds"]) == (
        "error",
        "backstory.test",
        "tiers",
        1.5,
    )
    assert said["message"] == "job tiers failed at postgresql://me:***@db.example/agents"
    assert said["why"] == ["postgresql://me:***@db.example/agents"]
    assert said["exception"].endswith("ValueError: cannot use postgresql://me:***@db.example/agents")
    assert said["time"].endswith("+00:00")


def test_text_is_for_people(logged):
    _, stream = logged(level="debug")
    logging.getLogger("backstory.test").debug("with %s", ADDRESS)
    assert stream.getvalue().endswith(" DEBUG backstory.test: with postgresql://me:***@db.example/agents\n")


def test_setting_up_again_says_nothing_twice(logged, root):
    logged(format="json")
    logged(level="warning")
    assert len([one for one in root.handlers if isinstance(one.formatter, JsonLines | Lines)]) == 1


def test_what_is_no_format_or_level_is_refused(logged):
    for wrong in ({"format": "xml"}, {"level": "loud"}):
        with pytest.raises(InvalidInput):
            logged(**wrong)
