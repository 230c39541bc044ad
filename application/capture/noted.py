"""Sessions that hooks noted: their transcripts are followed wherever they are, and their recaps made."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from backstory.application.capture.follow import Followed, Follower
from backstory.application.capture.recaps import Recaps
from backstory.application.capture.spool import Noted, Spool
from backstory.application.store import ContextStore
from backstory.domain.errors import BackstoryError, Unavailable

SETTLING = timedelta(seconds=30)
"""The time in which an agent writes a compaction to its transcript."""


class NotedSessions:
    """Imports what is new in folders of transcripts and in sessions that hooks noted."""

    def __init__(self, store: ContextStore, follower: Follower, folder: Path) -> None:
        self._follower = follower
        self._spool = Spool(folder)
        self._recaps = Recaps(store, folder)

    def look(self) -> Iterator[Followed]:
        """Imports what came since the last look. What was noted is dropped when it was dealt with; it is dealt with
        again after a crash, which changes nothing."""
        noted = self._spool.read()
        for one in noted:
            for transcript in one.transcripts:
                self._follower.add(transcript)
        yield from self._follower.look()
        compacted = [one for one in noted if one.compacted]
        for one in compacted:
            self._make(one)
        unsettled = any(datetime.now(UTC) - one.at < SETTLING for one in compacted)
        if not (unsettled or self._follower.behind):
            self._spool.drop()

    def _make(self, noted: Noted) -> None:
        try:
            self._recaps.make(noted.agent, noted.session, noted.at)
        except Unavailable:
            raise
        except (BackstoryError, OSError):
            # It stays without a recap: whoever asks for one with `backstory uncompact` gets the reason.
            return
