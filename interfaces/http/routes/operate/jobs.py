"""Scheduled jobs, retention, and the integrity of the whole store."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from backstory.application.jobs.jobs import JOBS, jobs_by_name, named
from backstory.application.jobs.worker import Worker
from backstory.domain.access import Action
from backstory.domain.values import LARGEST
from backstory.interfaces.documents.integrity import StoreVerificationDocument, VerificationDocument
from backstory.interfaces.documents.jobs import (
    JobDocument,
    JobRunDocument,
    JobsDocument,
    RecordedRunDocument,
    RecordedRunsDocument,
)
from backstory.interfaces.documents.projections import FindingDocument
from backstory.interfaces.documents.transfer import (
    RetentionRuleDocument,
    RetentionRulesDocument,
    RetentionStepDocument,
    RetentionStepsDocument,
)
from backstory.interfaces.http.bodies import Body, Time
from backstory.interfaces.http.requests import Asking, CallerStore
from backstory.interfaces.http.routing import Routes

routes = Routes("operations")


@routes.get("/jobs", Action.OPERATE)
def jobs(store: CallerStore) -> JobsDocument:
    """List the scheduled jobs: last run, next run, failures."""
    does = {name: job.does for name, job in jobs_by_name().items()}
    return JobsDocument(jobs=[JobDocument.of(state, does[state.job]) for state in store.jobs()])


@routes.get("/job-runs", Action.OPERATE)
def job_runs(
    store: CallerStore,
    job: Annotated[str | None, Query(description="Only runs of this job.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000, description="The most runs to list.")] = 20,
) -> RecordedRunsDocument:
    """List the newest runs of jobs, newest first."""
    if job is not None:
        named(job, JOBS)
    return RecordedRunsDocument(
        runs=[RecordedRunDocument.model_validate(one) for one in store.job_runs(job, limit=limit)]
    )


class JobToRun(Body):
    """A job to run."""

    job: str = Field(description="The job.")


@routes.post("/jobs/run", Action.OPERATE, once="bare")
def run_job(store: CallerStore, body: JobToRun) -> JobRunDocument:
    """Run a job now, even if it is not due. The answer says how it ended."""
    named(body.job, JOBS)
    (done,) = Worker(store, only=[body.job]).run_once()
    return JobRunDocument.model_validate(done)


@routes.get("/retention", Action.OPERATE)
def retention(
    store: CallerStore,
    history: Annotated[bool, Query(description="Also earlier rules, newest first.")] = False,
) -> RetentionRulesDocument:
    """List the retention rules."""
    rules = store.retention(history=history)
    return RetentionRulesDocument(rules=[RetentionRuleDocument.model_validate(rule) for rule in rules])


class RuleToSet(Body):
    """A retention rule to set. With neither `purge_to` nor `erase`, sessions are kept."""

    project: str = Field(description="The project.")
    after_days: int | None = Field(
        default=None, ge=0, le=LARGEST, description="Days after a session's last event."
    )
    purge_to: str | None = Field(
        default=None, description="The folder, beside the workers, that sessions are exported to and purged."
    )
    erase: bool = Field(default=False, description="Erase the contents of sessions.")
    keep_memories: bool = Field(default=False, description="Keep memories made from erased sessions.")
    zstd: bool = Field(default=False, description="Compress the exports.")


@routes.post("/set-retention", Action.ADMIN, once="bare")
def set_retention(store: CallerStore, body: RuleToSet, caller: Asking) -> RetentionRuleDocument:
    """Set how long a project's ended sessions are kept. The rule replaces the one before it."""
    return RetentionRuleDocument.model_validate(store.set_retention(**body.model_dump(), by=caller.name))


class RetentionToApply(Body):
    """The time that retention rules are applied for."""

    as_of: Time | None = Field(default=None, description="The time; otherwise now.")
    dry_run: bool = Field(default=False, description="Write nothing; answer what is due.")


@routes.post("/apply-retention", Action.ADMIN, once="bare")
def apply_retention(store: CallerStore, body: RetentionToApply) -> RetentionStepsDocument:
    """Purge or erase the sessions that are due."""
    steps = store.apply_retention(body.as_of, dry_run=body.dry_run)
    return RetentionStepsDocument(steps=[RetentionStepDocument.model_validate(step) for step in steps])


@routes.get("/verify-all", Action.OPERATE)
def verify_all(store: CallerStore) -> StoreVerificationDocument:
    """Verify every session, and that no row belongs to none. The answer says what is not intact."""
    done = store.verify_all()
    return StoreVerificationDocument(
        ok=done.ok,
        sessions=[VerificationDocument.model_validate(one) for one in done.sessions],
        orphans=[FindingDocument.model_validate(one) for one in done.orphans],
    )
