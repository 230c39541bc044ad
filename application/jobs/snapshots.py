"""Snapshots written before they are needed. A new version of the fold ignores the old ones, so without this the first
read of every long session after a deploy would fold it from its beginning.

The mark of a run names the fold and a position of the feed up to which all sessions were examined. The next run looks
only at sessions with newer events.
"""

import logging
from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.operations.redaction import reason_of
from backstory.application.runtime import Runtime
from backstory.domain.errors import BackstoryError, Unavailable
from backstory.infrastructure.postgres.queries import query

TOGETHER = 100
"""Sessions that are asked for at a time."""

_LOGGER = logging.getLogger("backstory.warming")


class Warmed(NamedTuple):
    sessions: int
    mark: str | None
    """For the next run; None when there was more to do than time."""


def warm(
    runtime: Runtime,
    mark: str | None,
    *,
    pause: Callable[[], None] = lambda: None,
    enough: Callable[[], bool] = lambda: False,
) -> Warmed:
    """Writes the snapshots that the next reads of open sessions need, and no others."""
    reader = runtime.reader
    newest = runtime.database.read(lambda c: c.execute(query("newest_position")).fetchone())
    position = (newest[0] if newest else None) or 0
    since = _position(mark, reader.fold_version)
    if since is not None and since >= position:
        return Warmed(0, mark)
    asked = {"fold": reader.fold_version, "behind": reader.snapshot_every, "limit": TOGETHER, "since": since}
    wanted = query("cold_sessions") if since is None else query("cold_sessions_since")
    after, warmed = UUID(int=0), 0
    while cold := _cold(runtime, wanted, {**asked, "after": after}):
        for after in cold:
            pause()
            if enough():
                return Warmed(warmed, None)
            try:
                reader.warm(after)
            except Unavailable:
                raise
            except (BackstoryError, LookupError, TypeError, ValueError, AttributeError) as error:
                # A damaged session must not stop the others; `verify` tells what is wrong with it.
                _LOGGER.warning(
                    "session %s cannot be warmed: %s", after, reason_of(error, runtime.database.url)
                )
                continue
            warmed += 1
    return Warmed(warmed, f"fold {reader.fold_version}, position {position}")


def _cold(runtime: Runtime, wanted: bytes, asked: dict[str, Any]) -> list[UUID]:
    return [row[0] for row in runtime.database.read(lambda c: c.execute(wanted, asked).fetchall())]


def _position(mark: str | None, fold_version: int) -> int | None:
    """The position up to which the sessions are warm, if they are so for this fold."""
    before, _, position = (mark or "").partition(", position ")
    return int(position) if before == f"fold {fold_version}" and position.isdecimal() else None
