"""Scheduled jobs and their runs."""

from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import Field

from backstory.interfaces.documents.base import Document

if TYPE_CHECKING:
    from backstory.application.jobs.history import JobState


class JobRunDocument(Document):
    """One run of a job, as its worker reports it."""

    job: str = Field(description="The job's name.")
    started_at: datetime = Field(description="The time at which the run began.")
    seconds: float = Field(description="Its duration.")
    outcome: str = Field(
        description="done, failed, timed out, stopped; busy: another worker runs it; not due: it ran lately."
    )
    changed: int | None = Field(description="The number of sessions it changed; null unless it is done.")
    error: str | None = Field(description="The reason of a failure, or null. A failed job is tried again.")


class RecordedRunDocument(Document):
    """One run of a job, as the history keeps it."""

    job: str = Field(description="The job's name.")
    run: int | None = Field(description="The run's number; null before the first run.")
    worker: str | None = Field(description="The worker that ran it.")
    started_at: datetime | None = Field(description="The time at which it began.")
    ended_at: datetime | None = Field(description="The time at which it ended; null while it runs.")
    outcome: str | None = Field(
        description="done, failed, timed out, stopped; lost: its worker ended before it; null while it runs."
    )
    changed: int | None = Field(description="The number of sessions it changed.")
    error: str | None = Field(description="The reason of a failure, or null.")


class JobDocument(RecordedRunDocument):
    """A job with its newest run."""

    does: str = Field(description="A description of the job.")
    every: float = Field(description="Seconds between two runs.")
    due_at: datetime = Field(description="The time of the next run, by the database's clock.")
    failures: int = Field(description="The number of failed runs since the last successful one.")
    last_done: datetime | None = Field(description="The start of the last successful run, or null.")

    @classmethod
    def of(cls, state: "JobState", does: str) -> "JobDocument":
        """The document of a job."""
        fields = state._asdict()
        del fields["now"]
        return cls(**fields, does=does)


class JobsDocument(Document):
    """The scheduled jobs."""

    jobs: list[JobDocument] = Field(description="The jobs.")


class RecordedRunsDocument(Document):
    """Runs of jobs."""

    runs: list[RecordedRunDocument] = Field(description="The runs, the newest first.")
