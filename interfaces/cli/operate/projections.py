"""`backstory projections`: lists, checks and rebuilds read models."""

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from backstory.application.integrity.projection_check import SessionReadModels
from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json, Limit, OptionalSessions
from backstory.interfaces.cli.output.layout import Cell, print_table
from backstory.interfaces.cli.output.progress import progress_bar
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.projections import (
    FeedProjectionRebuiltDocument,
    ProjectionDocument,
    ProjectionsCheckedDocument,
    ProjectionsRebuiltDocument,
)
from backstory.interfaces.wording import counted, moment, short_id, size


@command(
    "projections list",
    Manual(
        examples=("backstory projections list", "backstory projections list --json"),
        document=ProjectionDocument,
        fails=(InvalidInput,),
        lines=True,
        notes=(
            "Projections of the feed are listed even before they have run: Backstory's own, and yours that "
            "BACKSTORY_PROJECTIONS names."
        ),
    ),
)
def list_(context: typer.Context, limit: Limit = None, json: Json = False) -> None:
    """List the read models, and the progress of those that follow the feed."""
    run = run_of(context)
    with run.store() as store:
        projections = store.projections()
    if json:
        for one in projections[:limit]:
            run.line(ProjectionDocument.model_validate(one))
        return
    cells: list[list[Cell]] = [
        [
            Text(one.name, "type"),
            one.kind,
            "" if one.rows is None else f"{one.rows:,}",
            "" if one.bytes is None else size(one.bytes),
            "" if one.position is None else f"{one.position:,}" if one.position else "not run yet",
            Text("up to date", "good") if not one.behind else Text(f"{one.behind:,} behind", "altered"),
            moment(one.rebuilt_at) if one.rebuilt_at else "",
        ]
        for one in projections
    ]
    headings = ("projection", "kind", "rows", "size", "position", "state", "rebuilt")
    print_table(run.out, headings, cells, limit, right=(2, 3, 4))


if TYPE_CHECKING:
    from backstory.application.store import ContextStore


@command(
    "projections check",
    Manual(
        examples=("backstory projections check", "backstory projections check last --json"),
        document=ProjectionsCheckedDocument,
        fails=(NotFound, VerificationFailed),
        notes=(
            "The log is folded in Python, independently of the SQL that updates the read models, and every row that "
            "differs is named. Writers continue. `backstory verify` checks whether the log itself is intact."
        ),
    ),
)
def check(context: typer.Context, sessions: OptionalSessions = None, json: Json = False) -> None:
    """Compare the read models with the log, and name every row that differs."""
    run = run_of(context)
    with run.store() as store, progress_bar(run, "events") as report:
        checked = store.check_projections(_named(store, sessions), progress=report)
    if json:
        run.document(ProjectionsCheckedDocument.model_validate(checked))
    else:
        for one in checked.wrong:
            _tell(run, one, "differing")
        for orphan in checked.orphans:
            run.out.print(Text(f"{orphan.where}: {orphan.what}", "bad"))
        done = f"{counted(checked.sessions, 'session')}, {counted(checked.events, 'event')}"
        if checked.ok:
            run.out.print(Text.assemble(("equal to the log  ", "good"), done))
    checked.require()


@command(
    "projections rebuild",
    Manual(
        examples=(
            "backstory projections rebuild",
            "backstory projections rebuild last",
            "backstory projections rebuild --feed activity",
        ),
        document=ProjectionsRebuiltDocument,
        instead=FeedProjectionRebuiltDocument,
        fails=(NotFound, Refused, Conflict, VerificationFailed),
        notes=(
            "Sessions are rebuilt one by one while writers continue; the writers of a session wait while it is "
            "compared. Only rows that differ are replaced. An interrupted run over all sessions is continued, unless "
            "`--afresh` is given. The role that logs in must own the tables. `backstory verify` checks whether the log "
            "itself is intact. With `--feed` a projection of the feed is emptied and filled again; its leader waits "
            "meanwhile. An event that cannot be applied ends this with exit code 4. The JSON is then the second "
            "document."
        ),
    ),
)
def rebuild(
    context: typer.Context,
    sessions: OptionalSessions = None,
    afresh: Annotated[
        bool, typer.Option("--afresh", help="Start over, even if an earlier run was interrupted.")
    ] = False,
    feed: Annotated[
        str | None,
        typer.Option(
            "--feed",
            metavar="NAME",
            help="Rebuild this projection of the feed instead.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Rebuild the read models from the log, and print the differences."""
    run = run_of(context)
    if feed is not None:
        if sessions or afresh:
            raise InvalidInput("feed", "is rebuilt from all events: it takes no sessions and no --afresh")
        _rebuild_from_feed(run, feed, json)
        return
    with run.store() as store, progress_bar(run, "events") as report:
        rebuilt = store.rebuild_projections(_named(store, sessions), afresh=afresh, progress=report)
    if json:
        run.document(ProjectionsRebuiltDocument.model_validate(rebuilt))
    else:
        if rebuilt.done_before:
            before = counted(rebuilt.done_before, "session")
            run.out.print(Text(f"went on with an interrupted run, which had done {before}", "quiet"))
        for one in rebuilt.changed:
            _tell(run, one, "replaced")
        for one in rebuilt.damaged:
            _tell(run, one, "")
        for orphan in rebuilt.orphans:
            run.out.print(Text(f"{orphan.where}: {orphan.what}; removed", "altered"))
        run.out.print(
            f"rebuilt {counted(rebuilt.sessions, 'session')} from {counted(rebuilt.events, 'event')}, "
            f"{len(rebuilt.changed) or 'none'} of them had differed"
        )
    rebuilt.require()


def _rebuild_from_feed(run: Run, name: str, json: bool) -> None:
    from backstory.application.feed.projection_runner import ProjectionRunner
    from backstory.application.jobs.projections import hosted_projections

    with run.store() as store, progress_bar(run, "positions") as progress:
        position = ProjectionRunner(store, hosted_projections(store)).rebuild(name, progress)
    if json:
        run.document(FeedProjectionRebuiltDocument(projection=name, position=position))
    else:
        run.out.print(f"{name} is rebuilt up to position {position:,}")


def _named(store: "ContextStore", sessions: list[str] | None) -> list[UUID] | None:
    return [store.find(name) for name in sessions] if sessions else None


def _tell(run: Run, session: SessionReadModels, what: str) -> None:
    if session.damaged is not None:
        where, reason, _ = session.damaged
        run.out.print(
            Text(f"DAMAGED {short_id(session.session)}  {where}: {reason}; see backstory verify", "bad")
        )
        return
    run.out.print(
        Text(f"{short_id(session.session)}  {what}: {counted(session.differing, 'row')}", "altered")
    )
    for problem in session.differences:
        run.out.print(Text(f"  {problem.where}: {problem.what}"))
    if len(session.differences) < session.differing:
        run.out.print(Text("  …", "quiet"))
