"""Guards: conditions under which an append goes through."""

from typing import NamedTuple

from backstory.domain.events.base import Change


class Guard(NamedTuple):
    """No guard: facts that commute, which any number of writers may append at once. `expected`: the stream is at
    exactly this version; with `recorded`, in microseconds, that version was recorded then, so that the log is still the
    one that was read and none that was restored meanwhile. `items`: these are live, and with `since` also unchanged
    since that version."""

    expected: int | None = None
    items: tuple[int, ...] = ()
    since: int | None = None
    recorded: int | None = None


NO_GUARD = Guard()


class Decided(NamedTuple):
    """A command's result: the change, and the guard under which it holds."""

    change: Change
    guard: Guard = NO_GUARD
