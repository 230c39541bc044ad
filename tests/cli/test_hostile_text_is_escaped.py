"""Recorded text cannot steer a terminal: every command prints control characters escaped, and no markup of it."""

import json
import logging
import re
import shutil
from contextlib import suppress
from importlib.resources import as_file, files
from pathlib import Path
from uuid import UUID

import pytest

from backstory import ContextStore, InvalidInput
from backstory.application.operations.logs import Lines
from backstory.domain.text.printable import printable
from tests.cli.conftest import COMMANDS, Cli

ATTACK = "a\x1b[2Jb\x1b]0;title\x07c\x9bd\x7fe\u202ef\u2066g\rh\bi\x00\x1b]8;;http://x\x07l[bold red]j[/]:smile:\tk"
# Postgres cannot store NUL in text; JSON arguments and titles may refuse it.
HOSTILE = ATTACK.replace("\x00", "")
NAME = HOSTILE.replace("/", "")
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


@pytest.fixture
def words_for(hostile: UUID, store: ContextStore, tmp_path: Path) -> dict[str, str]:
    """A fork of the hostile session, and files of it with hostile names."""
    fork = store.session(hostile).fork(title=HOSTILE).id
    transcript, export = tmp_path / f"{NAME}.jsonl", tmp_path / f"{NAME}-export.jsonl"
    with as_file(files("backstory.interfaces.cli.demo") / "sample_transcript.jsonl") as sample:
        shutil.copy(sample, transcript)
    store.export([fork], export)
    return {
        "ID": str(fork),
        "HOSTILE": HOSTILE,
        "TRANSCRIPT": str(transcript),
        "EXPORT": str(export),
        "FOLDER": str(tmp_path / NAME),
        "TRANSCRIPTS": str(tmp_path),
        "NEW": str(tmp_path / f"{NAME}-new.jsonl"),
        "KEY": str(tmp_path / f"{NAME}.key"),
        "ANCHOR": str(tmp_path / f"{NAME}-anchor.json"),
    }


