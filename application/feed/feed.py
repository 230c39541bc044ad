"""The feed: every event of every stream, in an order in which no reader can miss one."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import psycopg

from backstory.application.contents.source import Bytes
from backstory.application.feed.event_filter import EventFilter
from backstory.application.feed.follower import Follower
from backstory.application.queries.event_contents import NamedContent, contents_of
from backstory.application.runtime import Runtime
from backstory.domain.events import Event
from backstory.domain.values import label, whole_number
from backstory.infrastructure.feed.feed import FeedReader, FeedRow
from backstory.infrastructure.feed.horizon import PATIENCE
from backstory.infrastructure.feed.waiter import INTERVAL
from backstory.infrastructure.postgres.queries import query

LAST_POSITION = 2**63 - 1
_HELD_WAIT = 0.05
"""Seconds between two reads while a writer is waited for: its commit may not be announced."""
_STEP_PATIENCE = 0.25
"""Seconds that one read of a follower waits for writers, so that it can be closed meanwhile."""
_STATUS_PATIENCE = 0.05
"""Seconds that running appends have before they count as a delay."""


class FeedEvent:
    """An event with its position in the feed. It is decoded on first use."""

    __slots__ = ("_event", "_row", "contents", "position", "project", "session", "type", "version")

    def __init__(self, row: FeedRow) -> None:
        self._row = row
        self._event: Event | None = None
        self.position: int = row.position
        """Its position: greater than that of every event before it. There may be gaps."""
        self.session: UUID = row.envelope.stream
        """The stream it belongs to."""
        self.version: int = row.envelope.version
        self.type: str = row.envelope.type
        self.project: str | None = row.project
        """The project that its session belongs to now."""
        self.contents: tuple[NamedContent, ...] = ()
        """Its texts and other contents, if the feed was opened with `contents`."""

    def __repr__(self) -> str:
        return f"<FeedEvent {self.position}: {self.type}, version {self.version} of {self.session}>"

    @property
    def event(self) -> Event:
        """The event itself."""
        if self._event is None:
            self._event = self._row.envelope.event()
        return self._event

    @property
    def payload(self) -> bytes:
        """The stored payload: JSON, except in streams of other applications."""
        return self._row.envelope.payload


class Consumer(NamedTuple):
    """The progress of a consumer of the feed."""

    name: str
    position: int
    behind: int
    """Positions up to the newest event. Some of them may belong to no event."""
    seconds: float
    """The age in seconds of the oldest event that it has not processed. 0 if there is none."""


class FeedLag(NamedTuple):
    """The newest position, and the consumers behind it."""

    newest: int
    """The position of the newest event."""
    consumers: tuple[Consumer, ...]


class FeedStatus(NamedTuple):
    """The status of the feed."""

    position: int
    """The newest position that readers can see now."""
    newest: int
    """The position of the newest event that is committed."""
    behind: int
    """Positions between the two, which readers cannot see yet."""
    seconds: float
    """The age in seconds of the oldest of these. 0 if there is none."""
    stalled_by: int | None
    """The process with the open transaction that the feed waits for."""
    stalled_by_prepared: str | None
    """The name of the prepared transaction that the feed waits for."""
    consumers: tuple[Consumer, ...]
    """All consumers in this database."""


class Feed(Follower[FeedEvent]):
    """A reader of the feed. Another reader can continue at `position`."""

    def __init__(
        self,
        runtime: Runtime,
        *,
        after: int,
        wanted: EventFilter,
        project: str | None,
        contents: bool,
        follow: bool,
    ) -> None:
        super().__init__(runtime.database, follow=follow)
        self.position = whole_number("after", after, minimum=0, maximum=LAST_POSITION)
        """The position up to which all events were returned."""
        if project is not None:
            label("project", project)
        self._runtime = runtime
        self._read_upto = self.position
        self._contents = contents
        self._reader = FeedReader(
            runtime.database, **wanted._asdict(), project=project, projects=runtime.projects
        )
        self._present: int | None = None

    def _read(self) -> Sequence[FeedEvent]:
        horizon = self._horizon()
        while self._read_upto < horizon and not self._closed:
            entries = self._reader.after(self._read_upto, horizon)
            self._read_upto = entries.upto
            if entries.rows:
                events = [FeedEvent(row) for row in entries.rows]
                if self._contents:
                    self._load_contents(events)
                return events
        self.position = self._read_upto
        return ()

    def _load_contents(self, events: Sequence[FeedEvent]) -> None:
        by_session: dict[UUID, list[FeedEvent]] = {}
        for entry in events:
            by_session.setdefault(entry.session, []).append(entry)
        for session, entries in by_session.items():
            held: Bytes = {
                (row.originator_version, part): data
                for row, contents in self._runtime.log.rows_with_contents(
                    session, [entry.version for entry in entries]
                )
                for part, data in contents.items()
            }
            for entry in entries:
                entry.contents = contents_of(entry.event, held)

    def _horizon(self) -> int:
        if self._follow:
            return self._runtime.horizon.advance(_STEP_PATIENCE, PATIENCE)
        if self._present is None:
            self._present = self._runtime.horizon.advance()
        return self._present

    def _taken(self, value: FeedEvent) -> FeedEvent:
        self.position = value.position
        return value

    @property
    def _ended(self) -> bool:
        return self._present is not None and self._read_upto >= self._present

    @property
    def longest_wait(self) -> float:
        """The longest time between two looks at the feed, in seconds."""
        return _HELD_WAIT if self._runtime.horizon.is_held else INTERVAL


def feed_status(runtime: Runtime) -> FeedStatus:
    """Returns the status of the feed: its position, its consumers, and the transaction that holds it up."""
    position = runtime.horizon.advance(_STATUS_PATIENCE, PATIENCE)
    staller = runtime.horizon.staller() if runtime.horizon.is_held else None
    rows = runtime.database.read(lambda c: c.execute(query("feed_lag"), (position,)).fetchall())
    ((_, _, newest, seconds), *others) = rows
    return FeedStatus(
        position,
        newest,
        max(0, newest - position),
        seconds,
        staller.pid if staller else None,
        staller.prepared if staller else None,
        tuple(Consumer(name, at, max(0, newest - at), late) for name, at, newest, late in others),
    )


def feed_lag(connection: psycopg.Connection) -> FeedLag:
    """Returns the newest position and all consumers."""
    newest, consumers = 0, []
    for name, position, newest, seconds in connection.execute(query("feed_lag"), (0,)):
        if name is not None:
            consumers.append(Consumer(name, position, max(0, newest - position), seconds))
    return FeedLag(newest, tuple(consumers))
