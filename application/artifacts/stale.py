"""Stale artifacts of all sessions: unloaded by a worker."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from backstory.application.artifacts.session_artifacts import SessionArtifacts
from backstory.application.handle import SessionHandle
from backstory.application.runtime import Runtime
from backstory.domain.commands.artifacts import loaded_artifacts
from backstory.domain.errors import NotFound, Refused
from backstory.infrastructure.postgres.queries import query

LOOKED_BACK = timedelta(days=1)
"""Sessions without events for longer had theirs unloaded before."""


def unload_stale(runtime: Runtime, since: datetime | None, pause: Callable[[], None]) -> int:
    """Unloads what was not accessed lately, in open sessions that something was written to after a time or within a
    day. Returns the number of artifacts."""
    before = datetime.now(UTC) - LOOKED_BACK
    asked = before if since is None else min(before, since - LOOKED_BACK)
    rows = runtime.database.read(lambda c: c.execute(query("active_sessions"), (asked,)).fetchall())
    unloaded = 0
    for (stream,) in rows:
        pause()
        with runtime.reader.borrow(stream) as state:
            if not loaded_artifacts(state):
                continue
        try:
            unloaded += len(SessionArtifacts(SessionHandle.of(runtime, stream)).unload_stale())
        except (NotFound, Refused):
            continue  # It ended or was purged meanwhile.
    return unloaded
