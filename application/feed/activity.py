"""Activity by day and project, maintained from the feed."""

from collections.abc import Collection
from datetime import date, datetime
from typing import NamedTuple

import psycopg

from backstory.application.feed.projections import FeedBatch
from backstory.application.runtime import Runtime
from backstory.domain.errors import InvalidInput
from backstory.domain.values import label
from backstory.infrastructure.postgres.queries import query


class Activity(NamedTuple):
    """The counts of one day in one project."""

    day: date
    """In UTC, by the time the events occurred."""
    project: str | None
    events: int
    messages: int
    decisions: int
    model_calls: int
    tokens: int
    """Of the items that were brought or extended."""
    input_tokens: int
    """Of model calls, as providers counted them."""
    output_tokens: int
    cost_usd: float
    """Of model calls whose price is known."""
    types: dict[str, int]
    """The number of events by type."""


class ActivityProjection:
    """Counts events, tokens, calls and costs by day, project and type. An event counts for the project that its session
    belonged to then."""

    name = "activity"
    types: Collection[str] = ()
    acts_as_service = True

    def apply(self, connection: psycopg.Connection, batch: FeedBatch) -> None:
        connection.execute(query("count_activity"), (batch.after, batch.upto))

    def reset(self, connection: psycopg.Connection) -> None:
        connection.execute(query("forget_activity"))


def read_activity(
    runtime: Runtime, since: date | None, before: date | None, project: str | None
) -> list[Activity]:
    for name, day in (("since", since), ("before", before)):
        if day is not None and (not isinstance(day, date) or isinstance(day, datetime)):
            raise InvalidInput(name, f"must be a date, got {type(day).__name__}")
    if project is not None:
        label("project", project)
    wanted = {"since": since, "before": before, "project": project, "projects": runtime.projects}
    rows = runtime.database.read(lambda c: c.execute(query("activity"), wanted).fetchall())
    return [Activity._make((*counts, cost / 1_000_000, types)) for *counts, cost, types in rows]
