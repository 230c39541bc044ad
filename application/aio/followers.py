"""Readers of the feed and of one session, for asyncio."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Self, TypeVar

from backstory.application.aio.calls import Offloading
from backstory.application.feed.feed import Feed, FeedEvent
from backstory.application.feed.follower import Follower
from backstory.application.feed.tail import Tail
from backstory.domain.events import Event

T = TypeVar("T")


class AsyncFollower(Offloading[Follower[T]]):
    """A reader that follows the log; see Follower. It holds no thread while it waits."""

    def __init__(self, inner: Follower[T], threads: ThreadPoolExecutor) -> None:
        super().__init__(inner, threads)
        self._woken = asyncio.Event()

    async def close(self) -> None:
        """Ends it, also while somebody waits for the next."""
        self._inner.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        while not self._inner.is_over:
            if await self._run(self._inner.fill):
                return self._inner.pop()
            if not self._inner.is_over:
                await self._wait()
        self._inner.close()
        raise StopAsyncIteration

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _wait(self) -> None:
        waiter = self._inner.waiter
        waiter.on_wake = partial(_wake, asyncio.get_running_loop(), self._woken)
        # Not `wait_for`: before Python 3.12 it forgets a cancellation that comes together with what it waits for.
        with suppress(TimeoutError):
            async with asyncio.timeout(waiter.next_pause(self._inner.longest_wait)):
                await self._woken.wait()
        self._woken.clear()


def _wake(loop: asyncio.AbstractEventLoop, woken: asyncio.Event) -> None:
    # A loop that was closed has nobody left to wake.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(woken.set)


class AsyncFeed(AsyncFollower[FeedEvent]):
    """A reader of the feed; see Feed."""

    _inner: Feed

    @property
    def position(self) -> int:
        """The position of the last event that was read."""
        return self._inner.position


class AsyncTail(AsyncFollower[Event]):
    """A reader of one session that goes on; see Tail."""

    _inner: Tail

    @property
    def version(self) -> int:
        """The version of the last event that was read."""
        return self._inner.version
