"""The read models there are: those that every append keeps, and those that follow the feed."""

from typing import NamedTuple

from backstory.core import Core
from backstory.database_status import feed_lag
from backstory.infrastructure.queries import query

INLINE = {
    "items": "items",
    "checkpoints": "checkpoints",
    "seams": "seams",
    "summaries": "streams",
}
"""What an append keeps in its own transaction, and the table that it is in."""


class Projection(NamedTuple):
    """A read model. One that an append keeps is never behind."""

    name: str
    kind: str
    """inline: kept by every append; feed: kept by a consumer of the feed."""
    rows: int | None
    bytes: int | None
    """Of its table, indexes included."""
    position: int | None
    """How far a consumer of the feed has come."""
    behind: int
    """Positions of the feed that it has still to see."""


def list_projections(core: Core) -> tuple[Projection, ...]:
    sizes = core.database.read(lambda c: c.execute(query("read_model_sizes")).fetchall())
    found = {table: (rows, size) for table, rows, size in sizes}
    inline = [Projection(name, "inline", *found[table], None, 0) for name, table in INLINE.items()]
    feed = [
        Projection(one.name, "feed", None, None, one.position, one.behind)
        for one in core.database.read(feed_lag).consumers
    ]
    return (*inline, *feed)
