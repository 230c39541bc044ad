"""The hook notes what happened and ends with 0, whatever goes wrong."""

import json
import os
import resource
import stat
import subprocess
from pathlib import Path

import pytest

from backstory.application.capture import hook
from backstory.application.capture.install import hook_command
from tests.capture.hooks import placed, run_hook

EVENT = {"session_id": "s1", "transcript_path": "/t.jsonl", "hook_event_name": "Stop"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return placed(tmp_path / "hooks", works=False)


def test_it_notes_where_the_transcript_is_and_nothing_that_was_said(folder: Path) -> None:
    prompt = {
        "prompt": "the word is swordfish",
        "tool_input": {"a": 1},
        "last_assistant_message": "swordfish",
    }
    assert run_hook(folder, EVENT | prompt) == (0, "")
    assert run_hook(folder, EVENT | {"hook_event_name": "SessionEnd", "reason": "clear"}) == (0, "")
    spool = folder / "spool.jsonl"
    assert "swordfish" not in spool.read_text()
    assert stat.S_IMODE(spool.stat().st_mode) == 0o600
    told = [json.loads(line) for line in spool.read_text().splitlines() if line]
    assert [(one["event"], one["session_id"], one["transcript_path"]) for one in told] == [
        ("Stop", "s1", "/t.jsonl"),
        ("SessionEnd", "s1", "/t.jsonl"),
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"null",
        b"[1]",
        b'{"hook_event_name": 3}',
        b"\xff\xfe",
        b'{"session_id": "../../etc", "hook_event_name": "UserPromptSubmit"}',
        b"[" * 200_000,
        b"x" * (hook.MOST_INPUT + 2**20),
    ],
)
def test_any_input(folder: Path, data: bytes) -> None:
    assert run_hook(folder, data) == (0, "")


def test_an_input_that_never_ends(folder: Path) -> None:
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", hook_command("codex", folder)], stdin=reading, capture_output=True, timeout=60
        )
    finally:
        os.close(writing)
        os.close(reading)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_no_script_no_right_no_home(folder: Path, tmp_path: Path) -> None:
    assert run_hook(tmp_path / "nowhere", EVENT) == (0, "")
    (folder / "spool.jsonl").mkdir()
    assert run_hook(folder, EVENT, HOME="/nowhere") == (0, "")


def test_a_link_in_place_of_the_spool_is_not_followed(folder: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (folder / "spool.jsonl").symlink_to(victim)
    assert run_hook(folder, EVENT) == (0, "")
    assert victim.read_text() == "mine"


def test_a_full_disk(folder: Path) -> None:
    (folder / "spool.jsonl").write_bytes(b"x" * 4096)
    done = subprocess.run(
        ["/bin/sh", "-c", hook_command("claude-code", folder)],
        input=json.dumps(EVENT).encode(),
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_spool_that_nobody_drains_ends_growing(folder: Path) -> None:
    with (folder / "spool.jsonl").open("wb") as file:
        file.truncate(hook.MOST_SPOOL + 1)
    assert run_hook(folder, EVENT) == (0, "")
    assert (folder / "spool.jsonl").stat().st_size == hook.MOST_SPOOL + 1


def test_a_closed_output(folder: Path) -> None:
    waiting = folder / "recaps" / "claude-code-s1"
    waiting.mkdir(parents=True)
    (waiting / "7.waiting").write_text("a recap")
    words = hook_command("claude-code", folder).removesuffix(" || true")
    done = subprocess.run(
        ["/bin/sh", "-c", f"({words}) >&-"],
        input=json.dumps(EVENT | {"hook_event_name": "UserPromptSubmit"}).encode(),
        timeout=60,
    )
    assert done.returncode == 0


def test_a_store_that_cannot_be_asked(folder: Path) -> None:
    start = EVENT | {"hook_event_name": "SessionStart", "source": "compact"}
    assert run_hook(folder, start) == (0, "")
    (folder / "command.json").write_text("[")
    assert run_hook(folder, start) == (0, "")
    (folder / "command.json").write_text('["/no/such/program"]')
    assert run_hook(folder, start) == (0, "")
