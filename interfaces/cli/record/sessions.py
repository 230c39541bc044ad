"""`backstory sessions`: list, show, start, end, resume."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Literal

import typer
from rich.console import Group

from backstory.domain.errors import Conflict, NotFound, Refused
from backstory.domain.values import LARGEST
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import (
    Actor,
    Json,
    Key,
    Limit,
    OnlyProject,
    OptionalWhy,
    SessionName,
    Since,
    Until,
)
from backstory.interfaces.cli.output.layout import ROWS, Cell, print_table
from backstory.interfaces.cli.output.state_view import state_view
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.sessions import (
    ListedSessionDocument,
    ResumedSessionDocument,
    ShownSessionDocument,
    WrittenDocument,
)
from backstory.interfaces.wording import ERASED, ago, one_line, session_name, short_id


@command(
    "sessions list",
    Manual(
        examples=(
            "backstory sessions list",
            "backstory sessions list --status open --tag demo --json",
            "backstory sessions list --since 7d --actor planner --type decision.recorded",
        ),
        document=ListedSessionDocument,
        lines=True,
        notes=(
            "Sorted by their last activity, which `--since` and `--until` bound. An imported session keeps its own "
            "times, and what jobs and reading leave behind is no activity. `--actor` and `--type` find sessions that "
            "recorded such an event. The session that `last` names is marked where it is not the first."
        ),
    ),
)
def list_sessions(
    context: typer.Context,
    status: Annotated[
        Literal["open", "ended"] | None, typer.Option(metavar="open|ended", help="Only these sessions.")
    ] = None,
    project: OnlyProject = None,
    tag: Annotated[str | None, typer.Option(metavar="TAG", help="Only sessions with this tag.")] = None,
    since: Since = None,
    until: Until = None,
    actor: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only sessions with an event of this actor.")
    ] = None,
    type: Annotated[
        list[str] | None,
        typer.Option(metavar="TYPE", help="Only sessions with an event of this type; may be repeated."),
    ] = None,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """List sessions, the most recently active first."""
    run = run_of(context)
    most = limit or (LARGEST if json else ROWS)
    with run.store() as store:
        sessions = store.sessions(
            project=project,
            status=status,
            tag=tag,
            since=since,
            until=until,
            actor=actor,
            types=type or (),
            limit=min(most + 1, LARGEST),
        )
        last = store.find("last") if sessions else None
    if json:
        for session in sessions[:most]:
            run.line(ListedSessionDocument.of(session, session.id == last))
        return
    if not sessions:
        run.out.print("no sessions", style="quiet")
        return
    # Marked only where the order leaves a doubt: the first session is taken to be the last one used.
    marked = sessions[0].id != last and any(session.id == last for session in sessions)
    now = datetime.now(UTC)
    rows: list[list[Cell]] = [
        [
            short_id(session.id) + (" ← last" if marked and session.id == last else ""),
            Text(session.status, "live" if session.status == "open" else "quiet"),
            f"{session.messages:,}",
            f"{session.tokens:,}",
            f"{session.tokens / session.token_limit:.0%}" if session.token_limit else "",
            Text(ago(session.last_activity, now), "quiet"),
            session_name(session),
        ]
        for session in sessions
    ]
    headings = ("session", "status", "messages", "tokens", "full", "activity", "title")
    print_table(run.out, headings, rows, limit, right=(2, 3, 4), rest_unknown=True)


@command(
    "sessions show",
    Manual(
        examples=("backstory sessions show last",),
        document=ShownSessionDocument,
        fails=(NotFound,),
    ),
)
def show_session(
    context: typer.Context, session: SessionName, limit: Limit = None, json: Json = False
) -> None:
    """Show a session: its state, its branches, its forks."""
    from backstory.application.queries.history import SessionHistory
    from backstory.interfaces.shown import shown_session

    run = run_of(context)
    with run.store() as store:
        opened = store.session(session)
        shown = shown_session(store, opened)
        if json:
            run.document(shown)
            return
        history = SessionHistory(opened)
        name = session_name(history.summary)
        run.out.print(state_view(history.state(history.newest), name, limit=limit))
    # As a group: printed alone, a line would be wrapped.
    run.out.print(Group(*_branch_lines(shown)))


def _branch_lines(shown: ShownSessionDocument) -> Iterator[Text]:
    lines = []
    if shown.parent:
        lines.append(f"forked from {short_id(shown.parent.session)} at version {shown.parent.at}")
    lines += [f"fork {short_id(fork.session)} at version {fork.at}" for fork in shown.forks]
    lines += [
        f"version {back.version} went back to {back.to} and left {back.to + 1}–{back.abandoned}: "
        + one_line(back.why or ERASED)
        for back in shown.backtracks
    ]
    lines += [f"checkpoint {one.name!r} at version {one.version}" for one in shown.checkpoints]
    if lines:
        yield Text()
        yield Text("Branches", "heading")
    for line in lines:
        yield Text("  " + line, no_wrap=True, overflow="ellipsis")


@command(
    "sessions start",
    Manual(
        examples=(
            'backstory sessions start --title "Add JWT login" --tag auth --limit 200000',
            "backstory sessions start --id 0199d0a0-0000-7000-8000-000000000001 --json",
        ),
        document=WrittenDocument,
        notes="If the id exists already, nothing is written and the existing session is printed.",
    ),
)
def start_session(
    context: typer.Context,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The title.")] = None,
    id: Annotated[
        str | None, typer.Option(metavar="UUID", help="The id. Makes the command idempotent.")
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="A tag; may be repeated.")] = None,
    project: Annotated[str | None, typer.Option(metavar="NAME", help="The project.")] = None,
    limit: Annotated[
        int | None, typer.Option(metavar="N", help="The main window's limit, in tokens.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="The main window's token encoding.")
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="The main window's model.")] = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Start a session."""
    run = run_of(context)
    with run.store() as store:
        session = store.start(
            id,
            title=title,
            tags=tag or [],
            project=project,
            limit=limit,
            encoding=encoding,
            model=model,
            actor=actor,
        )
        written = WrittenDocument(session=session.id, version=session.version)
    if json:
        run.document(written)
    else:
        run.out.print(Text(str(session.id)))


