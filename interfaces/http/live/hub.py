"""The channels of a process: one for each session that somebody follows, and one for all sessions."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from anyio import CapacityLimiter, to_thread

from backstory.application.feed.feed import FeedEvent
from backstory.application.feed.live import FeedReader, LiveReader, SessionReader
from backstory.application.queries.history import LogEntry
from backstory.application.store import ContextStore
from backstory.interfaces.documents.events import EventDocument
from backstory.interfaces.documents.live import BriefEventDocument, LiveEventDocument
from backstory.interfaces.http.live.channel import Channel, Line, Show

THREADS = 4
"""Threads that read for live clients. Of their own, so that neither they nor requests wait for the other."""
STOPPING = "the service stops"


class Hub:
    """Opens a channel when the first client asks for it, and closes it after the last one."""

    def __init__(self, store: ContextStore) -> None:
        self._store = store
        self._channels: dict[UUID | None, Channel[Any]] = {}
        self._opening: dict[UUID | None, asyncio.Lock] = {}
        self._threads = CapacityLimiter(THREADS)
        self._stopping = False

    def stop(self) -> None:
        """Ends all streams, so that the process can end."""
        self._stopping = True
        for channel in self._channels.values():
            channel.end(STOPPING)

    @asynccontextmanager
    async def session(self, id: UUID) -> AsyncIterator[Channel[LogEntry]]:
        """The channel of a session."""
        async with self._following(
            id, lambda: SessionReader(self._store.session(id)), _session_line
        ) as found:
            yield found

    @asynccontextmanager
    async def feed(self) -> AsyncIterator[Channel[FeedEvent]]:
        """The channel of all sessions."""
        async with self._following(None, lambda: FeedReader(self._store), _feed_line) as found:
            yield found

    @asynccontextmanager
    async def _following(
        self, key: UUID | None, reader: Callable[[], LiveReader[Any]], show: Show[Any]
    ) -> AsyncIterator[Channel[Any]]:
        async with self._opening.setdefault(key, asyncio.Lock()):
            channel = self._channels.get(key)
            if channel is None:
                made = await to_thread.run_sync(reader, limiter=self._threads)
                channel = self._channels[key] = Channel(made, show, self._threads)
                if self._stopping:
                    channel.end(STOPPING)
            channel.clients += 1
        try:
            yield channel
        finally:
            channel.clients -= 1
            if not channel.clients:
                # A channel that failed is replaced by whoever comes next.
                del self._channels[key]
                self._opening.pop(key, None)
                await channel.close()


def _session_line(entry: LogEntry) -> Line:
    return Line(
        entry.version,
        None,
        EventDocument.of(entry).model_dump_json(by_alias=True),
        BriefEventDocument.of(entry).model_dump_json(by_alias=True),
    )


def _feed_line(event: FeedEvent) -> Line:
    said = LiveEventDocument.found(event).model_dump_json(by_alias=True)
    return Line(event.position, event.project, said, said)
