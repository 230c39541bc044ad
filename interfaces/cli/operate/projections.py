"""`backstory projections`: which read models there are, whether they are what the log says, and making them anew."""

from typing import Annotated, Any

import typer

from backstory.application.integrity.projection_check import SessionReadModels
from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import Json, command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.layout import columns
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

Sessions = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SESSION",
        help="Of these sessions: ids, beginnings or ends of them, or last. Otherwise of all.",
        show_default=False,
    ),
]


@command(
    "projections list",
    Manual(
        examples=("backstory projections list", "backstory projections list --json"),
        document=ProjectionDocument,
        fails=(InvalidInput,),
        lines=True,
        notes=(
            "Of those that follow the feed, the ones that `backstory projections run` would run are listed before they "
            "have run, too: Backstory's own, and yours that BACKSTORY_PROJECTIONS names."
        ),
    ),
)
def list_(context: typer.Context, json: Json = False) -> None:
    """List the read models, and how far those come that follow the feed."""
    run = run_of(context)
    with run.store() as store:
        found = store.projections()
    if json:
        for one in found:
            run.line(ProjectionDocument.model_validate(one))
        return
    cells = [
        [
            Text(one.name, "type"),
            Text(one.kind),
            Text("" if one.rows is None else counted(one.rows, "row")),
            Text("" if one.bytes is None else size(one.bytes), "quiet"),
            Text(
                ""
                if one.position is None
                else f"at position {one.position:,}"
                if one.position
                else "not run yet"
            ),
            Text(f"rebuilt {moment(one.rebuilt_at)}" if one.rebuilt_at else "", "quiet"),
            Text("up to date", "good") if not one.behind else Text(f"{one.behind:,} behind", "altered"),
        ]
        for one in found
    ]
    run.out.print(columns(cells))


@command(
    "projections check",
    Manual(
        examples=("backstory projections check", "backstory projections check last --json"),
        document=ProjectionsCheckedDocument,
        fails=(NotFound, VerificationFailed),
        notes=(
            "The log is folded in Python, which knows nothing of the SQL that keeps the read models, and every row "
            "that differs is named. Writers go on. Whether the log itself is intact is for `backstory verify` to say."
        ),
    ),
)
def check(context: typer.Context, sessions: Sessions = None, json: Json = False) -> None:
    """Hold the read models against the log, and name every row that differs."""
    run = run_of(context)
    with run.store() as store, progress_bar(run, "events") as report:
        found = store.check_projections(_named(store, sessions), progress=report)
    if json:
        run.document(ProjectionsCheckedDocument.model_validate(found))
    else:
        for one in found.wrong:
            _tell(run, one, "differing")
        for orphan in found.orphans:
            run.out.print(Text(f"{orphan.where}: {orphan.what}", "bad"))
        done = f"{counted(found.sessions, 'session')}, {counted(found.events, 'event')}"
        if found.ok:
            run.out.print(Text.assemble(("as the log says  ", "good"), done))
    found.require()


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
            "Session by session, while writers go on: a session's own writers wait while it is compared, and no "
            "longer. Only rows that differ are replaced. A run over all sessions that was interrupted is gone on with, "
            "unless `--afresh` is given. It works as the role that logs in, which must own the tables. "
            "The log is taken as it is: whether it is intact is for `backstory verify` to say. With `--feed` a "
            "projection of the feed is emptied and fills up again; nobody else applies events to it meanwhile, and "
            "whoever led it goes on afterwards. An event that cannot be applied ends that with exit code 4. The object "
            "has only `projection` and `position` then: which one, and how far it has come."
        ),
    ),
)
def rebuild(
    context: typer.Context,
    sessions: Sessions = None,
    afresh: Annotated[
        bool, typer.Option("--afresh", help="From the first session on, whatever an earlier run has done.")
    ] = False,
    feed: Annotated[
        str | None,
        typer.Option(
            "--feed",
            metavar="NAME",
            help="Make this projection of the feed anew, instead.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Make the read models anew from the log, and say what differed."""
    run = run_of(context)
    if feed is not None:
        if sessions or afresh:
            raise InvalidInput(
                "feed", "is made anew from all events: name no sessions and leave --afresh out"
            )
        _rebuild_from_feed(run, feed, json)
        return
    with run.store() as store, progress_bar(run, "events") as report:
        found = store.rebuild_projections(_named(store, sessions), afresh=afresh, progress=report)
    if json:
        run.document(ProjectionsRebuiltDocument.model_validate(found))
    else:
        if found.done_before:
            before = counted(found.done_before, "session")
            run.out.print(Text(f"went on with an interrupted run, which had done {before}", "quiet"))
        for one in found.changed:
            _tell(run, one, "replaced")
        for one in found.damaged:
            _tell(run, one, "")
        for orphan in found.orphans:
            run.out.print(Text(f"{orphan.where}: {orphan.what}; removed", "altered"))
        run.out.print(
            f"rebuilt {counted(found.sessions, 'session')} from {counted(found.events, 'event')}, "
            f"{len(found.changed) or 'none'} of them had differed"
        )
    found.require()


def _rebuild_from_feed(run: Run, name: str, json: bool) -> None:
    from backstory.application.feed.projection_runner import ProjectionRunner, known_projections

    with run.store() as store, progress_bar(run, "positions") as progress:
        position = ProjectionRunner(store, known_projections()).rebuild(name, progress)
    if json:
        run.document(FeedProjectionRebuiltDocument(projection=name, position=position))
    else:
        run.out.print(f"{name} is made anew, up to position {position:,}")


def _named(store: Any, sessions: list[str] | None) -> list[Any] | None:
    from backstory.application.queries.lookup import find_session

    return [find_session(store, name) for name in sessions] if sessions else None


def _tell(run: Run, found: SessionReadModels, what: str) -> None:
    if found.damaged is not None:
        where, reason, _ = found.damaged
        run.out.print(
            Text(f"DAMAGED {short_id(found.session)}  {where}: {reason}; see backstory verify", "bad")
        )
        return
    run.out.print(Text(f"{short_id(found.session)}  {what}: {counted(found.differing, 'row')}", "altered"))
    for problem in found.differences:
        run.out.print(Text(f"  {problem.where}: {problem.what}"))
    if len(found.differences) < found.differing:
        run.out.print(Text("  …", "quiet"))
