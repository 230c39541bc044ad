"""Reads of the feed: all streams' events in the order of their positions, a batch at a time."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from backstory.domain.log.chain import Envelope
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.queries import query

BATCH = 500
WINDOW = 5_000
"""Positions that one statement looks through for what is wanted: where that is rare, it would take long otherwise."""


class FeedRow(NamedTuple):
    """A stored event of the feed, and the project that its session belongs to now."""

    envelope: Envelope
    position: int
    project: str | None


class Batch(NamedTuple):
    """Some of the feed's events, and the position up to which these are all."""

    rows: list[FeedRow]
    upto: int


class FeedReader:
    """Reads on from a position: events of some types, of one project and actor, in a span of time, or all of them."""

    def __init__(
        self,
        database: Database,
        types: Sequence[str] = (),
        *,
        project: str | None = None,
        projects: Sequence[str] | None = None,
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> None:
        self._database = database
        self._wanted = {
            "types": list(types) or None,
            "project": project,
            "projects": None if projects is None else list(projects),
            "actor": actor,
            "since": since,
            "until": until,
        }
        self._window = WINDOW

    def after(self, position: int, horizon: int, limit: int = BATCH) -> Batch:
        """The next events after a position, none of them beyond the horizon. There may be none although more follow:
        then `upto` is where to go on."""
        upto = min(horizon, position + self._window)
        wanted = {**self._wanted, "after": position, "upto": upto, "limit": limit}
        found = self._database.read(lambda c: c.execute(query("feed_events"), wanted, binary=True).fetchall())
        rows = [FeedRow(Envelope._make(row[:-2]), *row[-2:]) for row in found]
        # A purge may have left a long gap: it is crossed in ever longer steps.
        self._window = WINDOW if rows else min(4 * self._window, 2**40)
        return Batch(rows, rows[-1].position if len(rows) == limit else upto)
