"""`backstory context`, `reproduce` and `saw`: the prompts of the next model call and of past ones."""

import re
import sys
from json import loads
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Group
from rich.rule import Rule

from backstory.application.context.result import Context, Reproduction
from backstory.application.queries.history import LogEntry, SessionHistory
from backstory.application.session import Session
from backstory.domain.errors import (
    Conflict,
    ContentErased,
    InvalidInput,
    NotFound,
    Refused,
    VerificationFailed,
)
from backstory.domain.text.printable import printable
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.context.prompt_view import context_view, print_calls, print_prompt
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Actor, Json, SessionName, Window
from backstory.interfaces.cli.output.event_lines import said_in
from backstory.interfaces.cli.output.layout import paragraph, print_table, table
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.contexts import ContextDocument, ReproductionDocument, SawDocument
from backstory.interfaces.wording import moment, one_line

_DECISION = re.compile(r"(?:DEC-|D)?(\d{1,10})", re.IGNORECASE)

Raw = Annotated[bool, typer.Option("--raw", help="Print the exact bytes of the prompt and nothing else.")]


@command(
    "context",
    Manual(
        examples=(
            "backstory context last",
            'backstory context last --budget 8000 --query "token lifetime" --agent coder',
            "backstory context last --format anthropic --raw > prompt.json",
        ),
        document=ContextDocument,
        fails=(NotFound, Refused, Conflict, VerificationFailed),
        notes=(
            "A preview writes nothing: it notices no decisions and makes no summary. With `--record` the context is "
            "recorded, as by `session.context()`, and `reproduce` can build it again. The default budget is the "
            "window's limit. A budget too small for the essentials is refused; the error names the tokens needed."
        ),
    ),
)
def show_context(
    context: typer.Context,
    session: SessionName,
    budget: Annotated[
        int | None,
        typer.Option(metavar="N", help="Tokens for prompt and response. Otherwise the window's limit."),
    ] = None,
    format: Annotated[
        Literal["openai", "anthropic", "markdown", "parts"],
        typer.Option(metavar="NAME", help="openai, anthropic, markdown or parts."),
    ] = "openai",
    query: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The text that older items are ranked by.")
    ] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Include items private to this agent.")
    ] = None,
    window: Window = "main",
    reserve: Annotated[
        int | None, typer.Option(metavar="N", help="Tokens kept for the response. Otherwise by the policy.")
    ] = None,
    tools: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="A JSON file with the definitions of tools that are sent along."),
    ] = None,
    record: Annotated[
        bool, typer.Option("--record/--preview", help="Record the context, or write nothing.")
    ] = False,
    at: Annotated[
        int | None,
        typer.Option(metavar="VERSION", help="Preview it as it would have been at this version."),
    ] = None,
    raw: Raw = False,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Show the context of the next model call."""
    _check_output(raw, json)
    run = run_of(context)
    with run.session(session, actor) as opened:
        shown = opened.context(
            budget,
            query=query,
            agent=agent,
            window=window,
            format=format,
            reserve=reserve,
            tools=None if tools is None else _definitions(tools),
            record=record,
            at=at,
        )
        if json:
            run.document(ContextDocument.of(opened.id, shown))
    if raw:
        _write_bytes(shown)
    elif not json:
        # The numbers last: the prompt may be longer than the screen.
        print_prompt(run.out, shown)
        run.out.print(Rule(style="quiet"), context_view(shown))


@command(
    "reproduce",
    Manual(
        examples=("backstory reproduce last", "backstory reproduce last 4 --raw > prompt.json"),
        document=ReproductionDocument,
        fails=(NotFound, ContentErased, VerificationFailed),
        notes=(
            "The bytes are built again from the log and compared with the recorded hash. If a content was erased "
            "since, the command names the item, the part and the version that erased it, and ends with 4. If the "
            "bytes differ, it ends with 7."
        ),
    ),
)
def reproduce(
    context: typer.Context,
    session: SessionName,
    version: Annotated[
        int | None,
        typer.Argument(
            metavar="VERSION",
            help="The version that records the context. Otherwise the newest.",
            show_default=False,
        ),
    ] = None,
    raw: Raw = False,
    json: Json = False,
) -> None:
    """Build a recorded context again and compare its bytes."""
    _check_output(raw, json)
    run = run_of(context)
    with run.session(session) as opened:
        made = opened.reproduce(_newest_assembly(opened) if version is None else version)
        if json:
            run.document(ReproductionDocument.of(opened.id, made))
    if raw and made.ok and made.context is not None:
        _write_bytes(made.context)
    elif not (raw or json):
        _tell_reproduction(run, made)
    _require(made)


@command(
    "saw",
    Manual(
        examples=(
            "backstory saw last DEC-7",
            "backstory saw last 7 --json",
            "backstory saw last 7 --raw > prompt.json",
        ),
        document=SawDocument,
        fails=(NotFound, ContentErased, VerificationFailed),
        notes=(
            "Follows the events decision → message → call → context to the exact prompt. A message, a call or a "
            "context may be named as well. If a link is missing, the command prints the links before it, names the "
            "missing one and ends with 3. A decision has a message if it was noticed in one or written with "
            "`caused_by(message)`; a message has a call if it was written with `caused_by(call)` or the call names it."
        ),
    ),
)
def saw(
    context: typer.Context,
    session: SessionName,
    decision: Annotated[
        str,
        typer.Argument(
            metavar="DECISION",
            help="The id of a decision, message, call or context: 12, DEC-12 or D12.",
            show_default=False,
        ),
    ],
    raw: Raw = False,
    json: Json = False,
) -> None:
    """Show the prompt behind a decision or a message."""
    _check_output(raw, json)
    run = run_of(context)
    with run.session(session) as opened:
        answer = opened.saw(_version_of(decision))
        chain = SessionHistory(opened).chain(answer)
    made = answer.reproduction
    if json:
        run.document(SawDocument.of(opened.id, answer, chain))
    elif raw:
        if made is not None and made.ok and made.context is not None:
            _write_bytes(made.context)
    else:
        if made is not None:
            _tell_reproduction(run, made)
            run.out.print(Rule(style="quiet"))
        run.out.print(chain_view(chain))
    if answer.gap is not None:
        raise NotFound(f"the prompt behind version {answer.version} is not known: {answer.gap}.")
    if made is not None:
        _require(made)


def _definitions(path: Path) -> list[Any]:
    try:
        found = loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InvalidInput("tools", f"must be a JSON file: {error}") from None
    if not isinstance(found, list):
        raise InvalidInput("tools", "must be a JSON file with a list")
    return found


def chain_view(chain: list[LogEntry]) -> Group:
    """The events from a decision back to the context, one a line."""
    rows = []
    for entry in chain:
        event = entry.event
        who = one_line(event.actor or "")
        rows.append(
            [
                Text(_LINKS.get(event.type, event.type), "type"),
                Text(str(event.version), "version"),
                Text(moment(event.occurred_at), "quiet"),
                Text(who, "quiet"),
                Text(one_line(said_in(entry))),
            ]
        )
    return table(("link", "version", "time", "actor", "text"), rows, right=(1,))


_LINKS = {
    "decision.recorded": "decision",
    "decision.noticed": "candidate",
    "decision.confirmed": "decision",
    "message.added": "message",
    "tool.called": "message",
    "tool.answered": "tool result",
    "model.called": "call",
    "context.assembled": "context",
}


def _version_of(decision: str) -> int:
    match = _DECISION.fullmatch(decision.strip())
    if match is None:
        raise InvalidInput("decision", f"must be an id such as 12, DEC-12 or D12, got {decision!r}")
    return int(match[1])


def _newest_assembly(session: Session) -> int:
    newest = session.state.last_assembly
    if newest is None:
        raise NotFound("no context was recorded on this branch yet.")
    return newest.version


def _check_output(raw: bool, json: bool) -> None:
    if raw and json:
        raise InvalidInput("raw", "must not be combined with --json")


def _write_bytes(context: Context) -> None:
    """Writes the exact bytes, or on a terminal the text with its control characters escaped."""
    if sys.stdout.isatty():
        sys.stdout.write(printable(context.data.decode()))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(context.data)
    sys.stdout.buffer.flush()


def _tell_reproduction(run: Run, made: Reproduction) -> None:
    if made.ok and made.context is not None:
        print_prompt(run.out, made.context)
        run.out.print(Rule(style="quiet"), context_view(made.context))
        print_calls(run.out, made)
        paragraph(run.out, ("same bytes  ", "good"), str(made), indent=0)
        return
    if made.missing:
        rows = [
            [str(one.item), one.section, str(one.erased_at) if one.erased_at else "unknown version"]
            for one in made.missing
        ]
        print_table(run.out, ("item", "part", "erased at"), rows, right=(0,), how="see --json")


def _require(made: Reproduction) -> None:
    if made.missing:
        raise ContentErased(str(made))
    if not made.ok:
        raise VerificationFailed(str(made))
