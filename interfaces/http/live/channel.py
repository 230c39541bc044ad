"""A channel: events that are read once and shared by all clients that follow the same."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from anyio import CapacityLimiter, to_thread

from backstory.application.feed.live import LiveReader, Page
from backstory.domain.errors import BackstoryError

T = TypeVar("T")
R = TypeVar("R")

MOST_KEPT = 2_000
"""Entries that a channel keeps for clients that are behind."""
MOST_BYTES = 16 << 20
"""Bytes of their texts."""


class Dropped(Exception):
    """The client follows no longer. It may come back and continue."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Line(NamedTuple):
    """An entry in the forms that clients get it in."""

    id: int
    project: str | None
    whole: str
    """For callers that may see all of it."""
    brief: str
    """For those that may know of it."""


class Batch(NamedTuple):
    """Some lines, and the id up to which these are all."""

    lines: list[Line]
    upto: int


Show = Callable[[T], Line]
Read = Callable[[int], Page[T]]
"""Reads what a client missed after an id."""


class Channel(Generic[T]):
    """Follows one reader. Each client goes at its own pace: none holds up another, or the reader. One that falls
    further behind than the channel remembers is dropped, and may read on from the database when it comes back."""

    def __init__(self, reader: LiveReader[T], show: Show[T], threads: CapacityLimiter) -> None:
        self.reader = reader
        self._show = show
        self._threads = threads
        self._lines: deque[Line] = deque()
        self._bytes = 0
        self._since = self.upto = reader.start
        self._news = asyncio.Event()
        self._woken = asyncio.Event()
        self._failure: str | None = None
        self._task = asyncio.create_task(self._run())
        self._results: dict[Callable[[], Any], tuple[int, asyncio.Future[Any]]] = {}
        self.clients = 0

    def end(self, reason: str) -> None:
        """Drops its clients, once each has what is there already."""
        self._failure = reason
        self._tell()

    async def close(self) -> None:
        """Ends it."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self.reader.close()

    async def batches(
        self, after: int | None, read: Read[T] | None = None, pause: float = 15.0
    ) -> AsyncIterator[Batch]:
        """The lines after an id, or from now on: those that were missed, then new ones as they come. An empty batch
        after each pause in which nothing came."""
        cursor = self.upto if after is None else after
        read = read or self.reader.page
        while cursor < self._since:
            batch = await self.in_thread(partial(self._page, read, cursor))
            cursor = batch.upto
            yield batch
        while True:
            if cursor < self._since:
                raise Dropped(f"too slow: more than {len(self._lines)} events behind")
            if cursor < self.upto:
                batch = Batch(self._after(cursor), self.upto)
                cursor = batch.upto
                yield batch
                continue
            if self._failure is not None:
                raise Dropped(self._failure)
            try:
                async with asyncio.timeout(pause):
                    await self._news.wait()
            except TimeoutError:
                yield Batch([], cursor)

    async def next(self, after: int) -> int:
        """The newest id, once it is greater than this one."""
        while self.upto <= after:
            if self._failure is not None:
                raise Dropped(self._failure)
            await self._news.wait()
        return self.upto

    def _page(self, read: Read[T], after: int) -> Batch:
        page = read(after)
        return Batch([self._show(one) for one in page.entries], page.upto)

    async def shared(self, work: Callable[[], R]) -> R:
        """The result of work on the newest version, done once for all clients that ask for it at that version."""
        held = self._results.get(work)
        if held is None or held[0] != self.upto:
            running: asyncio.Future[R] = asyncio.ensure_future(self.in_thread(work))
            held = self._results[work] = (self.upto, running)
        done: R = await asyncio.shield(held[1])
        return done

    async def in_thread(self, work: Callable[[], R]) -> R:
        """The result of work that blocks."""
        return await to_thread.run_sync(work, limiter=self._threads)

    def _after(self, cursor: int) -> list[Line]:
        found: list[Line] = []
        for line in reversed(self._lines):
            if line.id <= cursor:
                break
            found.append(line)
        found.reverse()
        return found

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()

        def wake() -> None:
            with suppress(RuntimeError):  # A loop that was closed has nobody left to wake.
                loop.call_soon_threadsafe(self._woken.set)

        try:
            while True:
                lines = await self.in_thread(self._take)
                if lines:
                    self._add(lines)
                    continue
                pause = await self.in_thread(lambda: self.reader.next_pause(wake))
                # Not `wait_for`: before Python 3.12 it forgets a cancellation that comes together with what it waits
                # for, and `close` would wait for ever.
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._woken.wait()
                self._woken.clear()
        except BackstoryError as error:
            self.end(str(error))

    def _take(self) -> Sequence[Line]:
        return [self._show(one) for one in self.reader.take()]

    def _add(self, lines: Sequence[Line]) -> None:
        for line in lines:
            self._lines.append(line)
            self._bytes += len(line.whole)
        while len(self._lines) > 1 and (len(self._lines) > MOST_KEPT or self._bytes > MOST_BYTES):
            gone = self._lines.popleft()
            self._bytes -= len(gone.whole)
            self._since = gone.id
        self.upto = lines[-1].id
        self._tell()

    def _tell(self) -> None:
        """Wakes those who wait. Each wait has its own event, so that nobody has to be the one who clears it."""
        self._news.set()
        self._news = asyncio.Event()
