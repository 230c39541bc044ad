"""The spool of hooks: what they noted, in order, until it was dealt with."""

import fcntl
import json
import os
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from backstory.application.capture import hook


class Noted(NamedTuple):
    """Something that an agent's hook noted."""

    at: datetime
    agent: str
    event: str
    session: str
    transcripts: tuple[Path, ...]
    """The session's transcript, and that of a subagent that ended."""
    source: str | None
    """The reason for which a session began."""

    @property
    def compacted(self) -> bool:
        """Whether the session goes on after a compaction."""
        return self.event == "SessionStart" and self.source == "compact"


class Spool:
    """Reads what hooks noted. What was read stays until it is dropped, so a crash in between loses nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: list[Path] = []

    def read(self) -> list[Noted]:
        """What was noted and not dropped, in order."""
        self._rotate()
        self._read = sorted(self._folder.glob("spool.*-*.jsonl"))
        return [noted for file in self._read for noted in _noted_in(file)]

    def drop(self) -> None:
        """Drops what was read last."""
        for file in self._read:
            file.unlink(missing_ok=True)
        self._read = []

    def _rotate(self) -> None:
        """Gives what was noted a name that is never used again: of two readers, neither drops what the other has not
        read."""
        renamed = self._folder / f"spool.{time.time_ns():020}-{os.getpid()}.jsonl"
        with suppress(OSError):
            os.rename(self._folder / hook.SPOOL, renamed)


def _noted_in(file: Path) -> list[Noted]:
    try:
        with file.open("rb+") as opened:
            # Waits for hooks that are writing; those that come later see that the file was renamed. Every reader does,
            # since another one may have renamed it just now.
            fcntl.flock(opened, fcntl.LOCK_EX)
            lines = opened.read().splitlines()
    except OSError:
        return []
    return [noted for line in lines if (noted := _noted(line)) is not None]


def _noted(line: bytes) -> Noted | None:
    """What a line says; None where it was cut off, as on a full disk."""
    try:
        told = json.loads(line)
        paths = [told.get(name) for name in ("transcript_path", "agent_transcript_path")]
        return Noted(
            datetime.fromtimestamp(told["at"], UTC),
            str(told["agent"]),
            str(told["event"]),
            str(told.get("session_id", "")),
            tuple(Path(path).expanduser() for path in paths if path),
            told.get("source"),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RuntimeError, OverflowError, OSError):
        return None
