"""`backstory safety`: items that are suspected, quarantined, released, confirmed or cleared."""

from typing import Annotated

import typer

from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Actor, Json, Key, OptionalWhy, Why
from backstory.interfaces.cli.output.layout import line
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.cli.safety.options import Holder, InSession, Items, OfProject, opened
from backstory.interfaces.documents.safety import FlaggedDocument, FlaggedItemDocument, JudgedDocument
from backstory.interfaces.wording import one_line


@command(
    "safety list",
    Manual(
        examples=("backstory safety list", "backstory safety list --project shop --json"),
        document=FlaggedDocument,
        fails=(NotFound,),
        notes=(
            "Flags: `secret:…` was stored with the item, `masked:…` was replaced before it was stored, and "
            "`instructions` is a text of an untrusted origin that reads like orders to a model."
        ),
    ),
)
def list_flagged(
    context: typer.Context,
    session: InSession = None,
    project: OfProject = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """List items whose text raised a suspicion, and items in quarantine."""
    run = run_of(context)
    with opened(run, session, project, actor) as holder:
        flagged = [FlaggedItemDocument.of(one) for one in holder.opened.safety.flagged()]
        quarantined = holder.opened.safety.quarantined()
    if json:
        run.document(FlaggedDocument(items=flagged))
        return
    for one in flagged:
        cells = [
            (f"{one.item} ", "version"),
            (one_line(one.type), "type"),
            (f"  {one.origin}, {one.trust}", "quiet"),
        ]
        cells.append((f"  {', '.join(one.flags)}", "altered"))
        if one.quarantined:
            cells.append(("  quarantined", "altered"))
        run.out.print(line(*cells))
    known = {one.item for one in flagged}
    for item in quarantined:
        if item not in known:
            run.out.print(line((f"{item} ", "version"), ("quarantined", "altered")))
    if not flagged and not quarantined:
        run.out.print(Text(f"nothing in {holder.name} is flagged or in quarantine", "quiet"))


@command(
    "safety quarantine",
    Manual(
        examples=(
            'backstory safety quarantine 12 --why "the page was poisoned"',
            'backstory safety quarantine 3 --project shop --why "nobody said so"',
        ),
        document=JudgedDocument,
        fails=(NotFound, Refused, Conflict),
        notes=(
            "They stay in the record and are found with the search's `quarantined`. What was made of them is another "
            "matter: see `reached`."
        ),
    ),
)
def quarantine(
    context: typer.Context,
    item: Items,
    why: Why,
    session: InSession = None,
    project: OfProject = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Keep items out of every prompt from here on."""
    run = run_of(context)
    with opened(run, session, project, actor, key) as holder:
        version = holder.opened.safety.quarantine(*item, why=why)
    _done(run, holder, item, version, "went into quarantine", json=json)


@command(
    "safety release",
    Manual(
        examples=('backstory safety release 12 --why "it was a test page"',),
        document=JudgedDocument,
        fails=(NotFound, Refused, Conflict),
    ),
)
def release(
    context: typer.Context,
    item: Items,
    why: OptionalWhy = None,
    session: InSession = None,
    project: OfProject = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Take items out of quarantine."""
    run = run_of(context)
    with opened(run, session, project, actor, key) as holder:
        version = holder.opened.safety.release(*item, why=why)
    _done(run, holder, item, version, "left quarantine", json=json)


@command(
    "safety confirm",
    Manual(
        examples=(
            "backstory safety confirm 3 --project shop --person ines",
            "backstory safety confirm 3 --project shop --witness 9c41 --witness-item 8",
        ),
        document=JudgedDocument,
        fails=(NotFound, Refused, Conflict),
        notes=(
            "Only a person or a second independent source raises the trust of an item: one item of another session and "
            "of another origin, other than a model's, that says the same."
        ),
    ),
)
def confirm(
    context: typer.Context,
    item: Items,
    person: Annotated[str | None, typer.Option(metavar="NAME", help="The person who confirms.")] = None,
    witness: Annotated[
        str | None, typer.Option(metavar="SESSION", help="The session of the second source.")
    ] = None,
    witness_item: Annotated[int | None, typer.Option(metavar="ITEM", help="Its item.")] = None,
    why: OptionalWhy = None,
    session: InSession = None,
    project: OfProject = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Make items trusted."""
    from backstory.domain.memory.values import Source

    run = run_of(context)
    if (witness is None) != (witness_item is None):
        raise InvalidInput("witness", "must be given with --witness-item")
    with opened(run, session, project, actor, key) as holder:
        source = None
        if witness is not None and witness_item is not None:
            with run.store() as store:
                source = Source(session=store.find(witness), items=(witness_item,))
        version = holder.opened.safety.confirm(*item, person=person, witness=source, why=why)
    _done(run, holder, item, version, "trusted from here on", json=json)


@command(
    "safety clear",
    Manual(
        examples=("backstory safety clear 12", "backstory safety clear 12 --flag secret:password"),
        document=JudgedDocument,
        fails=(NotFound, Refused, Conflict),
        notes="What was flagged for a secret is kept out of search, memory and exports until it is cleared.",
    ),
)
def clear(
    context: typer.Context,
    item: Items,
    flag: Annotated[
        list[str] | None, typer.Option(metavar="FLAG", help="Only this flag; may be repeated.")
    ] = None,
    why: OptionalWhy = None,
    session: InSession = None,
    project: OfProject = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Say that items are not what they were suspected of."""
    run = run_of(context)
    with opened(run, session, project, actor, key) as holder:
        version = holder.opened.safety.clear(*item, flags=flag or (), why=why)
    _done(run, holder, item, version, "cleared", json=json)


def _done(run: Run, holder: Holder, items: list[int], version: int, what: str, *, json: bool) -> None:
    if json:
        run.document(JudgedDocument(**holder.fields, items=items, version=version))
    else:
        run.out.print(f"{holder.name}: {', '.join(map(str, items))} {what}", soft_wrap=True)
