"""`backstory import`: what it prints, what it takes, how it fails."""

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import PROGRAM, Cli
from tests.importing.transcripts import Transcript, long_transcript, run


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    return long_transcript(2).write(tmp_path)


def test_json_has_the_documented_keys(cli: Cli, transcript: Path) -> None:
    (done,) = cli("import", transcript, "--json").documents
    assert (done["file"], done["lines"], done["messages"]) == (str(transcript), 10, 4)
    assert (done["exchanges"], done["kept_as_they_are"], done["already_there"]) == (2, 2, 0)
    (again,) = cli("import", transcript, "--json").documents
    assert (again["session"], again["already_there"]) == (done["session"], 10)


def test_people_see_a_line_for_each_session_and_the_speed(cli: Cli, transcript: Path) -> None:
    outcome = cli("import", transcript)
    assert outcome.code == 0
    heading, row, speed = outcome.out.splitlines()
    assert heading.split() == [
        "session",
        "lines",
        "known",
        "kept",
        "messages",
        "tools",
        "compactions",
        "title",
    ]
    assert row.split(maxsplit=7)[1:] == ["10", "0", "2", "4", "2", "0", "“prompt 0”"]
    assert speed.startswith("10 lines, ")
    assert speed.endswith("lines a second")
    assert outcome.err == ""


def test_a_folder_is_every_transcript_in_it(cli: Cli, tmp_path: Path) -> None:
    long_transcript(1).write(tmp_path, "a.jsonl")
    (tmp_path / "b.jsonl").write_bytes(run("acme__folder", []))
    (tmp_path / "c.jsonl").write_text('{"other": 1}\n')
    (tmp_path / "d.txt").write_text("no transcript")
    outcome = cli("import", tmp_path)
    assert outcome.code == 0
    assert len(outcome.out.splitlines()) == 4
    assert "skipped: unknown format" in " ".join(outcome.err.split())
    again = cli("import", tmp_path, "--json")
    assert [Path(done["file"]).name for done in again.documents] == ["a.jsonl", "b.jsonl"]
    notice = json.loads(again.err)["notice"]
    assert notice == {"message": "skipped: unknown format", "of": str(tmp_path / "c.jsonl")}


def test_a_session_to_import_to(cli: Cli, transcript: Path, tmp_path: Path) -> None:
    id = cli("sessions", "start", "--json").document["session"]
    (done,) = cli("import", transcript, "--session", id, "--json").documents
    assert done["session"] == id
    other = Transcript()
    other.user("x")
    refused = cli("import", transcript, other.write(tmp_path, "o.jsonl"), "--session", id, "--json")
    assert (refused.code, refused.error["code"]) == (2, "invalid-input")


def test_replay_shows_what_was_imported(cli: Cli, transcript: Path) -> None:
    (done,) = cli("import", transcript, "--json").documents
    steps = cli("replay", done["session"], "--json").documents
    assert [step["type"] for step in steps][:4] == [
        "session.started",
        "agent.joined",
        "message.added",
        "tool.called",
    ]
    assert steps[-1]["type"] == "lines.imported"
    shown = cli("log", done["session"]).out
    assert "10 lines of transcript.jsonl, 2 × progress" in shown
    assert "prompt 1" in shown


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (["/not/there.jsonl"], "is not there"),
        (["/dev/null"], "is not a regular file"),
        ([__file__], "has no line of any known format"),
        ([Path(__file__).parent], "has no *.jsonl or *.jsonl.zst in it"),
        ([__file__, "--format", "csv"], "must be one of claude-code, codex, openhands"),
        ([__file__, "--session", "x"], "must be an id"),
    ],
)
def test_what_cannot_be_imported(cli: Cli, words: list[str], rule: str) -> None:
    outcome = cli("import", *words, "--json")
    assert (outcome.code, outcome.error["code"]) == (2, "invalid-input")
    assert rule in outcome.error["message"]


def test_a_terminal_sees_a_bar(environment: dict[str, str], transcript: Path) -> None:
    """The bar is on stderr and gone at the end; a pipe never sees it."""
    ours, theirs = pty.openpty()
    done = subprocess.Popen(
        [PROGRAM, "import", transcript], stdout=subprocess.PIPE, stderr=theirs, env=environment
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    out, _ = done.communicate(timeout=60)
    os.close(ours)
    assert done.returncode == 0
    assert b"transcript.jsonl" in shown
    assert b"\x1b" not in out
