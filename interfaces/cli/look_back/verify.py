"""`backstory verify` and `backstory erase`: checks the record, and erases contents."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from backstory.application.integrity.verification import CANNOT_SEE, StoreVerification, Verification
from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.operate.anchors import PublicKeys, anchors_in
from backstory.interfaces.cli.options import Actor, DryRun, Json, OptionalSession, SessionName, Why, Yes
from backstory.interfaces.cli.output.layout import ROWS, paragraph, print_table
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.integrity import ErasureDocument, VerificationDocument
from backstory.interfaces.wording import counted, short_id

if TYPE_CHECKING:
    from backstory.application.contents.erasure import Erased, ErasedContent
    from backstory.application.integrity.findings import Finding


@command(
    "verify",
    Manual(
        examples=(
            "backstory verify last",
            "backstory verify --all --json",
            "backstory verify last --anchor 18:8d749d202a5481b7…",
            "backstory verify --all --anchor anchors.json --public-keys anchor-key.pub",
        ),
        document=VerificationDocument,
        lines=True,
        fails=(NotFound, VerificationFailed),
        notes=(
            "Checks the hash chain, that no version is missing, the digests of contents, idempotency keys, "
            "snapshots, and every read model against a fold of the log; with `--all` also that every row belongs to a "
            "session. A log that was rewritten as a whole or cut at its end is found only with an anchor: a "
            "version and its hash that were kept outside the database, as `backstory anchor` writes them."
        ),
    ),
)
def verify(
    context: typer.Context,
    session: OptionalSession = None,
    all: Annotated[bool, typer.Option("--all", help="All sessions.")] = False,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE|VERSION:HASH",
            help="A file of `backstory anchor`, or a version and the hash it had; may be repeated.",
        ),
    ] = None,
    public_keys: PublicKeys = None,
    json: Json = False,
) -> None:
    """Check that the record is intact, and print the first error."""
    from backstory.application.queries.lookup import verify_one

    if (session is None) == (not all):
        raise InvalidInput("session", "must be named, or --all given")
    hashes, files = _anchors(anchor or [])
    if all and hashes:
        raise InvalidInput("anchor", "VERSION:HASH belongs to one session")
    anchors = anchors_in(files, public_keys) if files else None
    run = run_of(context)
    with run.store() as store, run.warnings():
        if session is None:
            whole = store.verify_all(anchors=anchors)
            checks, orphans = whole.sessions, whole.orphans
        else:
            id = store.find(session)
            kept = hashes if anchors is None else {**anchors.require(id), **hashes}
            checks, orphans = (verify_one(store, id, kept),), ()
    if json:
        for check in checks:
            run.line(VerificationDocument.model_validate(check))
        for orphan in orphans:
            run.line(VerificationDocument.of_orphan(orphan))
    else:
        _tell_verified(run, checks, orphans)
        if session is not None and checks[0].ok:
            run.out.print(Text(f"anchor for later: --anchor {checks[0].version}:{checks[0].chain}", "quiet"))
        paragraph(run.out, (f"not visible from inside: {CANNOT_SEE}.", "quiet"), indent=0)
    StoreVerification(tuple(checks), tuple(orphans)).require()


def _tell_verified(run: Run, checks: Sequence[Verification], orphans: Sequence["Finding"]) -> None:
    """Prints the intact sessions, then everything that is broken, then the totals."""
    intact = [check for check in checks if check.ok]
    for check in intact[:ROWS]:
        run.out.print(verification_line(check))
    if len(intact) > ROWS:
        run.out.print(Text(f"… {len(intact) - ROWS:,} more intact: see --json", "quiet"))
    for check in checks:
        if not check.ok:
            run.out.print(verification_line(check))
    for orphan in orphans:
        run.out.print(Text(f"BROKEN  {orphan.where}: {orphan.what}", "bad"))
    if len(checks) > 1:
        broken = len(checks) - len(intact) + len(orphans)
        run.out.print(f"{counted(len(intact), 'session')} intact, {broken:,} broken")


def _anchors(given: list[str]) -> tuple[dict[int, str], list[Path]]:
    """The hashes that are given by version, and the files of anchors."""
    hashes, files = {}, []
    for one in given:
        version, _, chain = one.partition(":")
        if version.isdecimal() and chain:
            hashes[int(version)] = chain
        elif Path(one).is_file():
            files.append(Path(one))
        else:
            raise InvalidInput("anchor", f"must be VERSION:HASH or a file of `backstory anchor`, got {one!r}")
    return hashes, files


def verification_line(verification: Verification) -> Text:
    """One session's outcome."""
    erased = f", {verification.erased:,} erased" if verification.erased else ""
    checked = f"{counted(verification.events, 'event')}, {counted(verification.contents, 'content')}{erased}"
    line = Text.assemble(
        ("intact  ", "good") if verification.ok else ("BROKEN  ", "bad"), short_id(verification.session)
    )
    if verification.problem is not None:
        return line.append(f"  {verification.problem.where}: {verification.problem.what}", "bad")
    return line.append(f"  {checked}").append(f"  chain {verification.chain[:16]}…", "quiet")


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
            "The bytes and their salt are deleted; the event and its digest stay, so the chain can still be verified. "
            "Unless `--keep-derived` is given, derived contents are erased too: decisions noticed in the item, "
            "summaries, compactions and the memories of projects, also from forks. Equal contents over 1 KB are stored "
            "once in a session and are erased together; `--everywhere` includes shorter equal ones. Forks read "
            "inherited contents from their parent and lose them as well. On a terminal the command asks for "
            "confirmation."
        ),
    ),
)
def erase(
    context: typer.Context,
    session: SessionName,
    item: Annotated[
        int,
        typer.Argument(metavar="ITEM", help="The item, or any version with contents.", show_default=False),
    ],
    why: Why,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="Also equal contents elsewhere in the session.")
    ] = False,
    keep_derived: Annotated[
        bool,
        typer.Option(
            "--keep-derived", help="Keep contents derived from it: summaries, noticed decisions, memories."
        ),
    ] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Erase the contents of an item for good. The log stays verifiable."""
    from backstory.application.queries.lookup import forks_of

    run = run_of(context)
    with run.store() as store:
        opened = store.session(session)
        opened = opened if actor is None else opened.by(actor)
        forks = [fork.session for fork in forks_of(store, opened.id) if fork.at >= item]
        if not (dry_run or yes or json) and asks_first():
            planned = opened.erase(item, why, everywhere=everywhere, keep_derived=keep_derived, dry_run=True)
            tell_erased(run, planned, forks, "would erase")
            typer.confirm("Erase this for good?", abort=True)
        done = opened.erase(item, why, everywhere=everywhere, keep_derived=keep_derived, dry_run=dry_run)
    if json:
        run.document(ErasureDocument.of(done, item, dry_run, forks))
    else:
        tell_erased(run, done, forks, "would erase" if dry_run else "erased")


def asks_first() -> bool:
    """Whether a person can answer: standard input is a terminal."""
    return sys.stdin.isatty()


def _whose(gone: "ErasedContent") -> str:
    return short_id(gone.stream) if gone.project is None else f"memory of {gone.project}"


def tell_erased(run: Run, done: "Erased", forks: list[UUID], verb: str) -> None:
    """Prints what was erased, or would be."""
    rows = [
        [str(gone.version), str(gone.part), _whose(gone), "derived" if gone in done.derived else ""]
        for gone in done.contents
    ]
    if rows:
        print_table(run.out, ("version", "part", "session", ""), rows, right=(0, 1), how="see --json")
    if forks:
        names = ", ".join(short_id(fork) for fork in forks)
        run.out.print(Text(f"forks that share it: {names}", "quiet"))
    for file in done.files:
        run.out.print(Text(f"file: {file}", "quiet"), soft_wrap=True)
    run.out.print(f"{verb} {counted(len(done.contents), 'content')}")
