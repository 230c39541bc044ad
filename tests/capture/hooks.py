"""The hook as an agent runs it."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from backstory.application.capture.install import hook_command, place_hook
from tests.importing.transcripts import Transcript, call


def run_hook(
    folder: Path, event: dict[str, Any] | bytes, agent: Any = "claude-code", **environment: str
) -> tuple[int, str]:
    """Its exit code and what it prints."""
    data = event if isinstance(event, bytes) else json.dumps(event).encode()
    done = subprocess.run(
        ["/bin/sh", "-c", hook_command(agent, folder)],
        input=data,
        capture_output=True,
        env={"PATH": os.environ["PATH"], **environment},
        timeout=60,
    )
    assert done.stderr == b""
    return done.returncode, done.stdout.decode()


def given(printed: str, event: str) -> str:
    """The text that an agent takes in."""
    said = json.loads(printed)["hookSpecificOutput"]
    assert said["hookEventName"] == event
    text: str = said["additionalContext"]
    return text


def placed(folder: Path, *, works: bool = True) -> Path:
    """A folder with the hook. Backstory's command line works, or is not there."""
    place_hook(folder)
    if not works:
        (folder / "command.json").write_text(json.dumps([sys.executable, "-c", "raise SystemExit(1)"]))
    return folder


def compacted_now(text: str = "Never change the defaults.") -> Transcript:
    """A session that its agent has just compacted, with a summary that tells nothing of it."""
    transcript = Transcript()
    began = datetime.now(UTC) - timedelta(minutes=5)
    transcript.user(f"Make the retries configurable. {text}")
    transcript.assistant("I look.", call("c1", "Read", file_path="/srv/retry/limits.toml"))
    transcript.result("c1", text="limit = 3")
    transcript.compact("They talked about retries.")
    for number, line in enumerate(transcript.lines):
        told = json.loads(line) | {"timestamp": (began + timedelta(seconds=number)).isoformat()}
        transcript.lines[number] = json.dumps(told).encode() + b"\n"
    return transcript


def started(transcript: Transcript, file: Path, source: str = "compact") -> dict[str, Any]:
    return {
        "session_id": transcript.session,
        "transcript_path": str(file),
        "cwd": "/home/ana/orders",
        "hook_event_name": "SessionStart",
        "source": source,
    }


def prompted(transcript: Transcript, file: Path) -> dict[str, Any]:
    return started(transcript, file) | {"hook_event_name": "UserPromptSubmit", "prompt": "Go on."}
