"""Recaps for agents that compacted their context: each is made once, and waits in a file for the hook that gives it.

The files are the record of what was given, and not events: a hook gives a recap without the store, and where it did
stands in the transcript, which is imported. A recap that was taken by a hook that died is lost and never given twice.
"""

import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from backstory.application.capture import hook
from backstory.application.store import ContextStore
from backstory.application.transcripts.files import imported_session_id
from backstory.application.window.listing import CompactionRecord
from backstory.domain.context.taken_in import recap_closes, recap_opens
from backstory.domain.errors import NotFound
from backstory.domain.recap.recap import USUAL
from backstory.domain.values import MAIN_WINDOW

NEAR = timedelta(minutes=10)
"""The most time between a compaction and the start of the session after it. An older compaction is another one."""
AGAIN = 0.2
"""Seconds between two looks into a transcript. Why: agents write it after the hook has begun."""


class Recaps:
    """The recaps in a folder of hooks."""

    def __init__(self, store: ContextStore, folder: Path) -> None:
        self._store = store
        self._folder = folder

    def make(
        self, agent: str, session: str, at: datetime, transcript: Path | None = None, patience: float = 0.0
    ) -> bool:
        """Makes the recap of the compaction at about that time, and leaves it for the hook. Returns False where there
        is none: the compaction is not recorded yet, or its recap was made before. With a transcript, the newest lines
        of it are imported first, again for so many seconds until the compaction is there."""
        recaps = hook.recaps_of(str(self._folder), agent, session)
        if recaps is None:
            return False
        until = time.monotonic() + patience
        seen: tuple[int, int] | None = None
        while True:
            if transcript is not None and (now := _mark(transcript)) != seen and now is not None:
                self._store.import_file(transcript, growing=True)
                seen = now
            compaction = self._compaction(agent, session, at)
            if compaction is not None:
                return self._leave(Path(recaps), agent, session, compaction)
            if time.monotonic() >= until:
                return False
            time.sleep(AGAIN)

    def _compaction(self, agent: str, session: str, at: datetime) -> CompactionRecord | None:
        """The newest compaction of the agent's own window, if it is the one of that time."""
        try:
            found = self._store.session(imported_session_id(agent, session)).window.compactions(limit=20)
        except NotFound:
            return None
        own = [one for one in found if one.window == MAIN_WINDOW and one.live and one.undone is None]
        return own[0] if own and abs(own[0].at - at) <= NEAR else None

    def _leave(self, recaps: Path, agent: str, session: str, compaction: CompactionRecord) -> bool:
        recaps.mkdir(parents=True, exist_ok=True, mode=0o700)
        waiting = recaps / f"{compaction.version}{hook.WAITING}"
        given = recaps / f"{compaction.version}{hook.GIVEN}"
        with _alone(recaps.parent / ".lock"):
            # In this order: a hook may take it in between, but nobody else makes one.
            if waiting.exists() or given.exists():
                return False
            text = self._text(agent, session, compaction.version)
            whole = recaps / f".{compaction.version}"
            whole.write_text(text, encoding="utf-8")
            whole.chmod(0o600)
            whole.replace(waiting if text else given)
        return bool(text)

    def _text(self, agent: str, session: str, version: int) -> str:
        """The text, between marks that nothing in it can imitate; empty where nothing that is needed is missing."""
        mark = secrets.token_hex(4)
        opens, closes = recap_opens(mark), recap_closes(mark)
        room = USUAL - len(opens) - len(closes) - 2
        window = self._store.session(imported_session_id(agent, session)).window
        text = window.uncompact(version, limit=room).text
        return f"{opens}\n{text}\n{closes}" if text else ""


def _mark(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    file = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)
