"""The scheduled jobs. Each has a name, an interval, a time limit and a function; a worker runs all that are
listed."""

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from backstory.application.anchors.keys import AnchorKey
from backstory.application.anchors.places import anchor_directory, key_path
from backstory.application.anchors.sessions import anchor_changed
from backstory.application.archive.due import archive_due
from backstory.application.artifacts.stale import unload_stale
from backstory.application.jobs.snapshots import warm
from backstory.domain.errors import InvalidInput, Refused
from backstory.infrastructure.postgres.queries import query

if TYPE_CHECKING:
    from backstory.application.store import ContextStore

_LOGGER = logging.getLogger("backstory.worker")

LOOKED_BACK = timedelta(minutes=5)
"""Sessions without events for longer are idle, and get no checkpoint."""

LONGEST = 366 * 86_400
"""Seconds that an interval or a limit may have at most."""


class Stopping(Exception):
    """Raised between two batches when the worker is to stop."""


class JobContext(NamedTuple):
    """The context of one run of a job."""

    store: "ContextStore"
    """A store on the job's own connections, which are cut at the time limit."""
    every: float
    """Seconds between two runs."""
    pause: Callable[[], None]
    """Call it between two batches. Raises Stopping if the worker is to stop."""
    nearly_over: Callable[[], bool]
    """Whether most of the time limit is used. A job that can continue next time should end."""
    mark: str | None = None
    """The mark that the last successful run left."""
    leave: Callable[[str], None] = lambda mark: None
    """Leaves a mark for the next run, if this one succeeds."""


class Job(NamedTuple):
    """A scheduled job."""

    name: str
    does: str
    """A few words for people."""
    every: float
    """Seconds between two runs, unless the worker is told otherwise."""
    limit: float
    """Seconds that one run may take."""
    work: Callable[[JobContext], int]
    """Runs the job. Returns the number of changes."""


def update_tiers(context: JobContext) -> int:
    """Sessions in which an item came into another tier."""
    return context.store.update_tiers(progress=lambda done, total: context.pause()).updated


def take_checkpoints(context: JobContext) -> int:
    """Sessions that got a checkpoint."""
    runtime = context.store._runtime
    since = datetime.now(UTC) - max(LOOKED_BACK, 2 * timedelta(seconds=context.every))
    rows = runtime.database.read(lambda c: c.execute(query("active_sessions"), (since,)).fetchall())
    taken = 0
    for (stream,) in rows:
        context.pause()
        try:
            taken += context.store.session(stream).checkpoints.create_if_due() is not None
        except Refused:
            continue  # It ended or was purged meanwhile.
    return taken


def warm_snapshots(context: JobContext) -> int:
    """Sessions that got snapshots."""
    done = warm(context.store._runtime, context.mark, pause=context.pause, enough=context.nearly_over)
    if done.mark is not None:
        context.leave(done.mark)
    return done.sessions


def apply_retention(context: JobContext) -> int:
    """Sessions that were purged, or whose contents were erased."""
    steps = context.store.apply_retention(progress=lambda done, total: context.pause())
    for step in steps:
        if not step.done:
            _LOGGER.warning("session %s is kept past its time: %s", step.session, step.why_not)
    return sum(step.done for step in steps)


def make_memories(context: JobContext) -> int:
    """Sessions that became memory, whole or in part."""
    runtime = context.store._runtime
    made, mark = archive_due(runtime, context.mark, context.pause, context.nearly_over)
    if mark is not None:
        context.leave(mark)
    return made


def unload_artifacts(context: JobContext) -> int:
    """Artifacts that left their windows."""
    began = datetime.now(UTC)
    since = None if context.mark is None else datetime.fromisoformat(context.mark)
    unloaded = unload_stale(context.store._runtime, since, context.pause)
    context.leave(began.isoformat())
    return unloaded


def write_anchors(context: JobContext) -> int:
    """Sessions whose newest chain was signed."""
    directory = anchor_directory()
    if directory is None:
        return 0
    done = anchor_changed(context.store._runtime, directory, AnchorKey.load_or_create(key_path()))
    return 0 if done is None else done.anchors


JOBS: tuple[Job, ...] = (
    Job("tiers", "moves items between tiers", 60, 600, update_tiers),
    Job("checkpoints", "takes due checkpoints", 60, 600, take_checkpoints),
    Job("memory", "makes memories of ended and long sessions", 60, 1800, make_memories),
    Job("artifacts", "unloads artifacts that were not accessed lately", 60, 600, unload_artifacts),
    Job("snapshots", "writes due snapshots", 300, 600, warm_snapshots),
    Job("anchors", "signs changed chains", 86_400, 600, write_anchors),
    Job("retention", "applies retention rules", 3600, 3600, apply_retention),
)


def jobs_by_name(jobs: tuple[Job, ...] = JOBS) -> dict[str, Job]:
    return {job.name: job for job in jobs}


def named(name: str, jobs: tuple[Job, ...], field: str = "job") -> Job:
    """The job of this name."""
    known = jobs_by_name(jobs)
    if not isinstance(name, str) or name not in known:
        raise InvalidInput(field, f"must be one of {', '.join(known)}, got {name!r}")
    return known[name]


def adjusted(
    jobs: tuple[Job, ...],
    every: Mapping[str, float] | None,
    limits: Mapping[str, float] | None,
    only: tuple[str, ...] | None,
) -> tuple[Job, ...]:
    """The jobs with other intervals and limits, or only some of them."""
    for name in only or ():
        named(name, jobs, "only")
    for field, said in (("every", every or {}), ("limits", limits or {})):
        for name, seconds in said.items():
            named(name, jobs, field)
            number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
            if not number or not 0 < seconds <= LONGEST:
                raise InvalidInput(field, f"{name} must be a positive number of seconds, got {seconds!r}")
    return tuple(
        job._replace(
            every=float((every or {}).get(job.name, job.every)),
            limit=float((limits or {}).get(job.name, job.limit)),
        )
        for job in jobs
        if only is None or job.name in only
    )
