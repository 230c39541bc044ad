"""Rebuilding the read models from the log, session by session, while writers go on.

Each session is drawn anew beside the rows in use, compared with them, and put in their place where it differs, under
the lock that its appends take. A long one is drawn without the lock; under it only what came meanwhile is added, so
that its writers wait for the comparison and no longer.
"""

import json
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

import psycopg

from backstory.application.integrity.evidence import Problem
from backstory.application.integrity.projection_check import (
    NAMED,
    READ_MODELS,
    Listed,
    Progress,
    SessionReadModels,
    listed_streams,
    orphaned_read_models,
    row_of,
)
from backstory.application.integrity.read_model_check import wrong_values
from backstory.application.integrity.rebuild_progress import RebuildRun
from backstory.application.runtime import Runtime
from backstory.domain.errors import (
    Refused,
    ServerUnavailable,
    SessionBusy,
    UnknownSession,
    VerificationFailed,
)
from backstory.domain.fold.evolve import fold
from backstory.domain.log.lineage import BranchPoint, Lineage, VersionRange, lineage
from backstory.infrastructure.postgres.database import lock_stream
from backstory.infrastructure.postgres.draft_read_models import (
    DRAWN_AT_ONCE,
    KEYS,
    DraftReadModels,
    Logged,
    RowDifference,
)
from backstory.infrastructure.postgres.queries import query, query_on
from backstory.infrastructure.postgres.snapshot_read import at_one_moment
from backstory.projections.base_rows import base_rows

SHORT = 1_000
"""Events that are drawn while the lock is held, some 30 ms of them. A session with more to draw is drawn before."""
ATTEMPTS = 5
"""How often a session that is backtracked again and again is drawn without its lock, before that is done under it."""
LEFT_LOCK = 5.0
"""Seconds that the server may take to give back the lock of a run whose connection has ended."""
RECONNECT_PAUSE = 0.5
"""Seconds before a lost connection is made anew."""


class ProjectionsRebuilt(NamedTuple):
    """What a rebuild came to."""

    sessions: int
    events: int
    changed: tuple[SessionReadModels, ...]
    """Sessions whose read models were not what their logs lead to. Now they are."""
    damaged: tuple[SessionReadModels, ...]
    """Sessions whose logs cannot be relied on. They were left as they are."""
    busy: tuple[UUID, ...]
    """Sessions whose lock was not free in time. They were left as they are."""
    orphans: tuple[Problem, ...]
    """Rows that belonged to no session, and are gone."""
    done_before: int
    """Sessions that an earlier run had done before it was interrupted."""

    def require(self) -> "ProjectionsRebuilt":
        """This, or the error for the first session that could not be rebuilt."""
        for found in self.damaged:
            assert found.damaged is not None
            where, what = found.damaged
            raise VerificationFailed(f"session {found.session} was not rebuilt: {where}: {what}.")
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
    """Rebuilds these sessions' read models, or all: then from where an interrupted run ended, unless it is to begin
    `afresh`. When the connection is lost it goes on with another."""
    wanted = listed_streams(runtime, sessions)
    run = _Run(runtime, progress)
    lost_since: float | None = None
    while True:
        try:
            with runtime.database.as_login("to rebuild read models") as connection:
                _require_owner(connection)
                if sessions is None:
                    run.follow(connection, afresh=afresh and run.noted is None)
                run.work(DraftReadModels(connection), wanted)
                orphans = () if sessions is not None else _remove_orphans(runtime, connection)
                if run.noted is not None:
                    run.noted.finish(connection)
            break
        except ServerUnavailable:
            # Sessions that were done stay so: the clock starts anew with each.
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


def _remove_orphans(runtime: Runtime, connection: psycopg.Connection) -> tuple[Problem, ...]:
    """Takes out rows of streams that do not exist."""
    orphans = at_one_moment(runtime.database, orphaned_read_models)
    if orphans:
        for table in READ_MODELS:
            connection.execute(query_on("delete_headless_rows", table))
    return orphans


