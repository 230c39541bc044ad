"""The branches of a session: runs of its log between backtracks."""

from typing import NamedTuple
from uuid import UUID

from backstory.application.runtime import Runtime


class Branch(NamedTuple):
    """A run of versions that follow each other."""

    session: UUID
    """The session that recorded it: for what a fork has inherited, its parent."""
    first: int
    last: int
    follows: int | None
    """The version that it continues from; None for the first one."""
    live: int | None
    """Its newest version that leads to the newest of all; None where none does."""


def read_branches(runtime: Runtime, session: UUID) -> list[Branch]:
    """The branches of a session, those that it has from the one it was forked from included, oldest first."""
    newest = runtime.require_head(session).version
    current = runtime.reader.lineage(session, newest)
    found = []
    for stream, first, last in runtime.reader.log_of(session, newest):
        points = {
            point.version: point.resumed_version
            for point in runtime.log.branch_points(stream)
            if first <= point.version <= last
        }
        starts = sorted({first, *points})
        for start, following in zip(starts, [*starts[1:], last + 1], strict=True):
            end = following - 1
            live = [min(end, piece.last) for piece in current if piece.first <= end and piece.last >= start]
            follows = points.get(start, start - 1) or None
            found.append(Branch(stream, start, end, follows, max(live, default=None)))
    return found
