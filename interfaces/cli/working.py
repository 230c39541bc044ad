"""`backstory worker`: the scheduled jobs, until the process is told to stop."""

import signal
import sys
import threading
from typing import Annotated

import typer
from rich.text import Text

from backstory.interfaces.cli.commands import Json, command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.running import Run
from backstory.interfaces.cli.secrets import without_secrets


@command(
    "worker",
    Manual(
        examples=("backstory worker", "backstory worker --once", "backstory worker --tiers-every 10"),
        keys={
            "job": "tiers or checkpoints",
            "started_at": "when the run began",
            "seconds": "how long it took",
            "changed": "in how many sessions it changed something; null when another worker was at it",
            "error": "why it could not be done, or null; it is tried again at its next turn",
        },
        lines=True,
        notes=(
            "Brings tiers up to date, and takes the checkpoints that are due in sessions somebody works in. Any number "
            "of workers may run on one database: a lock there guards each job. Ends on SIGTERM and Ctrl-C, after the "
            "jobs under way."
        ),
    ),
)
def worker(
    context: typer.Context,
    tiers_every: Annotated[
        float, typer.Option(metavar="SECONDS", help="Between two updates of the tiers.")
    ] = 60.0,
    checkpoints_every: Annotated[
        float, typer.Option(metavar="SECONDS", help="Between two looks for checkpoints that are due.")
    ] = 60.0,
    once: Annotated[bool, typer.Option("--once", help="Do each job once, and end.")] = False,
    json: Json = False,
) -> None:
    """Do the scheduled jobs: tiers and checkpoints."""
    from backstory.worker import JobRun, Worker

    run = run_of(context)

    def report(done: JobRun) -> None:
        _report(run, done._asdict() | {"started_at": done.started_at.isoformat()}, json)

    with run.store() as store:
        jobs = Worker(store, tiers_every=tiers_every, checkpoints_every=checkpoints_every, report=report)
        if once:
            jobs.run_once()
            return
        stop = threading.Event()
        before = {
            number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGTERM, signal.SIGINT)
        }
        try:
            with jobs:
                stop.wait()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _report(run: Run, done: dict[str, object], json: bool) -> None:
    if json:
        run.line(done)
        sys.stdout.flush()  # Whoever reads along must not wait for the end.
    elif done["error"] is not None:
        said = without_secrets(str(done["error"]), run.url)
        run.errors.print(Text.assemble(("error: ", "bad"), f"{done['job']}: {said}"), soft_wrap=True)
    elif done["changed"]:
        run.out.print(f"{done['job']}: {done['changed']} sessions in {done['seconds']:.2f} s")