class _Run:
    """One rebuild, and what it has come to."""

    def __init__(self, runtime: Runtime, progress: Progress | None) -> None:
        self.runtime = runtime
        self.noted: RebuildRun | None = None
        self._progress = progress
        self._found: list[SessionReadModels] = []
        self._busy: list[UUID] = []
        self._done: set[UUID] = set()
        self._done_when_lost = 0
        self._passed = 0

    def follow(self, connection: psycopg.Connection, *, afresh: bool) -> None:
        """Keeps note of how far a run over all sessions has come, of which there is one at a time."""
        deadline = time.monotonic() + LEFT_LOCK
        while connection.execute(query("lock_rebuild")).fetchone() != (True,):
            if time.monotonic() > deadline:
                raise Refused("another rebuild of all read models is under way.")
            time.sleep(0.05)
        if self.noted is None:
            self.noted = RebuildRun(connection, afresh=afresh)

    def work(self, draft: DraftReadModels, wanted: Sequence[Listed]) -> None:
        """Rebuilds what is not done yet."""
        left = wanted if self.noted is None else self.noted.left(list(wanted))
        total = sum(one.events for one in wanted)
        self._passed = total - sum(one.events for one in left if one.stream not in self._done)
        for one in left:
            if one.stream in self._done:
                continue
            done = self._rebuild(draft, one.stream)
            self._done.add(one.stream)
            if self.noted is not None:
                self.noted.passed(draft.connection, one, done=done)
            self._passed += one.events
            if self._progress is not None:
                self._progress(self._passed, total)

    def lost(self, since: float | None) -> float:
        """Since when nothing was done for want of a connection."""
        moved = len(self._done) > self._done_when_lost
        self._done_when_lost = len(self._done)
        return time.monotonic() if since is None or moved else since

    def outcome(self, orphans: tuple[Problem, ...]) -> ProjectionsRebuilt:
        resumed = self.noted.resumed if self.noted is not None else None
        return ProjectionsRebuilt(
            sessions=len(self._found),
            events=sum(one.events for one in self._found),
            changed=tuple(one for one in self._found if one.damaged is None and one.differing),
            damaged=tuple(one for one in self._found if one.damaged is not None),
            busy=tuple(self._busy),
            orphans=orphans,
            done_before=resumed.sessions if resumed is not None else 0,
        )

    def _rebuild(self, draft: DraftReadModels, stream: UUID) -> bool:
        """Rebuilds a session; whether it is done with."""
        try:
            self._found.append(SessionRebuild(self.runtime, draft, stream).run())
        except UnknownSession:
            return True  # Purged since the list was read.
        except psycopg.errors.LockNotAvailable:
            self._busy.append(stream)
            return False
        return True


class _Plan(NamedTuple):
    """What leads to a session's read models at a version: the root of its branch, and its own events from there."""

    version: int
    seams: list[BranchPoint]
    root: Lineage
    own: list[VersionRange]


class _Damaged(Exception):
    def __init__(self, where: str, what: str) -> None:
        self.problem = Problem(where, what)


class _Moved(Exception):
    """The session was backtracked while it was drawn."""


