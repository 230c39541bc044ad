"""Recorded text cannot steer a terminal: control characters are shown escaped, markup is not interpreted."""

import json
import re
from contextlib import suppress
from uuid import UUID

import pytest

from backstory import ContextStore, InvalidInput
from tests.cli.conftest import Cli

ATTACK = "a\x1b[2Jb\x1b]0;title\x07c\x9bd\x7fe\u202ef\u2066g\rh\x00i[bold red]j[/]:smile:\tk"
# Postgres cannot store NUL in text; JSON arguments and titles may refuse it.
HOSTILE = ATTACK.replace("\x00", "")
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def hostile(store: ContextStore) -> UUID:
    """A session with hostile text in every place that takes one."""
    session = store.start(title=HOSTILE, limit=8_000)
    for label in ({"tags": [HOSTILE]}, {"project": HOSTILE}, {"actor": HOSTILE}):
        with suppress(InvalidInput):
            session = store.start(title=HOSTILE, limit=8_000, **label)  # type: ignore[arg-type]
    with suppress(InvalidInput):
        session = session.by(HOSTILE)
    session.message(HOSTILE)
    goal = session.work.set_goal(HOSTILE)
    session.work.ask(HOSTILE, blocks=[goal])
    session.work.add_constraint(HOSTILE)
    session.decide(HOSTILE, rationale=HOSTILE, alternatives_rejected=[HOSTILE])
    session.tool_call("read_file", {"path": HOSTILE}, call_id="call_1")
    session.tool_result("call_1", HOSTILE)
    with suppress(InvalidInput):
        session.checkpoints.create(HOSTILE)
    session.context(4_000)
    session.backtrack(session.version - 1, HOSTILE)
    return session.id


COMMANDS = [
    "sessions list",
    "sessions show ID",
    "sessions restore ID",
    "log ID",
    "log ID --full",
    "at ID 7",
    "diff ID 1 9",
    "replay ID",
    "context ID",
    "reproduce ID",
    "saw ID 6",
    "status ID",
    "usage ID",
    "tiers list ID",
    "verify ID",
    "feed",
    "activity",
    "fork ID --at 5",
    "checkpoint ID HOSTILE",
    "say ID HOSTILE",
    "command ID HOSTILE",
    "log HOSTILE",
    "log ID --after HOSTILE",
    "HOSTILE",
]


@pytest.mark.parametrize("json_too", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("words", COMMANDS)
def test_no_control_character_is_printed(words: str, json_too: bool, cli: Cli, hostile: UUID) -> None:
    given = [
        str(hostile) if word == "ID" else HOSTILE if word == "HOSTILE" else word for word in words.split()
    ]
    outcome = cli(*given, *(["--json"] if json_too else []))
    assert not RAW.search(outcome.out)
    assert not RAW.search(outcome.err)
    if json_too:
        assert all(json.loads(line) for line in outcome.err.splitlines())


def test_it_is_shown_escaped_and_markup_is_kept(cli: Cli, hostile: UUID) -> None:
    shown = cli("log", hostile, "--full").out
    assert r"\x1b[2J" in shown
    assert r"\u202e" in shown
    assert "[bold red]j[/]" in shown
