"""Synchronous calls made from asyncio: each runs on a thread."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial, update_wrapper
from itertools import islice
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from backstory.domain.errors import ServerUnavailable
from backstory.infrastructure.observability import watchers

P = ParamSpec("P")
T = TypeVar("T")
Inner = TypeVar("Inner")
_BATCH = 256


class Offloading(Generic[Inner]):
    """Something synchronous, and the threads that call it."""

    def __init__(self, inner: Inner, threads: ThreadPoolExecutor) -> None:
        self._inner: Inner = inner
        self._threads = threads

    async def _run(self, work: Callable[..., T], *args: Any, **named: Any) -> T:
        loop = asyncio.get_running_loop()
        try:
            doing = partial(work, *args, **named)
            if watchers.watchers:
                # The call belongs to the caller's trace.
                doing = partial(copy_context().run, doing)
            running = loop.run_in_executor(self._threads, doing)
        except RuntimeError:
            raise ServerUnavailable("the store was closed.") from None
        return await running


def awaited(
    method: Callable[Concatenate[Any, P], T],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """The method, awaited. It is looked up by its name: a store that is served has methods of its own."""
    name = method.__name__

    async def call(self: Offloading[Any], /, *args: P.args, **named: P.kwargs) -> T:
        result: T = await self._run(getattr(self._inner, name), *args, **named)
        return result

    return update_wrapper(call, method)


def iterated(
    method: Callable[Concatenate[Any, P], Iterator[T]],
) -> Callable[Concatenate[Any, P], AsyncIterator[T]]:
    """The iterator, a batch of steps at a time."""
    name = method.__name__

    async def iterate(self: Offloading[Any], /, *args: P.args, **named: P.kwargs) -> AsyncIterator[T]:
        steps: Iterator[T] = getattr(self._inner, name)(*args, **named)
        while batch := await self._run(lambda: list(islice(steps, _BATCH))):
            for value in batch:
                yield value

    return update_wrapper(iterate, method)