EVERY = {
    "demo": "",
    "sessions list": "",
    "sessions show": "ID",
    "sessions hot-context": "ID",
    "sessions recent-history": "ID",
    "sessions restore-view": "ID",
    "sessions start": "--title HOSTILE",
    "sessions end": "ID --why HOSTILE",
    "sessions resume": "ID",
    "say": "ID HOSTILE",
    "command": "ID HOSTILE",
    "backtrack": "ID 2 --why HOSTILE",
    "fork": "ID --title HOSTILE",
    "sample": "",
    "reached": "2 3 --session ID",
    "safety list": "--session ID",
    "safety policy": "--project P",
    "safety quarantine": "2 --session ID --why HOSTILE",
    "safety release": "2 --session ID --why HOSTILE",
    "safety confirm": "2 --session ID --person HOSTILE",
    "safety clear": "2 --session ID --why HOSTILE",
    "artifacts configure": "FOLDER --project P",
    "artifacts register": "IDEA-1 --type idea --path HOSTILE --project P",
    "artifacts scan": "HOSTILE --project P",
    "artifacts list": "--project P",
    "artifacts show": "HOSTILE --project P",
    "artifacts remove": "HOSTILE --why HOSTILE --project P",
    "artifacts load": "ID HOSTILE",
    "artifacts unload": "ID HOSTILE",
    "artifacts layers": "ID",
    "artifacts preload": "ID",
    "artifacts unload-stale": "ID",
    "artifacts window": "ID",
    "triggers list": "--project P",
    "triggers set": "TRANSCRIPT --project P",
    "triggers check": "TRANSCRIPT",
    "triggers history": "--project P",
    "triggers dry-run": "TRANSCRIPT --project P",
    "triggers run": "ID",
    "task context": "HOSTILE --name HOSTILE --project P",
    "task complete": "HOSTILE --project P",
    "task fail": "HOSTILE --why HOSTILE --project P",
    "task list": "--project P",
    "task show": "HOSTILE --project P",
    "task stats": "--project P",
    "task clear": "HOSTILE --project P",
    "import": "TRANSCRIPT",
    "sync": "FOLDER ID",
    "capture install": "claude-code --project --dry-run",
    "capture remove": "codex --project --dry-run",
    "capture status": "",
    "capture recap": "codex HOSTILE --patience 0",
    "watch": "TRANSCRIPTS --once",
    "log": "ID --full",
    "search": "http --session ID",
    "at": "ID 7",
    "diff": "ID 1 9",
    "replay": "ID",
    "saw": "ID 6",
    "validate": "ID",
    "verify": "ID",
    "anchor-key": "--key KEY",
    "anchor": "ID --key KEY --output ANCHOR",
    "activity": "",
    "context": "ID",
    "reproduce": "ID",
    "tiers update": "ID",
    "tiers list": "ID",
    "tiers stats": "ID",
    "policy check": "ID --policy HOSTILE",
    "status": "ID",
    "usage": "ID",
    "compact": "ID --dry-run",
    "prune": "ID --dry-run",
    "expand": "ID 2",
    "dropped": "ID 2",
    "uncompact": "ID",
    "undo": "ID",
    "checkpoint": "ID HOSTILE",
    "restore": "ID HOSTILE",
    "flash-save": "ID",
    "projects list": "",
    "memory remember": "HOSTILE --project P",
    "memory recall": "HOSTILE --project P",
    "memory list": "--project P",
    "memory show": "2 --project P",
    "memory history": "2 --project P",
    "memory supersede": "2 HOSTILE --project P",
    "memory forget": "2 --why HOSTILE --project P",
    "memory confirm": "2 --project P",
    "memory dismiss": "2 --why HOSTILE --project P",
    "memory archive": "ID --title HOSTILE --project P",
    "memory policy": "--project P --set automatic=false --name HOSTILE",
    "memory erase": "2 --why HOSTILE --project P",
    "mcp": "--service HOSTILE",
    "serve": "--host 192.0.2.1",
    "worker": "--once --only snapshots",
    "jobs list": "",
    "jobs history": "",
    "jobs run": "snapshots",
    "feed": "",
    "feed-status": "",
    "projections list": "",
    "projections check": "ID",
    "projections rebuild": "ID",
    "projections run": "--once",
    "projections set-aside": "",
    "projections retry": "activity",
    "export": "ID --output NEW",
    "audit": "EXPORT",
    "erase": "ID 2 --why HOSTILE",
    "purge": "ID --without-export --yes",
    "retention set": "HOSTILE --keep",
    "retention list": "",
    "retention run": "--dry-run",
    "keys create": "HOSTILE",
    "keys rotate": "HOSTILE",
    "keys revoke": "HOSTILE",
    "keys list": "",
    "keys calls": "",
    "db upgrade": "",
    "db status": "",
    "db distribute": "",
    "db stop": "",
}
"""Words for each command. Its JSON is held to its document by the `cli` fixture."""
ERRORS = ["log HOSTILE", "log ID --after HOSTILE", "HOSTILE", "at ID 99999", "import FOLDER"]


def test_no_command_is_left_out() -> None:
    assert set(EVERY) == set(COMMANDS)


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("line", [*(f"{name} {words}" for name, words in EVERY.items()), *ERRORS])
def test_no_control_character_is_printed(
    line: str, as_json: bool, cli: Cli, words_for: dict[str, str]
) -> None:
    given = [words_for.get(word, word) for word in line.split()]
    outcome = cli(*given, *(["--json"] if as_json else []))
    assert not RAW.search(outcome.out)
    assert not RAW.search(outcome.err)
    assert "unexpected" not in outcome.err
    if as_json:
        assert all(json.loads(text) for text in outcome.err.splitlines())


def test_it_is_shown_escaped_and_markup_is_kept(cli: Cli, hostile: UUID) -> None:
    shown = "".join(cli("log", hostile, "--full", env={"COLUMNS": "400"}).out.split())
    assert "".join(printable(HOSTILE).split()) in shown
    for escape in (r"\x1b[2J", r"\x08", r"\x0d", r"\u202e", r"\x1b]8;;", "[boldred]j[/]"):
        assert escape in shown


def test_a_plot_in_a_file_is_escaped(cli: Cli, hostile: UUID, tmp_path: Path) -> None:
    picture = tmp_path / "usage.svg"
    assert cli("usage", hostile, "--svg", picture).code == 0
    assert not RAW.search(picture.read_text())


def test_a_line_of_the_log_is_escaped() -> None:
    line = Lines().format(logging.makeLogRecord({"msg": HOSTILE}))
    assert not RAW.search(line)
    assert r"\x1b[2J" in line
