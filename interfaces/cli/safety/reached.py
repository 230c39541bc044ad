"""`backstory reached`: where an item got into, and its removal from all that is live."""

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Actor, DryRun, Json, OptionalWhy
from backstory.interfaces.cli.output.layout import line
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.cli.safety.options import Answers, InSession, Items, OfProject, opened
from backstory.interfaces.documents.safety import ReachedDocument, TakenOutDocument
from backstory.interfaces.wording import moment, one_line, short_id

if TYPE_CHECKING:
    from backstory.application.safety.reached import Reached, ReachedItem, ReachedPrompt
    from backstory.application.safety.take_out import TakenOut


@command(
    "reached",
    Manual(
        examples=(
            "backstory reached 12",
            "backstory reached 12 --session 9c41 --answers --json",
            "backstory reached 3 --project shop",
            'backstory reached 12 --take-out --why "the page was poisoned" --dry-run',
        ),
        document=ReachedDocument,
        instead=TakenOutDocument,
        fails=(NotFound, Refused, Conflict),
        notes=(
            "Follows an item to the summaries, decisions and memories that were made from it, in all sessions and "
            "projects, and to the recorded prompts that showed one of these. `--take-out` puts all of it into "
            "quarantine that is live still; `safety release` undoes that. Prompts that were sent stay in the record."
        ),
    ),
)
def reached(
    context: typer.Context,
    item: Items,
    session: InSession = None,
    project: OfProject = None,
    answers: Answers = False,
    take_out: Annotated[
        bool, typer.Option("--take-out", help="Put it into quarantine, with what was made from it.")
    ] = False,
    why: OptionalWhy = None,
    dry_run: DryRun = False,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Show which summaries, memories and prompts an item got into."""
    run = run_of(context)
    if take_out and why is None:
        raise InvalidInput("why", "must be given with --take-out")
    if not take_out and (why is not None or dry_run):
        raise InvalidInput("take-out", "must be given with --why or --dry-run")
    with opened(run, session, project, actor) as holder:
        safety = holder.opened.safety
        if take_out:
            done = safety.take_out(*item, why=why or "", answers=answers, dry_run=dry_run)
        else:
            found = safety.reached(*item, answers=answers)
    if json:
        run.document(TakenOutDocument.of(done) if take_out else ReachedDocument.model_validate(found))
    elif take_out:
        _print_taken_out(run, done, dry_run=dry_run)
    else:
        _print(run, found)


def _print(run: Run, found: "Reached") -> None:
    for one in found.items:
        run.out.print(_item(one))
    for prompt in found.prompts:
        run.out.print(_prompt(prompt))
    if not found.prompts:
        run.out.print(Text("no recorded prompt showed it", "quiet"))


def _item(one: "ReachedItem") -> Text:
    cells = [
        *((_memory(one.project, one.item)) if one.project is not None else _place(one.session, one.item)),
        (one_line(one.type), "type"),
        (f"  {moment(one.at)}", "quiet"),
    ]
    if one.origin is not None:
        cells.append((f"  {one.origin}, {one.trust}", "quiet"))
    if one.answer:
        cells.append(("  answer", "altered"))
    if one.quarantined:
        cells.append(("  quarantined", "altered"))
    elif not one.live:
        cells.append(("  not live", "quiet"))
    return line(*cells)


def _prompt(one: "ReachedPrompt") -> Text:
    shown = [*(str(item) for item in one.items), *(f"M{memory}" for memory in one.memories)]
    cells = [
        *_place(one.session, one.version),
        ("prompt", "type"),
        (f" for {one_line(one.agent)}" if one.agent is not None else "", ""),
        (f"  {moment(one.at)}", "quiet"),
        (f"  showed {', '.join(shown)}", ""),
    ]
    if one.answers:
        cells.append((f", answered by {', '.join(map(str, one.answers))}", "quiet"))
    return line(*cells)


def _place(session: UUID, version: int) -> list[tuple[str, str]]:
    return [(f"{short_id(session)} ", "quiet"), (f"{version} ", "version")]


def _memory(project: str, id: int) -> list[tuple[str, str]]:
    return [(f"{one_line(project)} ", "quiet"), (f"M{id} ", "version")]


def _print_taken_out(run: Run, done: "list[TakenOut]", *, dry_run: bool) -> None:
    said = "would go" if dry_run else "went"
    for one in done:
        named = ", ".join(f"M{item}" if one.project is not None else str(item) for item in one.items)
        place = short_id(one.session) if one.project is None else one_line(one.project)
        run.out.print(f"{place}: {named} {said} into quarantine", soft_wrap=True)
