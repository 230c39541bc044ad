"""`backstory verify` and `backstory erase`: whether the record holds, and what may leave it."""

import sys
from collections.abc import Iterable
from typing import Annotated
from uuid import UUID

import typer
from rich.text import Text

from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused, VerificationFailed
from backstory.interfaces.cli import shapes
from backstory.interfaces.cli.commands import Actor, Json, SessionName, Why, command, run_of, said_by
from backstory.interfaces.cli.layout import paragraph
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.running import Run
from backstory.interfaces.cli.wording import counted, short_id
from backstory.verification import CANNOT_SEE, Verification


@command(
    "verify",
    Manual(
        examples=("backstory verify last", "backstory verify --all --json"),
        keys={
            "session": "the id",
            "ok": "whether everything that can be checked is as it was written",
            "events": "how many events were checked",
            "contents": "how many contents were checked",
            "erased": "how many contents were erased, with an event that says so",
            "chain": "the hash of the newest event: keep it elsewhere and a later check can be held to it",
            "problem": "the first thing wrong: where, and what; or null",
            "cannot_see": "what no check inside the database can find",
        },
        lines=True,
        fails=(NotFound, VerificationFailed),
        notes=(
            "Checked are the hash chain, the density of versions, the digests of contents, idempotency keys, "
            "snapshots, and every read model against a fold of the log."
        ),
    ),
)
def verify(
    context: typer.Context,
    session: Annotated[
        str | None,
        typer.Argument(
            metavar="SESSION", help="An id, the beginning or the end of one, or last.", show_default=False
        ),
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Every session there is.")] = False,
    json: Json = False,
) -> None:
    """Check that the record is what was written, and name the first thing wrong."""
    from backstory.finding import find_session, verify_every, verify_one

    if (session is None) == (not all):
        raise InvalidInput("session", "must be named, or --all given")
    run = run_of(context)
    with run.store() as store:
        found = verify_every(store) if session is None else [verify_one(store, find_session(store, session))]
        broken = [one for one in _told(run, found) if not one.ok]
    if not json:
        paragraph(run.out, (f"not visible from inside: {CANNOT_SEE}.", "quiet"), indent=0)
    if broken:
        others = f" {counted(len(broken) - 1, 'other session')} broken too." if len(broken) > 1 else ""
        problem = broken[0].problem
        assert problem is not None
        raise VerificationFailed(f"session {broken[0].session}: {problem.where}: {problem.what}.{others}")


def _told(run: Run, found: Iterable[Verification]) -> Iterable[Verification]:
    for one in found:
        if run.json:
            run.line(shapes.verification(one))
        else:
            run.out.print(verification_line(one))
        yield one


def verification_line(found: Verification) -> Text:
    """One session's outcome."""
    erased = f", {found.erased:,} erased" if found.erased else ""
    checked = f"{counted(found.events, 'event')}, {counted(found.contents, 'content')}{erased}"
    line = Text.assemble(("intact  ", "good") if found.ok else ("BROKEN  ", "bad"), short_id(found.session))
    if found.problem is not None:
        return line.append(f"  {found.problem.where}: {found.problem.what}", "bad")
    return line.append(f"  {checked}").append(f"  chain {found.chain[:16]}…", "quiet")


@command(
    "erase",
    Manual(
        examples=(
            'backstory erase last 5 --why "personal data" --dry-run',
            'backstory erase last 5 --why "personal data" --everywhere --yes',
        ),
        keys={
            "item": "the item",
            "dry_run": "whether nothing was done",
            "erased": "each content that is gone: session, version, part",
            "events": "by session: the version of the event that says so",
            "forks": "sessions that begin in this one and have lost it too",
        },
        fails=(NotFound, Refused, Conflict),
        notes=(
            "The bytes and their salt are deleted for good; the event, its digest and every proof stay. "
            "Equal contents over 1 KB are stored once in a session and go together; `--everywhere` takes "
            "shorter equal ones too. Forks read inherited contents from their parent, so they lose them as "
            "well. On a terminal it asks first."
        ),
    ),
)
def erase(
    context: typer.Context,
    session: SessionName,
    item: Annotated[
        int, typer.Argument(metavar="ITEM", help="The version that brought it.", show_default=False)
    ],
    why: Why,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="Also what says the same elsewhere in the session.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask, though this is a terminal.")] = False,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Erase for good what an item says. Every proof still holds."""
    from backstory.finding import find_session, forks_of

    run = run_of(context)
    with run.store() as store:
        found = said_by(store.session(find_session(store, session)), actor, None)
        forks = [fork.session for fork in forks_of(store, found.id) if fork.at >= item]
        if not (dry_run or yes or json) and asks_first():
            planned = found.erase(item, why, everywhere=everywhere, dry_run=True)
            _tell_erased(run, planned.contents, forks, "would erase")
            typer.confirm("Erase this for good?", abort=True)
        done = found.erase(item, why, everywhere=everywhere, dry_run=dry_run)
    if json:
        run.document(shapes.erasure(done, item, dry_run, forks))
    else:
        _tell_erased(run, done.contents, forks, "would erase" if dry_run else "erased")


def asks_first() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin.isatty()


def _tell_erased(run: Run, gone: Iterable[tuple[UUID, int, int]], forks: list[UUID], verb: str) -> None:
    places = [f"version {version} part {part} of {short_id(stream)}" for stream, version, part in gone]
    run.out.print(f"{verb} {counted(len(places), 'content')}:")
    for place in places:
        run.out.print(f"  {place}")
    if forks:
        names = ", ".join(short_id(fork) for fork in forks)
        run.out.print(Text(f"forks that read it from here: {names}", "quiet"))
