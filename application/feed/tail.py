"""The tail of one session: its events by version, as they come.

Versions are dense and an append holds the session's lock until it is committed, so whoever has seen version n misses
nothing by asking for n + 1. No other session's writer is ever waited for.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from backstory.application.feed.follower import Following
from backstory.domain.events import Event
from backstory.domain.values import LARGEST, label, listed, whole_number

if TYPE_CHECKING:
    from backstory.application.session import Session

_BATCH = 500


class Tail(Following[Event]):
    """A reader of one session that goes on. `version` is where another one would go on."""

    def __init__(
        self,
        session: "Session",
        *,
        after: int,
        upto: int | None,
        types: Collection[str],
        actor: str | None,
    ) -> None:
        super().__init__(session._runtime.database, follow=True, stream=session.id)
        self.version = whole_number("after", after, minimum=0, maximum=LARGEST)
        """The newest version up to which everything that is wanted was handed out."""
        self._upto = None if upto is None else whole_number("upto", upto, minimum=0, maximum=LARGEST)
        self._types = {label("types", type_) for type_ in listed("types", types)}
        self._actor = None if actor is None else label("actor", actor)
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
                if (not self._types or event.type in self._types)
                and (self._actor is None or event.actor == self._actor)
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