class SessionRebuild:
    """The rebuild of one session."""

    def __init__(self, runtime: Runtime, draft: DraftReadModels, stream: UUID) -> None:
        self.runtime = runtime
        self.draft = draft
        self.stream = stream
        self.summary = ""
        self.drawn = 0
        """The newest version that is drawn, with all that leads to it."""

    def run(self) -> SessionReadModels:
        try:
            for _ in range(ATTEMPTS):
                try:
                    return self._attempt()
                except _Moved:
                    continue
            with self.draft.connection.transaction():
                self._lock()
                return self._finish(self._begin())
        except _Damaged as damaged:
            return SessionReadModels(self.stream, 0, 0, 0, (), damaged.problem)

    def _attempt(self) -> SessionReadModels:
        """Draws what is long without the lock, and the rest under it."""
        plan = self._begin()
        if sum(piece.last - piece.first + 1 for piece in plan.own) > SHORT:
            self._draw(plan)
            while (ahead := self._logged().version) - self.drawn > SHORT:
                self._draw_on(ahead)
        with self.draft.connection.transaction():
            self._lock()
            return self._finish(plan)

    def _begin(self) -> _Plan:
        """Looks at the log and starts the drawing at the root of its branch."""
        logged = self._logged()
        seams = self.draft.seams(self.stream)
        known = {self.stream: seams}
        try:
            branch = lineage(
                self.stream, logged.version, lambda stream: known.get(stream) or self.draft.seams(stream)
            )
        except VerificationFailed as error:
            raise _Damaged("events", str(error)) from None
        own = [piece for piece in branch if piece.stream == self.stream]
        root = Lineage(piece for piece in branch if piece.stream != self.stream)
        self.summary = self.draft.begin(self.stream, self._base(root) if root else None)
        self.drawn = 0
        return _Plan(logged.version, seams, root, own)

    def _logged(self) -> Logged:
        """The stream's row and the ends of its log, when the two agree."""
        found = self.draft.logged(self.stream)
        if found is None:
            raise UnknownSession(f"session {self.stream} does not exist.")
        if found.newest_chain is None or found.newest_chain != found.chain:
            raise _Damaged("streams.chain", "the head is not that of the newest event")
        assert found.first_version is not None
        if found.events != found.version - found.first_version + 1:
            raise _Damaged("events", "some are missing, or there are some beyond the head")
        return found

    def _base(self, root: Lineage) -> dict[str, object]:
        """The read models at the root of a branch that began in another stream. It never changes."""
        last = root[-1]
        streams = {piece.stream for piece in root}
        if all(self.runtime.log.seams(stream) == self.draft.seams(stream) for stream in streams):
            state = self.runtime.reader.state(last.stream, last.last)
        else:
            # Reads go by the seams table, and one of an ancestor's is not what its log says.
            folded = fold(None, self.runtime.reader.events(root))
            assert folded is not None
            state = folded
        return base_rows(state, root)

    def _lock(self) -> None:
        self.draft.connection.execute(query("limit_lock_wait"))
        lock_stream(self.draft.connection, self.stream)

    def _draw(self, plan: _Plan) -> None:
        """Draws the whole branch, and what outlives a backtrack."""
        for piece in plan.own:
            self._draw_run(piece.first, piece.last)
        self.draft.draw_marks(self.stream, 0, plan.seams)
        self.drawn = plan.version

    def _draw_on(self, version: int) -> None:
        """Draws what was appended since."""
        if self.draft.seams(self.stream, self.drawn):
            raise _Moved
        self._draw_run(self.drawn + 1, version)
        self.draft.draw_marks(self.stream, self.drawn, ())
        self.drawn = version

    def _draw_run(self, first: int, last: int) -> None:
        for start in range(first, last + 1, DRAWN_AT_ONCE):
            stop = min(last, start + DRAWN_AT_ONCE - 1)
            self.summary = self.draft.draw(self.stream, start, stop, self.summary)

    def _finish(self, plan: _Plan) -> SessionReadModels:
        """Under the lock: draws what is left, compares, replaces."""
        logged = self._logged()
        if not self.drawn and self.draft.seams(self.stream, plan.version):
            raise _Moved
        if not self.drawn:
            self._draw(plan)
        if logged.version > self.drawn:
            self._draw_on(logged.version)
        rows, problems = 0, list[Problem]()
        for table in KEYS:
            if keys := self.draft.differing(table, self.stream):
                rows += len(keys)
                for found in self.draft.differences(table, self.stream, keys[: NAMED - len(problems)]):
                    problems += _wrong(found)
                self.draft.replace(table, self.stream, keys)
        if wrong := list(_wrong_head(logged, self.summary)):
            rows += len({row_of(problem) for problem in wrong})
            problems += wrong
            self.draft.replace_head(self.stream, self.summary, logged)
        return SessionReadModels(self.stream, logged.version, logged.events, rows, tuple(problems[:NAMED]))


def _wrong(found: RowDifference) -> Iterator[Problem]:
    """What differs in a row."""
    where = f"{KEYS[found.table]} {found.key}"
    if found.found is None:
        yield Problem(f"{found.table}, {where}", "is missing")
    elif found.drawn is None:
        yield Problem(f"{found.table}, {where}", "was brought by no event of this branch")
    else:
        yield from wrong_values(found.table + ".{}, " + where, found.found, found.drawn)


def _wrong_head(logged: Logged, summary: str) -> Iterator[Problem]:
    """What differs in the stream's own row."""
    yield from wrong_values(
        "streams.{}",
        {"epoch": logged.epoch, "started_at": logged.started_at, "recorded_at": logged.recorded_at},
        {"epoch": logged.newest_epoch, "started_at": logged.began_at, "recorded_at": logged.newest_at},
    )
    found = json.loads(logged.summary)
    if not isinstance(found, dict):
        yield Problem("streams.summary", "is no document")
    else:
        yield from wrong_values("streams.summary, {}", found, json.loads(summary))
