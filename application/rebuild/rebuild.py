"""The rebuild of the read models of some sessions, or of all, while writers go on."""

import time
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import psycopg

from backstory.application.integrity.findings import Finding
from backstory.application.integrity.projection_check import (
    READ_MODELS,
    Progress,
    SessionReadModels,
    StreamToCheck,
    orphaned_read_models,
    streams_to_check,
)
from backstory.application.rebuild.progress import RebuildProgress
from backstory.application.rebuild.session_rebuild import SessionRebuild
from backstory.application.runtime import Runtime
from backstory.domain.errors import (
    Refused,
    ServerUnavailable,
    SessionBusy,
    UnknownSession,
    VerificationFailed,
)
from backstory.infrastructure.postgres.draft_read_models import DraftReadModels
from backstory.infrastructure.postgres.queries import query, query_on
from backstory.infrastructure.postgres.snapshot_read import read_snapshot

LOCK_WAIT = 5.0
"""Seconds that the server may take to release the lock of a run whose connection has ended."""
RECONNECT_PAUSE = 0.5
"""Seconds before a lost connection is opened again."""


class ProjectionsRebuilt(NamedTuple):
    """The result of a rebuild."""

    sessions: int
    events: int
    changed: tuple[SessionReadModels, ...]
    """Sessions whose read models differed from their logs. They are repaired."""
    damaged: tuple[SessionReadModels, ...]
    """Sessions whose logs are damaged. They were left unchanged."""
    busy: tuple[UUID, ...]
    """Sessions whose lock was not free in time. They were left unchanged."""
    orphans: tuple[Finding, ...]
    """Rows that belonged to no session. They were deleted."""
    done_before: int
    """Sessions done by an earlier run that was interrupted."""

    def require(self) -> "ProjectionsRebuilt":
        """Returns itself, or raises the error for the first session that could not be rebuilt."""
        for checked in self.damaged:
            assert checked.damaged is not None
            where, what, _ = checked.damaged
            raise VerificationFailed(f"session {checked.session} was not rebuilt: {where}: {what}.")
        for session in self.busy:
            raise SessionBusy(f"session {session} was not rebuilt: its lock was not free in time.")
        return self


def rebuild_projections(
    runtime: Runtime,
    sessions: Sequence[UUID] | None,
    progress: Progress | None = None,
    *,
    afresh: bool = False,
) -> ProjectionsRebuilt:
    """Rebuilds the read models of these sessions, or of all. A run over all continues where an interrupted one stopped,
    unless it is to begin `afresh`. A lost connection is opened again."""
    streams = streams_to_check(runtime, sessions)
    run = _Run(runtime, progress)
    lost_since: float | None = None
    while True:
        try:
            with runtime.database.as_login("to rebuild read models") as connection:
                _require_owner(connection)
                if sessions is None:
                    run.follow(connection, afresh=afresh and run.noted is None)
                run.work(DraftReadModels(connection), streams)
                orphans = () if sessions is not None else _remove_orphans(runtime, connection)
                if run.noted is not None:
                    run.noted.finish(connection)
            break
        except ServerUnavailable:
            # The time limit starts again with every session that was done.
            lost_since = run.lost(lost_since)
            if time.monotonic() - lost_since > runtime.database.patience:
                raise
            time.sleep(RECONNECT_PAUSE)
    return run.outcome(orphans)


def _require_owner(connection: psycopg.Connection) -> None:
    row = connection.execute(query("may_change_tables"), (connection.info.user, list(READ_MODELS))).fetchone()
    if row is None or not row[0]:
        raise Refused(
            f"{connection.info.user} may not change the read models: rebuild them as the role that owns them."
        )


def _remove_orphans(runtime: Runtime, connection: psycopg.Connection) -> tuple[Finding, ...]:
    """Deletes rows of streams that do not exist."""
    orphans = read_snapshot(runtime.database, orphaned_read_models)
    if orphans:
        for table in READ_MODELS:
            connection.execute(query_on("delete_headless_rows", table))
    return orphans


class _Run:
    """One rebuild and its results."""

    def __init__(self, runtime: Runtime, progress: Progress | None) -> None:
        self.runtime = runtime
        self.noted: RebuildProgress | None = None
        self._progress = progress
        self._rebuilt: list[SessionReadModels] = []
        self._busy: list[UUID] = []
        self._done: set[UUID] = set()
        self._done_when_lost = 0
        self._passed = 0

    def follow(self, connection: psycopg.Connection, *, afresh: bool) -> None:
        """Records the progress of a run over all sessions. Only one may run at a time."""
        deadline = time.monotonic() + LOCK_WAIT
        while connection.execute(query("lock_rebuild")).fetchone() != (True,):
            if time.monotonic() > deadline:
                raise Refused("another rebuild of all read models is under way.")
            time.sleep(0.05)
        if self.noted is None:
            self.noted = RebuildProgress(connection, afresh=afresh)

    def work(self, draft: DraftReadModels, streams: Sequence[StreamToCheck]) -> None:
        """Rebuilds the sessions that are not done yet."""
        left = streams if self.noted is None else self.noted.left(list(streams))
        left = [stream for stream in left if stream.id not in self._done]
        total = sum(stream.events for stream in streams)
        self._passed = total - sum(stream.events for stream in left)
        for stream in left:
            done = self._rebuild(draft, stream.id)
            self._done.add(stream.id)
            if self.noted is not None:
                self.noted.passed(draft.connection, stream, done=done)
            self._passed += stream.events
            if self._progress is not None:
                self._progress(self._passed, total)

    def lost(self, since: float | None) -> float:
        """The time since which there was no connection and no progress."""
        moved = len(self._done) > self._done_when_lost
        self._done_when_lost = len(self._done)
        return time.monotonic() if since is None or moved else since

    def outcome(self, orphans: tuple[Finding, ...]) -> ProjectionsRebuilt:
        resumed = self.noted.resumed if self.noted is not None else None
        return ProjectionsRebuilt(
            sessions=len(self._rebuilt),
            events=sum(session.events for session in self._rebuilt),
            changed=tuple(s for s in self._rebuilt if s.damaged is None and s.differing),
            damaged=tuple(s for s in self._rebuilt if s.damaged is not None),
            busy=tuple(self._busy),
            orphans=orphans,
            done_before=resumed.sessions if resumed is not None else 0,
        )

    def _rebuild(self, draft: DraftReadModels, stream: UUID) -> bool:
        """Rebuilds a session. False if its lock was not free."""
        try:
            self._rebuilt.append(SessionRebuild(self.runtime, draft, stream).run())
        except UnknownSession:
            return True  # Purged since the list was read.
        except psycopg.errors.LockNotAvailable:
            self._busy.append(stream)
            return False
        return True