@command(
    "sessions end",
    Manual(
        examples=('backstory sessions end last --why "merged"',),
        document=WrittenDocument,
        fails=(NotFound, Refused, Conflict),
    ),
)
def end_session(
    context: typer.Context,
    session: SessionName,
    why: OptionalWhy = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """End a session. It takes no new items until it is resumed."""
    run = run_of(context)
    with run.session(session, actor, key) as opened:
        version = opened.end(why)
    if json:
        run.document(WrittenDocument(session=opened.id, version=version))
    else:
        run.out.print(f"session {short_id(opened.id)} ended at version {version}")


@command(
    "sessions resume",
    Manual(
        examples=("backstory sessions resume last", "backstory sessions resume 4c1f09e2b7aa --fork"),
        document=ResumedSessionDocument,
        fails=(NotFound, Conflict),
        notes="A session that has ended is opened again, unless `--fork` is given.",
    ),
)
def resume_session(
    context: typer.Context,
    session: SessionName,
    fork: Annotated[
        bool, typer.Option("--fork", help="Continue in a fork; the session stays unchanged.")
    ] = False,
    json: Json = False,
) -> None:
    """Continue an earlier session: print its goals, last activity and next steps."""
    from backstory.application.queries.resume import resumed_lines

    run = run_of(context)
    with run.store() as store:
        resumed = store.resume(session, fork=fork)
        if json:
            run.document(ResumedSessionDocument.of(resumed))
            return
    for line in resumed_lines(resumed):
        run.out.print(Text(line))
    run.out.print(Text(str(resumed.session.id), "quiet"))
