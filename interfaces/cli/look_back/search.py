"""`backstory search`: finds items by their words."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from backstory.domain.errors import InvalidInput, NotFound, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json, OnlyProject, Since, Until
from backstory.interfaces.cli.output.hits import marked
from backstory.interfaces.cli.output.layout import ROWS, line, paragraph
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.search import SearchPageDocument
from backstory.interfaces.wording import moment, one_line, short_id

if TYPE_CHECKING:
    from backstory.application.search.search import SearchHit

_NARROWING = ("speaker", "since", "before", "after")


@command(
    "search",
    Manual(
        examples=(
            'backstory search "where is the invoice parser"',
            "backstory search invoice parser --session last --type decision --json",
            'backstory search "ask before overwriting" --speaker user',
            "backstory search login --project shop --since 2026-11-01 --abandoned",
        ),
        document=SearchPageDocument,
        fails=(NotFound, VerificationFailed),
        notes=(
            "Everything that was recorded is searched, also what has left every window, and the memory of projects. "
            "Private items are found only for their `--agent`. The words of the query may stand in any order and form; "
            "of an identifier, its parts are found too. `→` begins the words that continue with the next page."
        ),
    ),
)
def search(
    context: typer.Context,
    query: Annotated[
        list[str], typer.Argument(metavar="QUERY…", help="A question, or some words.", show_default=False)
    ],
    session: Annotated[
        str | None, typer.Option(metavar="SESSION", help="Only this session: an id, a part of one, or last.")
    ] = None,
    project: OnlyProject = None,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Also the private items of this agent.")
    ] = None,
    type: Annotated[
        list[str] | None, typer.Option(metavar="TYPE", help="Only items of this type; may be repeated.")
    ] = None,
    speaker: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only what was said by this name or role.")
    ] = None,
    since: Since = None,
    before: Until = None,
    at: Annotated[
        int | None,
        typer.Option(metavar="VERSION", help="The session as it was at a version; needs --session."),
    ] = None,
    abandoned: Annotated[bool, typer.Option("--abandoned", help="Also branches that were left.")] = False,
    quarantined: Annotated[bool, typer.Option("--quarantined", help="Also what is in quarantine.")] = False,
    limit: Annotated[int, typer.Option(metavar="N", help="Hits to print.")] = ROWS // 2,
    after: Annotated[
        str | None, typer.Option(metavar="PAGE", help="The next page, as the last one named it.")
    ] = None,
    json: Json = False,
) -> None:
    """Find items in everything that was recorded, best first."""
    run = run_of(context)
    if session is not None and project is not None:
        raise InvalidInput("project", "cannot be given with --session")
    if session is None and at is not None:
        raise InvalidInput("at", "needs --session")
    chosen: dict[str, Any] = {
        "agent": agent,
        "types": type or (),
        "speaker": speaker,
        "since": since,
        "before": before,
        "abandoned": abandoned,
        "quarantined": quarantined,
        "limit": limit,
        "after": after,
        "record": False,
    }
    text = " ".join(query)
    with run.store() as store:
        if session is None:
            page = store.search(text, project=project, **chosen)
        else:
            page = store.session(session).search(text, at=at, **chosen)
    if json:
        run.document(SearchPageDocument.model_validate(page))
        return
    if page.warning:
        run.errors.print(Text.assemble(("warning: ", "altered"), one_line(page.warning)), soft_wrap=True)
    for hit in page.hits:
        run.out.print(_heading(hit, named=session is None))
        paragraph(run.out, *marked(hit), indent=4)
    if not page.hits:
        run.out.print(Text(_nothing(text, chosen, project), "quiet"))
    if page.next:
        run.out.print(Text(f"→ --after {page.next}", "quiet"), soft_wrap=True)


def _nothing(query: str, chosen: dict[str, Any], project: str | None) -> str:
    """What to change in a search without hits."""
    from backstory.domain.search.terms import terms

    if not any(terms(query)):
        return "nothing found: words such as 'the' and single letters are not searched"
    given = [("project", project), ("type", chosen["types"]), *((name, chosen[name]) for name in _NARROWING)]
    options = ", ".join(f"--{name}" for name, value in given if value)
    return f"nothing found with {options}" if options else "nothing found"


def _heading(hit: "SearchHit", *, named: bool) -> Text:
    place = short_id(hit.session) if hit.project is None else one_line(hit.project)
    cells: list[tuple[str, str]] = [(f"{place} ", "quiet")] if named else []
    cells += [(f"{hit.item} ", "version"), (one_line(hit.type), "type")]
    if hit.speaker:
        cells.append((f" {one_line(hit.speaker)}", ""))
    cells.append((f"  {moment(hit.at)}", "quiet"))
    if hit.abandoned:
        cells.append(("  abandoned", "altered"))
    return line(*cells)
