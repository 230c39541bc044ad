"""The asynchronous store behind a synchronous face, so that one set of tests runs on both."""

import asyncio
import inspect
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from backstory.application.aio.calls import Offloading
from backstory.application.aio.followers import AsyncFollower
from backstory.application.aio.session import AsyncTransaction
from backstory.application.aio.store import AsyncContextStore
from backstory.application.queries.resume import Resumed


class Blocking:
    """Waits for what an asynchronous object would have awaited."""

    def __init__(self, inner: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._inner = inner
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        if callable(value):
            return lambda *args, **named: self._resolve(value(*map(self._opened, args), **named))
        return self._resolve(value)

    def _resolve(self, value: Any) -> Any:
        if inspect.isawaitable(value):
            value = asyncio.run_coroutine_threadsafe(_awaited(value), self._loop).result()
        if inspect.isasyncgen(value):
            return self._iterate(value)
        if isinstance(value, AsyncFollower):
            return BlockingFollowing(value, self._loop)
        if isinstance(value, AsyncTransaction):
            return BlockingTransaction(value, self._loop)
        if isinstance(value, Offloading):
            return Blocking(value, self._loop)
        if isinstance(value, Resumed):
            session, left = self._resolve(value.session), self._resolve(value.forked_from)
            return value._replace(session=session, forked_from=left)
        return value

    def _iterate(self, steps: Any) -> Iterator[Any]:
        while True:
            try:
                yield asyncio.run_coroutine_threadsafe(anext(steps), self._loop).result()
            except StopAsyncIteration:
                return

    def _opened(self, argument: Any) -> Any:
        """A callback that the asynchronous side awaits, made of one that expects the synchronous face."""
        if not inspect.isfunction(argument):
            return argument

        async def call(inner: Any) -> Any:
            return await asyncio.get_running_loop().run_in_executor(
                None, argument, Blocking(inner, self._loop)
            )

        return call


class BlockingTransaction(Blocking):
    """A transaction."""

    def __enter__(self) -> Any:
        self._resolve(self._inner.__aenter__())
        return self

    def __exit__(self, *error: Any) -> None:
        self._resolve(self._inner.__aexit__(*error))


class BlockingFollowing(Blocking):
    """Something that is followed."""

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        try:
            return asyncio.run_coroutine_threadsafe(anext(self._inner), self._loop).result()
        except StopAsyncIteration:
            raise StopIteration from None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


async def _awaited(value: Any) -> Any:
    return await value


@contextmanager
def open_blocking(url: str, **named: Any) -> Iterator[Any]:
    """An asynchronous store, opened, on an event loop of its own thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    store = asyncio.run_coroutine_threadsafe(AsyncContextStore.open(url, **named), loop).result()
    try:
        yield Blocking(store, loop)
    finally:
        asyncio.run_coroutine_threadsafe(store.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
