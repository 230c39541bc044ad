"""`backstory sessions`: list, show, start, end, restore."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Literal

import typer
from rich.table import Table

from backstory.domain.errors import Conflict, NotFound, Refused
from backstory.interfaces.cli.commands import Actor, Json, Key, SessionName, command, run_of, said_by
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.state_view import state_view
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.sessions import (
    ListedSessionDocument,
    ResumedSessionDocument,
    ShownSessionDocument,
    WrittenDocument,
)
from backstory.interfaces.wording import ERASED, ago, one_line, printable, short_id


@command(
    "sessions list",
    Manual(
        examples=("backstory sessions list", "backstory sessions list --status open --tag demo --json"),
        document=ListedSessionDocument,
        lines=True,
        notes=(
            "In the order in which their newest events were recorded, so what was just imported comes first, however "
            "old it is. `last` is the session that somebody last worked in, by when that happened, and is marked."
        ),
    ),
)
def list_sessions(
    context: typer.Context,
    status: Annotated[
        Literal["open", "ended"] | None, typer.Option(metavar="open|ended", help="Only these.")
    ] = None,
    project: Annotated[str | None, typer.Option(metavar="NAME", help="Only of this project.")] = None,
    tag: Annotated[str | None, typer.Option(metavar="TAG", help="Only with this tag.")] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="How many at most.")] = 50,
    json: Json = False,
) -> None:
    """List sessions, the most recently active first."""
    from backstory.application.queries.lookup import last_session

    run = run_of(context)
    with run.store() as store:
        found = store.sessions(project=project, status=status, tag=tag, limit=limit)
        last = last_session(store) if found else None
    if json:
        for session in found:
            run.line(ListedSessionDocument.of(session, session.id == last))
        return
    if not found:
        run.out.print("no sessions", style="quiet")
        return
    # As wide as the terminal, or a long title would leave the other columns nothing.
    titles = max(len(one_line(session.title or "")) for session in found)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="quiet", expand=titles > 30)
    table.add_column("session", no_wrap=True)
    table.add_column("title", no_wrap=True, overflow="ellipsis", ratio=1 if titles > 30 else None)
    table.add_column("status")
    table.add_column("messages", justify="right")
    table.add_column("main window", justify="right", no_wrap=True)
    table.add_column("last activity", style="quiet", no_wrap=True)
    # Only where the order leaves a doubt: the first one is taken to be the last that was used.
    marked = found[0].id != last and any(session.id == last for session in found)
    if marked:
        table.add_column("", no_wrap=True)
    now = datetime.now(UTC)
    for session in found:
        table.add_row(
            short_id(session.id),
            Text(one_line(session.title or ""), "" if session.titled else "italic"),
            Text(session.status, "live" if session.status == "open" else "quiet"),
            f"{session.messages:,}",
            f"{session.tokens:,}" + (f" / {session.token_limit:,}" if session.token_limit else ""),
            ago(session.last_activity, now),
            *(["← last" if session.id == last else ""] if marked else []),
        )
    run.out.print(table)


@command(
    "sessions show",
    Manual(
        examples=("backstory sessions show last",),
        document=ShownSessionDocument,
        fails=(NotFound,),
    ),
)
def show_session(context: typer.Context, session: SessionName, json: Json = False) -> None:
    """Show a session: its state now, its branches, its forks."""
    from backstory.application.queries.history import SessionHistory
    from backstory.application.queries.lookup import find_session, forks_of

    run = run_of(context)
    with run.store() as store:
        found = store.session(find_session(store, session))
        history = SessionHistory(found)
        own = [entry for entry in history.entries(types=_BRANCHING) if not entry.inherited]
        shown = ShownSessionDocument.of(
            store.summary(found.id), found.state, own, forks_of(store, found.id), found.checkpoints.list()
        )
        if json:
            run.document(shown)
            return
        run.out.print(state_view(history.state(history.newest)))
    for line in _branch_lines(shown):
        run.out.print(line)


_BRANCHING = ("session.forked", "session.backtracked")


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
        yield Text("  " + printable(line), no_wrap=True, overflow="ellipsis")


@command(
    "sessions start",
    Manual(
        examples=(
            'backstory sessions start --title "Add JWT login" --tag auth --limit 200000',
            "backstory sessions start --id 0199d0a0-0000-7000-8000-000000000001 --json",
        ),
        document=WrittenDocument,
        notes="Under an id that exists already nothing is started: the session is named as it is.",
    ),
)
def start_session(
    context: typer.Context,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="What it is about.")] = None,
    id: Annotated[str | None, typer.Option(metavar="UUID", help="Its id, to start it at most once.")] = None,
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="A tag; may be repeated.")] = None,
    project: Annotated[str | None, typer.Option(metavar="NAME", help="The project it belongs to.")] = None,
    limit: Annotated[
        int | None, typer.Option(metavar="N", help="The main window's limit, in tokens.")
    ] = None,
    encoding: Annotated[str | None, typer.Option(metavar="NAME", help="Its token encoding.")] = None,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="Its model.")] = None,
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
    why: Annotated[str | None, typer.Option(metavar="TEXT", help="The reason, for the record.")] = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """End a session. It is kept, and takes no new items until it is resumed."""
    run = run_of(context)
    with run.session(session) as found:
        version = said_by(found, actor, key).end(why)
    if json:
        run.document(WrittenDocument(session=found.id, version=version))
    else:
        run.out.print(f"session {short_id(found.id)} ended at version {version}")


@command(
    "sessions restore",
    Manual(
        examples=("backstory sessions restore last", "backstory sessions restore 4c1f09e2b7aa --fork"),
        document=ResumedSessionDocument,
        fails=(NotFound, Conflict),
        notes="A session that has ended is opened again. With `--fork` it stays as it is.",
    ),
)
def restore_session(
    context: typer.Context,
    session: SessionName,
    fork: Annotated[bool, typer.Option("--fork", help="Go on in a fork, and leave the session.")] = False,
    json: Json = False,
) -> None:
    """Go on with an earlier session: its goals, what happened last, what comes next."""
    from backstory.application.queries.lookup import find_session
    from backstory.application.queries.resume import resumed_lines

    run = run_of(context)
    with run.store() as store:
        found = store.resume(find_session(store, session), fork=fork)
        if json:
            run.document(ResumedSessionDocument.of(found))
            return
    for line in resumed_lines(found):
        run.out.print(Text(printable(line)))
    run.out.print(Text(str(found.session.id), "quiet"))
