"""Projections of the feed: the interface that users implement, and the batches they get."""

import re
from collections.abc import Collection, Iterator
from datetime import datetime
from functools import cached_property
from typing import NamedTuple, Protocol, runtime_checkable
from uuid import UUID

import psycopg

from backstory.application.feed.feed import FeedEvent
from backstory.application.runtime import Runtime
from backstory.domain.errors import InvalidInput, ProjectionFailed
from backstory.domain.values import label, listed
from backstory.infrastructure.feed.feed import FeedReader
from backstory.infrastructure.postgres.queries import query

_NAME = re.compile(r"[a-z][a-z0-9_.-]{0,62}")


class TryLater(ProjectionFailed):
    """Raised by a projection that can apply no event now, as when a disk is full. No event is set aside: a runner
    applies the same ones again after a pause."""


class FeedBatch:
    """Consecutive events of the feed: those after one position, up to another. They are read on first use; a
    projection that works in SQL needs only the positions."""

    def __init__(self, runtime: Runtime, after: int, upto: int, types: Collection[str]) -> None:
        self._runtime = runtime
        self._types = types
        self.after = after
        self.upto = upto

    @cached_property
    def events(self) -> tuple[FeedEvent, ...]:
        """The events of the projection's types."""
        reader = FeedReader(self._runtime.database, tuple(self._types))
        events: list[FeedEvent] = []
        after = self.after
        while after < self.upto:
            batch = reader.after(after, self.upto, 10_000)
            events += [FeedEvent(row) for row in batch.rows]
            after = batch.upto
        return tuple(events)

    def __iter__(self) -> Iterator[FeedEvent]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)


class FeedProjection(Protocol):
    """A read model that is maintained from the feed, and can be emptied and rebuilt. `apply` and `reset` use the
    given connection in its transaction. Their writes are committed together with the position, so that every event
    counts exactly once. They must not commit, and should depend only on the events and their own rows."""

    @property
    def name(self) -> str:
        """The name of its position. It must be unique."""

    @property
    def types(self) -> Collection[str]:
        """The event types that it needs; empty for all."""

    def apply(self, connection: psycopg.Connection, batch: FeedBatch) -> None:
        """Applies events in order. Each comes after all that were applied before. An event that was set aside comes
        late and alone, in a retry."""

    def reset(self, connection: psycopg.Connection) -> None:
        """Empties it, so that all events can be applied from the beginning."""


@runtime_checkable
class IdleProjection(Protocol):
    """A projection that also has something to do while there are no events."""

    def idle(self) -> str | None:
        """Does it. Returns the reason why it cannot be done."""


class SetAside(NamedTuple):
    """An event that a projection could not apply and skipped."""

    projection: str
    position: int
    session: UUID
    version: int
    type: str
    reason: str
    attempts: int
    at: datetime


class ProjectionStatus(NamedTuple):
    """The status of a projection."""

    name: str
    position: int
    behind: int
    """Positions up to the newest event."""
    seconds: float
    """The age in seconds of the oldest event that it has not processed."""
    leader: int | None
    """The database's process that applies events to it, as `pg_stat_activity` has it; None when nobody does."""
    set_aside: int
    """The number of events that were set aside."""
    error: str | None = None
    """The reason why this runner stopped it, or None."""


def checked_projection(projection: FeedProjection) -> FeedProjection:
    """Returns the projection if it is valid."""
    name = getattr(projection, "name", None)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidInput(
            "projection.name", f"must be lower-case letters, digits, '.', '-' and '_', got {name!r}"
        )
    for type_ in listed(f"{name}.types", getattr(projection, "types", None) or ()):
        label(f"{name}.types", type_)
    for step in ("apply", "reset"):
        if not callable(getattr(projection, step, None)):
            raise InvalidInput(f"{name}.{step}", "must be a method")
    return projection


def read_set_aside(runtime: Runtime, projection: str | None = None) -> list[SetAside]:
    """The events that were set aside, by one projection or by all."""
    wanted = {"consumer": projection}
    rows = runtime.database.read(lambda c: c.execute(query("events_set_aside"), wanted).fetchall())
    return [SetAside._make(row) for row in rows]
