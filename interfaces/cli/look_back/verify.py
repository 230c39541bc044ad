"""`backstory verify` and `backstory erase`: whether the record holds, and what may leave it."""

import sys
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from backstory.application.integrity.verification import CANNOT_SEE, StoreVerification, Verification
from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import Actor, Json, SessionName, Why, command, run_of, said_by
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.layout import paragraph
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.integrity import ErasureDocument, VerificationDocument
from backstory.interfaces.wording import counted, short_id

if TYPE_CHECKING:
    from backstory.application.integrity.erasure import Erased


@command(
    "verify",
    Manual(
        examples=(
            "backstory verify last",
            "backstory verify --all --json",
            "backstory verify last --anchor 18:8d749d202a5481b7…",
        ),
        document=VerificationDocument,
        lines=True,
        fails=(NotFound, VerificationFailed),
        notes=(
            "Checked are the hash chain, the density of versions, the digests of contents, idempotency keys, "
            "snapshots, and every read model against a fold of the log; with `--all` also that nothing is "
            "there that belongs to no session. A whole rewrite or a cut tail shows only against an anchor: a "
            "version and its hash that were kept outside the database."
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
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VERSION:HASH",
            help="A hash that was kept outside, to hold the chain to; may be repeated.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Check that the record is what was written, and name the first thing wrong."""
    from backstory.application.queries.lookup import find_session, verify_one

    if (session is None) == (not all):
        raise InvalidInput("session", "must be named, or --all given")
    if all and anchor:
        raise InvalidInput("anchor", "belongs to one session")
    run = run_of(context)
    with run.store() as store:
        if session is None:
            whole = store.verify_all()
            checks, orphans = whole.sessions, whole.orphans
        else:
            checks, orphans = (verify_one(store, find_session(store, session), _anchors(anchor or [])),), ()
    for check in checks:
        if json:
            run.line(VerificationDocument.model_validate(check))
        else:
            run.out.print(verification_line(check))
    for orphan in orphans:
        if json:
            run.line(VerificationDocument.of_orphan(orphan))
        else:
            run.out.print(Text(f"BROKEN  {orphan.where}: {orphan.what}", "bad"))
    if not json:
        if session is not None and checks[0].ok:
            run.out.print(
                Text(f"to hold it to this later: --anchor {checks[0].version}:{checks[0].chain}", "quiet")
            )
        paragraph(run.out, (f"not visible from inside: {CANNOT_SEE}.", "quiet"), indent=0)
    StoreVerification(tuple(checks), tuple(orphans)).require()


def _anchors(given: list[str]) -> dict[int, str]:
    anchors = {}
    for one in given:
        version, _, chain = one.partition(":")
        if not version.isdecimal() or not chain:
            raise InvalidInput("anchor", f"must be VERSION:HASH, got {one!r}")
        anchors[int(version)] = chain
    return anchors


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
        document=ErasureDocument,
        fails=(NotFound, Refused, Conflict),
        notes=(
            "The bytes and their salt are deleted for good; the event, its digest and every proof stay. What was made "
            "from it goes with it, unless `--keep-derived`: decisions that were noticed in it, summaries, compactions, "
            "and what builds on these, in forks as well. Equal contents over 1 KB are stored once in a session and go "
            "together; `--everywhere` takes shorter equal ones too. Forks read inherited contents from their parent, "
            "so they lose them as well. On a terminal it asks first."
        ),
    ),
)
def erase(
    context: typer.Context,
    session: SessionName,
    item: Annotated[
        int,
        typer.Argument(
            metavar="ITEM", help="The version that brought it, or any that has texts.", show_default=False
        ),
    ],
    why: Why,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="Also what says the same elsewhere in the session.")
    ] = False,
    keep_derived: Annotated[
        bool,
        typer.Option("--keep-derived", help="Leave what was made from it: summaries, noticed decisions."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask, though this is a terminal.")] = False,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Erase for good what an item, or any version, says. Every proof still holds."""
    from backstory.application.queries.lookup import find_session, forks_of

    run = run_of(context)
    with run.store() as store:
        found = said_by(store.session(find_session(store, session)), actor, None)
        forks = [fork.session for fork in forks_of(store, found.id) if fork.at >= item]
        if not (dry_run or yes or json) and asks_first():
            planned = found.erase(item, why, everywhere=everywhere, keep_derived=keep_derived, dry_run=True)
            _tell_erased(run, planned, forks, "would erase")
            typer.confirm("Erase this for good?", abort=True)
        done = found.erase(item, why, everywhere=everywhere, keep_derived=keep_derived, dry_run=dry_run)
    if json:
        run.document(ErasureDocument.of(done, item, dry_run, forks))
    else:
        _tell_erased(run, done, forks, "would erase" if dry_run else "erased")


def asks_first() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin.isatty()


def _tell_erased(run: Run, done: "Erased", forks: list[UUID], verb: str) -> None:
    run.out.print(f"{verb} {counted(len(done.contents), 'content')}:")
    for gone in done.contents:
        made = ", made from it" if gone in done.derived else ""
        run.out.print(f"  version {gone.version} part {gone.part} of {short_id(gone.stream)}{made}")
    if forks:
        names = ", ".join(short_id(fork) for fork in forks)
        run.out.print(Text(f"forks that read it from here: {names}", "quiet"))
