"""The tail of one session: its events by version, as they come. Versions are dense and an append holds the session's
lock until it is committed, so a reader at version n misses nothing by asking for n + 1. It never waits for writers of
other sessions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from backstory.application.feed.event_filter import EventFilter
from backstory.application.feed.follower import Follower, Source
from backstory.domain.events import Event
from backstory.domain.values import LARGEST, whole_number

if TYPE_CHECKING:
    from backstory.application.session import Session

_BATCH = 500


class Tail(Follower[Event]):
    """A reader of one session. Another reader can continue at `version`."""

    def __init__(
        self,
        session: "Session",
        source: Source,
        *,
        after: int,
        upto: int | None,
        wanted: EventFilter,
    ) -> None:
        super().__init__(source, follow=True, stream=session.id)
        self.version = whole_number("after", after, minimum=0, maximum=LARGEST)
        """The version up to which all events were returned."""
        self._upto = None if upto is None else whole_number("upto", upto, minimum=0, maximum=LARGEST)
        self._wanted = wanted
        self._session = session
        self._read_upto = self.version

    def _read(self) -> Sequence[Event]:
        newest = self._session.version
        last = newest if self._upto is None else min(newest, self._upto)
        while self._read_upto < last and not self._closed:
            stop = min(last, self._read_upto + _BATCH)
            found = [
                event
                for event in self._session.events(after=self._read_upto, upto=stop)
                if self._wanted.includes(event)
            ]
            self._read_upto = stop
            if found:
                return found
        self.version = self._read_upto
        return ()

    def _taken(self, value: Event) -> Event:
        self.version = value.version
        return value

    @property
    def _ended(self) -> bool:
        return self._upto is not None and self._read_upto >= self._upto
