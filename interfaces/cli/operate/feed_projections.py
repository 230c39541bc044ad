"""`projections run`, `set-aside` and `retry`: projections of the feed. `activity`: their read model."""

import sys
from datetime import datetime
from typing import Annotated

import typer

from backstory.domain.errors import NotFound
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json, Limit, OnlyProject
from backstory.interfaces.cli.output.layout import Cell, print_table
from backstory.interfaces.cli.output.stop import until_told
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.projections import (
    ActivityDocument,
    ProjectionStatusDocument,
    RetriedDocument,
    SetAsideDocument,
)
from backstory.interfaces.wording import counted, dollars, moment, one_line, short_id


@command(
    "projections run",
    Manual(
        examples=("backstory projections run", "backstory projections run --once --json"),
        document=ProjectionStatusDocument,
        lines=True,
        notes=(
            "Any number of these may run, on any machines: one leads each projection, the others stand by. Ends on "
            "SIGTERM and Ctrl-C after the current batch, and prints the progress of each projection. "
            "BACKSTORY_PROJECTIONS names your own projections, as `module:name`, separated by commas."
        ),
    ),
)
def run_projections(
    context: typer.Context,
    once: Annotated[bool, typer.Option("--once", help="Apply the recorded events, then end.")] = False,
    json: Json = False,
) -> None:
    """Keep the projections of the feed up to date."""
    from backstory.application.feed.projection_runner import ProjectionRunner
    from backstory.application.jobs.projections import hosted_projections

    run = run_of(context)
    with run.store() as store, run.warnings():
        known = hosted_projections(store)
        runner = ProjectionRunner(store, known)
        if once:
            projections = runner.catch_up()
        else:
            with until_told() as wait, runner:
                run.begun(f"keeping {', '.join(one.name for one in known)} up to date")
                wait()
            projections = runner.status()
    for one in projections:
        if json:
            run.line(ProjectionStatusDocument.model_validate(one))
        elif one.error is not None:
            run.errors.print(Text.assemble(("error: ", "bad"), one_line(one.error)), soft_wrap=True)
        else:
            aside = f", {counted(one.set_aside, 'event')} set aside" if one.set_aside else ""
            late = f", {one.behind:,} behind" if one.behind else ", up to date"
            run.out.print(f"{one.name}: at {one.position:,}{late}{aside}")
    sys.stdout.flush()


@command(
    "projections set-aside",
    Manual(
        examples=("backstory projections set-aside", "backstory projections set-aside --json"),
        document=SetAsideDocument,
        lines=True,
    ),
)
def set_aside(context: typer.Context, limit: Limit = None, json: Json = False) -> None:
    """List the events that projections of the feed could not apply."""
    run = run_of(context)
    with run.store() as store:
        events = store.set_aside()
    if json:
        for one in events[:limit]:
            run.line(SetAsideDocument.model_validate(one))
        return
    rows: list[list[Cell]] = [
        [
            Text(one_line(one.projection), "type"),
            Text(f"{one.position}", "version"),
            short_id(one.session),
            str(one.version),
            Text(moment(one.at), "quiet"),
            one_line(one.reason),
        ]
        for one in events
    ]
    if rows:
        headings = ("projection", "position", "session", "version", "set aside", "reason")
        print_table(run.out, headings, rows, limit, right=(1, 3))
    else:
        run.out.print("no events are set aside")


@command(
    "projections retry",
    Manual(
        examples=("backstory projections retry activity",),
        document=RetriedDocument,
        fails=(NotFound,),
        notes="Run it after the projection was repaired. Events that still cannot be applied stay set aside.",
    ),
)
def retry(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The projection.", show_default=False)],
    json: Json = False,
) -> None:
    """Apply again the events that a projection has set aside."""
    from backstory.application.feed.projection_runner import ProjectionRunner
    from backstory.application.jobs.projections import hosted_projections

    run = run_of(context)
    with run.store() as store:
        done = ProjectionRunner(store, hosted_projections(store)).retry(name)
    if json:
        run.document(RetriedDocument.of(name, done))
    else:
        run.out.print(f"{counted(done.applied, 'event')} applied, {done.left:,} still set aside")


@command(
    "activity",
    Manual(
        examples=("backstory activity", "backstory activity --project orders --since 2026-11-01 --json"),
        document=ActivityDocument,
        lines=True,
        notes=(
            "Read from the projection `activity`, which `backstory projections run` and workers keep up to date. An "
            "event counts for the project that its session belonged to at that time."
        ),
    ),
)
def activity(
    context: typer.Context,
    project: OnlyProject = None,
    since: Annotated[
        datetime | None,
        typer.Option(metavar="DAY", formats=["%Y-%m-%d"], help="Only this day and later ones."),
    ] = None,
    before: Annotated[
        datetime | None,
        typer.Option(metavar="DAY", formats=["%Y-%m-%d"], help="Only days before this one."),
    ] = None,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Show events, tokens, calls and costs by day and project, the newest day first."""
    run = run_of(context)
    with run.store() as store:
        days = store.activity(
            since=since.date() if since else None, before=before.date() if before else None, project=project
        )
        behind = not days and any(one.behind for one in store.projections() if one.name == "activity")
    if json:
        for one in days[:limit]:
            run.line(ActivityDocument.model_validate(one))
        return
    if not days:
        run.out.print(f"no activity{' yet: backstory projections run --once' if behind else ''}")
        return
    rows: list[list[Cell]] = [
        [
            Text(one.day.isoformat(), "quiet"),
            f"{one.events:,}",
            f"{one.messages:,}",
            f"{one.decisions:,}",
            f"{one.tokens:,}",
            f"{one.model_calls:,}",
            dollars(one.cost_usd),
            Text(one_line(one.project or "–"), "type"),
        ]
        for one in days
    ]
    headings = ("day", "events", "messages", "decisions", "tokens", "calls", "cost", "project")
    print_table(run.out, headings, rows, limit, right=range(1, 7))
