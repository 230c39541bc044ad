"""`backstory worker`: runs the scheduled jobs until it is stopped."""

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from backstory.application.operations.redaction import without_secrets
from backstory.domain.errors import InvalidInput
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json
from backstory.interfaces.cli.output.stop import until_told
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.jobs import JobRunDocument

if TYPE_CHECKING:
    from backstory.application.jobs.runner import JobRun
    from backstory.application.store import ContextStore

GRACE = 10.0


@command(
    "worker",
    Manual(
        examples=(
            "backstory worker",
            "backstory worker --once",
            "backstory worker --every tiers=10 --limit tiers=60",
            "backstory worker --metrics-port 9464",
        ),
        document=JobRunDocument,
        lines=True,
        notes=(
            "Runs the scheduled jobs, which `backstory jobs` lists, and updates the projections of the feed. Any "
            "number of workers may run on one database, on any number of machines: the first one that finds a job due "
            "runs it, under a lock in the database. A failed job is tried again after a growing pause; a job over its "
            "time limit is cancelled. Ends on SIGTERM and Ctrl-C: running jobs end after their batch, or are cancelled "
            "after the grace period; a second signal cancels them at once."
        ),
    ),
)
def worker(
    context: typer.Context,
    every: Annotated[
        list[str] | None,
        typer.Option(metavar="JOB=SECONDS", help="The interval of a job.", show_default=False),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="JOB=SECONDS", help="The time limit of a job.", show_default=False),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="JOB", help="Only this job.", show_default=False)
    ] = None,
    projections: Annotated[
        bool | None,
        typer.Option(
            "--projections/--no-projections",
            help="Also update the projections of the feed. Default unless --only is given.",
            show_default=False,
        ),
    ] = None,
    tiers_every: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="The same as --every tiers=SECONDS.", show_default=False),
    ] = None,
    checkpoints_every: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="The same as --every checkpoints=SECONDS.", show_default=False),
    ] = None,
    grace: Annotated[
        float, typer.Option(metavar="SECONDS", help="Grace period for running jobs at the end.")
    ] = GRACE,
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The worker's name in the history. Otherwise host:pid.", show_default=False
        ),
    ] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            help="Serve Prometheus metrics on this port. Otherwise BACKSTORY_METRICS_PORT.",
            show_default=False,
        ),
    ] = None,
    metrics_address: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to serve metrics on.")
    ] = "127.0.0.1",
    once: Annotated[
        bool, typer.Option("--once", help="Run each job once, even if it is not due, then end.")
    ] = False,
    json: Json = False,
) -> None:
    """Run the scheduled jobs, and update the projections of the feed."""
    from backstory.application.jobs.worker import Worker

    run = run_of(context)
    intervals = _seconds("every", every)
    for job, seconds in (("tiers", tiers_every), ("checkpoints", checkpoints_every)):
        if seconds is not None:
            intervals[job] = seconds
    if not 0 <= grace <= 86_400:
        raise InvalidInput("grace", f"must be from 0 to 86400 seconds, got {grace:g}")
    with run.store() as store, run.warnings(besides="backstory.worker"):
        jobs = Worker(
            store,
            every=intervals,
            limits=_seconds("limit", limit),
            only=only or None,
            projections=projections,
            name=name,
            report=lambda done: report(run, done, json),
        )
        if once:
            jobs.run_once()
            return
        # A second signal cancels the running jobs.
        with until_told(again=jobs.cut) as wait, _telemetry(run, store, metrics_port, metrics_address):
            jobs.start()
            run.begun(f"worker {jobs.name} does {', '.join(job.name for job in jobs.jobs)}")
            try:
                wait()
            finally:
                jobs.stop(grace)


def report(run: Run, done: "JobRun", json: bool) -> None:
    """Prints the result of a run."""
    if json:
        run.line(JobRunDocument.model_validate(done))
        sys.stdout.flush()  # A reader must not wait for the end.
    elif done.error is not None and not run.logs:
        said = without_secrets(done.error, run.url)
        text = Text.assemble(("error: ", "bad"), f"{done.job}: {done.outcome}: {said}")
        run.errors.print(text, soft_wrap=True)
    elif done.changed:
        run.out.print(f"{done.job}: {done.changed} changed in {done.seconds:.2f} s")


@contextmanager
def _telemetry(run: Run, store: "ContextStore", port: int | None, address: str) -> Iterator[None]:
    """Provides metrics and traces of the worker, if the settings or options ask for them."""
    from backstory.application.bootstrap import read_settings
    from backstory.application.jobs.metrics import MetricsServer
    from backstory.application.operations.telemetry import provide_traces

    chosen = read_settings().metrics_port if port is None else port
    server = None if chosen is None else MetricsServer(store, chosen, address)
    if server is not None and run.logs:
        logging.getLogger("backstory.worker").info("metrics on %s", server.url)
    elif server is not None and not run.json:
        run.errors.print(f"metrics on {server.url}", soft_wrap=True)
    provider = provide_traces()
    try:
        yield
    finally:
        if provider is not None:
            provider.shutdown()
        if server is not None:
            server.close()


def _seconds(option: str, said: Sequence[str] | None) -> dict[str, float]:
    """The seconds by job that options such as `tiers=10` set."""
    found: dict[str, float] = {}
    for one in said or ():
        job, _, seconds = one.partition("=")
        try:
            found[job] = float(seconds)
        except ValueError:
            raise InvalidInput(option, f"must be as in tiers=10, got {one!r}") from None
    return found
