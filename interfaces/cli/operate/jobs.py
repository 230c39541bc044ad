"""`backstory jobs`: lists the scheduled jobs and their runs, and runs one."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from backstory.domain.errors import BackstoryError
from backstory.domain.values import LARGEST
from backstory.interfaces.cli.commands import command, default_command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.operate.worker import report
from backstory.interfaces.cli.options import Json, Limit
from backstory.interfaces.cli.output.layout import ROWS, Cell, print_table
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.jobs import JobDocument, JobRunDocument, RecordedRunDocument
from backstory.interfaces.wording import duration, moment, one_line

if TYPE_CHECKING:
    from backstory.application.jobs.history import JobState


@command(
    "jobs list",
    Manual(
        examples=("backstory jobs list", "backstory jobs list --json"),
        document=JobDocument,
        lines=True,
        notes="`backstory jobs` is the same. An overdue job has no worker.",
    ),
)
def list_(context: typer.Context, json: Json = False) -> None:
    """List the scheduled jobs: last run, next run, failures."""
    from backstory.application.jobs.jobs import jobs_by_name

    run = run_of(context)
    with run.store() as store:
        states = store.jobs()
    does = {name: job.does for name, job in jobs_by_name().items()}
    if json:
        for state in states:
            run.line(JobDocument.of(state, does[state.job]))
        return
    rows = [_row(state, does[state.job]) for state in states]
    print_table(run.out, ("job", "every", "last run", "outcome", "next", "does"), rows, right=(1,))


default_command("jobs", list_)


@command(
    "jobs history",
    Manual(
        examples=("backstory jobs history", "backstory jobs history tiers --limit 5"),
        document=RecordedRunDocument,
        lines=True,
        notes="The newest 500 runs of each job are kept.",
    ),
)
def history(
    context: typer.Context,
    job: Annotated[
        str | None, typer.Argument(metavar="[JOB]", help="Only this job.", show_default=False)
    ] = None,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """List the newest runs of jobs, newest first."""
    from backstory.application.jobs.jobs import JOBS, named

    run = run_of(context)
    if job is not None:
        named(job, JOBS)
    with run.store() as store:
        most = limit or (LARGEST if json else ROWS)
        runs = store.job_runs(job, limit=min(most + 1, LARGEST))
    if json:
        for one in runs[:most]:
            run.line(RecordedRunDocument.model_validate(one))
        return
    if not runs:
        run.out.print(Text("no worker has run yet", "quiet"))
        return
    rows: list[list[Cell]] = [
        [
            Text(f"{one.job} {one.run}", "version"),
            moment(one.started_at),
            _took(one.started_at, one.ended_at),
            _outcome(one.outcome),
            "" if one.changed is None else f"{one.changed:,}",
            Text(one_line(one.worker), "quiet"),
            one_line(one.error or ""),
        ]
        for one in runs
    ]
    headings = ("run", "started", "took", "outcome", "changed", "worker", "error")
    print_table(run.out, headings, rows, limit, right=(2, 4), rest_unknown=True)


@command(
    "jobs run",
    Manual(
        examples=("backstory jobs run tiers", "backstory jobs run checkpoints --json"),
        document=JobRunDocument,
        fails=(BackstoryError,),
        notes="Ends with 1 if the job failed, timed out, or is run by a worker at the moment.",
    ),
)
def run_(
    context: typer.Context,
    job: Annotated[str, typer.Argument(metavar="JOB", help="The job.", show_default=False)],
    json: Json = False,
) -> None:
    """Run a job now, even if it is not due."""
    from backstory.application.jobs.jobs import JOBS, named
    from backstory.application.jobs.worker import Worker

    run = run_of(context)
    named(job, JOBS)
    with run.store() as store:
        (done,) = Worker(store, only=[job]).run_once()
    report(run, done, json)
    if not json and done.outcome == "busy":
        run.errors.print(Text.assemble(("error: ", "bad"), f"{job}: a worker is running it"))
    elif not json and done.outcome == "done" and not done.changed:
        run.out.print(f"{job}: nothing to change")
    if done.outcome != "done":
        raise typer.Exit(BackstoryError.exit_code)


def _row(state: "JobState", does: str) -> list[Text | str]:
    late = (state.now - state.due_at).total_seconds()
    if late < 0:
        due = Text(f"in {duration(-late)}")
    else:
        due = Text("now" if late < 60 else f"{duration(late)} overdue", "" if late < 60 else "altered")
    failures = Text(f"{state.failures} failed in a row: {one_line(state.error or '')}", "bad")
    return [
        Text(state.job, "version"),
        duration(state.every),
        Text("never", "quiet") if state.started_at is None else moment(state.started_at),
        "" if state.run is None else _outcome(state.outcome),
        due,
        failures if state.failures else Text(does, "quiet"),
    ]


def _outcome(outcome: str | None) -> Text:
    if outcome is None:
        return Text("under way", "altered")
    return Text(outcome, "good" if outcome == "done" else "quiet" if outcome == "stopped" else "bad")


def _took(began: datetime, ended: datetime | None) -> str:
    return "" if ended is None else f"{(ended - began).total_seconds():.2f} s"
