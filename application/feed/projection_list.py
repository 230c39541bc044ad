"""The list of read models: those that every append maintains, and those that follow the feed."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from backstory.application.feed.feed import feed_lag
from backstory.application.feed.projections import FeedProjection
from backstory.application.rebuild.progress import last_rebuild
from backstory.application.runtime import Runtime
from backstory.infrastructure.postgres.queries import query

INLINE = {
    "items": "items",
    "checkpoints": "checkpoints",
    "branch_points": "branch_points",
    "summaries": "streams",
}
"""The read models that every append maintains, with their tables."""


class Projection(NamedTuple):
    """A read model. One that appends maintain is never behind."""

    name: str
    kind: str
    """inline: maintained by every append; feed: maintained by a consumer of the feed."""
    rows: int | None
    """Rows of its tables, or texts in the search index; None for a projection of your own."""
    bytes: int | None
    """Of its tables, indexes included."""
    position: int | None
    """The position of a consumer of the feed. 0 before its first run."""
    behind: int
    """Positions of the feed that it has not processed."""
    rebuilt_at: datetime | None
    """The end of the last rebuild of all sessions, for a read model that appends maintain."""


def list_projections(runtime: Runtime, known: Sequence[FeedProjection]) -> tuple[Projection, ...]:
    """The read models that appends maintain, then the known ones that follow the feed, and others that it tracks."""
    sizes = runtime.database.read(lambda c: c.execute(query("read_model_sizes")).fetchall())
    found = {table: (rows, size) for table, rows, size in sizes}
    last = runtime.database.read(last_rebuild)
    rebuilt_at = last.finished_at if last is not None else None
    inline = [
        Projection(name, "inline", *found[table], None, 0, rebuilt_at) for name, table in INLINE.items()
    ]
    lag = runtime.database.read(feed_lag)
    tracked = {one.name: (one.position, one.behind) for one in lag.consumers}
    # Those that can be run come first, also before they have been.
    waiting = {one.name: (0, lag.newest) for one in known}
    feed = [
        Projection(name, "feed", *found.get(_table(name), (None, None)), *at, None)
        for name, at in {**waiting, **tracked}.items()
    ]
    return (*inline, *feed)


def _table(name: str) -> str:
    """What the sizes of a projection are found by. Those of vectors are named with their model."""
    return "embeddings" if name.startswith("embeddings.") else name
