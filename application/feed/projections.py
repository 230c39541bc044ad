"""Projections of the feed: what users write, and what they are given."""

import re
from collections.abc import Collection, Iterator
from datetime import datetime
from functools import cached_property
from typing import NamedTuple, Protocol
from uuid import UUID

import psycopg

from backstory.application.feed.feed import FeedEvent
from backstory.application.runtime import Runtime
from backstory.domain.errors import InvalidInput
from backstory.domain.values import label, listed
from backstory.infrastructure.feed.feed import FeedReader
from backstory.infrastructure.postgres.queries import query

_NAME = re.compile(r"[a-z][a-z0-9_.-]{0,62}")


class FeedBatch:
    """Some events of the feed that follow one another: those after one position, up to another one. They are read when
    they are first asked for; a projection that works in SQL needs the two positions only."""

    def __init__(self, runtime: Runtime, after: int, upto: int, types: Collection[str]) -> None:
        self._runtime = runtime
        self._types = types
        self.after = after
        self.upto = upto

    @cached_property
    def events(self) -> tuple[FeedEvent, ...]:
        """The events, of the types that the projection wants."""
        reader = FeedReader(self._runtime.database, tuple(self._types))
        found: list[FeedEvent] = []
        after = self.after
        while after < self.upto:
            batch = reader.after(after, self.upto, 10_000)
            found += [FeedEvent(row) for row in batch.rows]
            after = batch.upto
        return tuple(found)

    def __iter__(self) -> Iterator[FeedEvent]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)


class FeedProjection(Protocol):
    """A read model that is kept by applying the feed to it, and can be dropped and made anew.

    `apply` and `reset` work on the connection that they are given, in its transaction: what they write is committed
    together with the position, so that every event counts exactly once. They must not commit, and they should depend on
    nothing but the events and their own rows."""

    @property
    def name(self) -> str:
        """What its position is kept under. Never another projection's."""

    @property
    def types(self) -> Collection[str]:
        """The types of events that it wants; none for all."""

    def apply(self, connection: psycopg.Connection, batch: FeedBatch) -> None:
        """Applies events, in their order. Each comes after all that were applied before; one that was set aside comes
        late, alone, when it is taken up again."""

    def reset(self, connection: psycopg.Connection) -> None:
        """Empties it, so that all events can be applied from the beginning."""


class SetAside(NamedTuple):
    """An event that a projection could not apply and went on without."""

    projection: str
    position: int
    session: UUID
    version: int
    type: str
    reason: str
    attempts: int
    at: datetime


class ProjectionStatus(NamedTuple):
    """How a projection stands."""

    name: str
    position: int
    behind: int
    """Positions up to the newest event."""
    seconds: float
    """How long the oldest event that it has not had is there."""
    leader: int | None
    """The database's process that applies events to it, as `pg_stat_activity` has it; None when nobody does."""
    set_aside: int
    """How many events it went on without."""
    error: str | None = None
    """Why this runner has given it up, if it has."""


def checked_projection(projection: FeedProjection) -> FeedProjection:
    """A projection that can be run."""
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
    """What projections went on without: one of them, or all."""
    wanted = {"consumer": projection}
    rows = runtime.database.read(lambda c: c.execute(query("events_set_aside"), wanted).fetchall())
    return [SetAside._make(row) for row in rows]
