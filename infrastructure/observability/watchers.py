"""Watchers of operations, for metrics and traces. Without one, an operation costs a look at an empty tuple."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

End = Callable[[float, BaseException | None, dict[str, Any]], None]
"""To be called when an operation has ended: how many seconds it took, what it failed with, what came of it."""


class Watcher(Protocol):
    """One who wants to know."""

    def begun(self, operation: str, facts: dict[str, Any]) -> End | None:
        """An operation begins: append, context or job."""

    def happened(self, what: str, amount: float, labels: dict[str, str]) -> None:
        """Something is to be counted."""


watchers: tuple[Watcher, ...] = ()


def watch(watcher: Watcher) -> None:
    """Tells the watcher of everything that this process does from now on."""
    global watchers
    if watcher not in watchers:
        watchers = (*watchers, watcher)


def unwatch(watcher: Watcher) -> None:
    """Tells the watcher of nothing more."""
    global watchers
    watchers = tuple(one for one in watchers if one is not watcher)


@contextmanager
def watching(operation: str, **facts: Any) -> Iterator[dict[str, Any]]:
    """Tells of an operation, with what comes of it: the block puts that into the dictionary."""
    ends = [end for watcher in watchers if (end := watcher.begun(operation, facts)) is not None]
    started = time.perf_counter()
    found: dict[str, Any] = {}
    failed: BaseException | None = None
    try:
        yield found
    except BaseException as error:
        failed = error
        raise
    finally:
        took = time.perf_counter() - started
        for end in reversed(ends):
            end(took, failed, found)


def happened(what: str, amount: float = 1, **labels: str) -> None:
    """Tells of something to be counted."""
    for watcher in watchers:
        watcher.happened(what, amount, labels)


def watched(operation: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Has every call of a function told of."""

    def wrap(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def call(*args: P.args, **named: P.kwargs) -> T:
            if not watchers:
                return function(*args, **named)
            with watching(operation):
                return function(*args, **named)

        return call

    return wrap
