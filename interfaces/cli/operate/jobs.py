"""`backstory jobs`: how the scheduled jobs stand, what they did, and doing one now."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from backstory.domain.errors import BackstoryError
from backstory.interfaces.cli.commands import Json, command, default_command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.operate.worker import report
from backstory.interfaces.cli.output.layout import columns
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.jobs import JobDocument, JobRunDocument, RecordedRunDocument
from backstory.interfaces.wording import moment, one_line

if TYPE_CHECKING:
    from backstory.application.jobs.history import JobState


@command(
    "jobs list",
    Manual(
        examples=("backstory jobs list", "backstory jobs list --json"),
        document=JobDocument,
        lines=True,
        notes="`backstory jobs` is the same. What is long overdue has no worker.",
    ),
)
def list_(context: typer.Context, json: Json = False) -> None:
    """List the jobs: the last run, when the next is due, failures."""
    from backstory.application.jobs.jobs import jobs_by_name

    run = run_of(context)
    with run.store() as store:
        states = store.jobs()
    does = {name: job.does for name, job in jobs_by_name().items()}
    if json:
        for state in states:
            run.line(JobDocument.of(state, does[state.job]))
        return
    run.out.print(columns([_row(state, does[state.job]) for state in states]))


default_command("jobs", list_)


@command(
    "jobs history",
    Manual(
        examples=("backstory jobs history", "backstory jobs history tiers --limit 5"),
        document=RecordedRunDocument,
        lines=True,
        notes="Of each job the newest 500 runs are kept.",
    ),
)
def history(
    context: typer.Context,
    job: Annotated[
        str | None, typer.Argument(metavar="[JOB]", help="Of this job. Otherwise of all.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(metavar="NUMBER", help="How many at most.")] = 20,
    json: Json = False,
) -> None:
    """List the newest runs, newest first."""
    from backstory.application.jobs.jobs import JOBS, named

    run = run_of(context)
    if job is not None:
        named(job, JOBS)
    with run.store() as store:
        found = store.job_runs(job, limit=limit)
    if json:
        for one in found:
            run.line(RecordedRunDocument.model_validate(one))
        return
    if not found:
        run.out.print(Text("no worker has run yet", "quiet"))
        return
    run.out.print(
        columns(
            [
                [
                    Text(f"{one.job} {one.run}", "version"),
                    moment(one.started_at),
                    _took(one.started_at, one.ended_at),
                    _outcome(one.outcome),
                    "" if one.changed is None else f"{one.changed} changed",
                    Text(one_line(one.worker), "quiet"),
                    one_line(one.error or ""),
                ]
                for one in found
            ]
        )
    )


@command(
    "jobs run",
    Manual(
        examples=("backstory jobs run tiers", "backstory jobs run checkpoints --json"),
        document=JobRunDocument,
        fails=(BackstoryError,),
        notes="Ends with 1 when the job failed, was cut, or is being done by a worker just now.",
    ),
)
def run_(
    context: typer.Context,
    job: Annotated[str, typer.Argument(metavar="JOB", help="Which one.", show_default=False)],
    json: Json = False,
) -> None:
    """Do one job now, whether it is due or not."""
    from backstory.application.jobs.jobs import JOBS, named
    from backstory.application.jobs.worker import Worker

    run = run_of(context)
    named(job, JOBS)
    with run.store() as store:
        (done,) = Worker(store, only=[job]).run_once()
    report(run, done, json)
    if not json and done.outcome == "busy":
        run.errors.print(Text.assemble(("error: ", "bad"), f"{job}: a worker is at it just now"))
    elif not json and done.outcome == "done" and not done.changed:
        run.out.print(f"{job}: nothing to change")
    if done.outcome != "done":
        raise typer.Exit(BackstoryError.exit_code)


def _row(state: "JobState", does: str) -> list[Text | str]:
    late = (state.now - state.due_at).total_seconds()
    if state.run is None:
        last: Text | str = Text("never ran", "quiet")
    else:
        assert state.started_at is not None
        last = Text.assemble(
            f"{moment(state.started_at)} ",
            _outcome(state.outcome),
            f" {_took(state.started_at, state.ended_at)}",
        )
    if late < 0:
        due = Text(f"due in {-late:.0f} s")
    else:
        due = Text("due now" if late < 60 else f"overdue by {late:.0f} s", "" if late < 60 else "altered")
    failures = Text(f"{state.failures} failed in a row: {one_line(state.error or '')}", "bad")
    return [
        Text(state.job, "version"),
        f"every {state.every:g} s",
        last,
        due,
        failures if state.failures else Text(does, "quiet"),
    ]


def _outcome(outcome: str | None) -> Text:
    if outcome is None:
        return Text("under way", "altered")
    return Text(outcome, "good" if outcome == "done" else "quiet" if outcome == "stopped" else "bad")


def _took(began: datetime, ended: datetime | None) -> str:
    return "" if ended is None else f"{(ended - began).total_seconds():.2f} s"
