"""One step ahead: while a batch is worked on, the next one is already being read."""

from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def ahead(source: Generator[T]) -> Iterator[Iterator[T]]:
    """The same values, each made in a thread of its own while the one before it is used. One waits at most, so that
    two are held at a time. When the block ends, so has the thread, however much was left."""
    # One thread, so that the source never runs twice at once, and in the caller's context.
    with ThreadPoolExecutor(1, thread_name_prefix="backstory-ahead") as thread:
        context = copy_context()

        def step() -> list[T]:
            return context.run(lambda: list(islice(source, 1)))

        def values() -> Iterator[T]:
            coming = thread.submit(step)
            while found := coming.result():
                coming = thread.submit(step)
                yield found[0]

        try:
            yield values()
        finally:
            # After what is running, in its thread: a source that is being read cannot be closed.
            thread.submit(context.run, source.close).result()
