"""`backstory worker`: the scheduled jobs, until the process is told to stop."""

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from backstory.application.operations.redaction import without_secrets
from backstory.domain.errors import InvalidInput
from backstory.interfaces.cli.commands import Json, command, run_of
from backstory.interfaces.cli.manual import Manual
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
            "Does the scheduled jobs, which `backstory jobs` lists, and keeps the projections of the feed. Any number "
            "of workers may run on one database, on any number of machines: whoever comes first when a job is due does "
            "it, under a lock there, and the history there says when it is due again. A job that fails is tried "
            "again, after a pause that grows; one that takes longer than its limit is cut. Ends on SIGTERM and "
            "Ctrl-C: each job under way ends after its batch, or is cut when the grace is over; a second signal cuts "
            "it at once."
        ),
    ),
)
def worker(
    context: typer.Context,
    every: Annotated[
        list[str] | None,
        typer.Option(metavar="JOB=SECONDS", help="Another interval for a job.", show_default=False),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="JOB=SECONDS", help="Another time limit for a job.", show_default=False),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="JOB", help="Only this job.", show_default=False)
    ] = None,
    projections: Annotated[
        bool | None,
        typer.Option(
            "--projections/--no-projections",
            help="Keep the feed's projections too. Otherwise so unless --only is given.",
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
        float, typer.Option(metavar="SECONDS", help="For jobs under way when it has to stop.")
    ] = GRACE,
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="For the history. Otherwise host:pid.", show_default=False),
    ] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            help="Serve Prometheus metrics there. Otherwise BACKSTORY_METRICS_PORT, otherwise nowhere.",
            show_default=False,
        ),
    ] = None,
    metrics_address: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to serve them on.")
    ] = "127.0.0.1",
    once: Annotated[bool, typer.Option("--once", help="Do each job once, due or not, and end.")] = False,
    json: Json = False,
) -> None:
    """Do the scheduled jobs that `jobs` lists, and keep the projections of the feed."""
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
        # Told again, what is under way is cut.
        with until_told(again=jobs.cut) as wait, _telemetry(run, store, metrics_port, metrics_address):
            jobs.start()
            run.begun(f"worker {jobs.name} does {', '.join(job.name for job in jobs.jobs)}")
            try:
                wait()
            finally:
                jobs.stop(grace)


def report(run: Run, done: "JobRun", json: bool) -> None:
    """Prints what came of a turn."""
    if json:
        run.line(JobRunDocument.model_validate(done))
        sys.stdout.flush()  # Whoever reads along must not wait for the end.
    elif done.error is not None and not run.logs:
        said = without_secrets(done.error, run.url)
        text = Text.assemble(("error: ", "bad"), f"{done.job}: {done.outcome}: {said}")
        run.errors.print(text, soft_wrap=True)
    elif done.changed:
        run.out.print(f"{done.job}: {done.changed} changed in {done.seconds:.2f} s")


@contextmanager
def _telemetry(run: Run, store: "ContextStore", port: int | None, address: str) -> Iterator[None]:
    """Metrics and traces of the worker, where they are asked for."""
    from backstory.application.bootstrap import read_settings
    from backstory.application.operations.telemetry import MetricsServer, provide_traces

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
    """What options such as `tiers=10` say."""
    found: dict[str, float] = {}
    for one in said or ():
        job, _, seconds = one.partition("=")
        try:
            found[job] = float(seconds)
        except ValueError:
            raise InvalidInput(option, f"must be as in tiers=10, got {one!r}") from None
    return found
