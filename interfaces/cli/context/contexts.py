"""`backstory context`, `reproduce` and `saw`: what the next call would see, and what a past one saw."""

import re
import sys
from typing import Annotated, Literal

import typer
from rich.console import Group
from rich.rule import Rule

from backstory.application.context.reproduce import Saw
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
from backstory.interfaces.cli.commands import Actor, Json, SessionName, command, run_of, said_by
from backstory.interfaces.cli.context.prompt_view import context_view, print_prompt
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.event_lines import said_in
from backstory.interfaces.cli.output.layout import columns, paragraph
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.contexts import ContextDocument, ReproductionDocument, SawDocument
from backstory.interfaces.wording import moment, one_line, printable

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
            "A preview writes nothing: it notices no decisions and makes no summary. With `--record` it does what "
            "`session.context()` does, and can be made again by `reproduce`. Without `--budget` the window's limit "
            "is the budget. A budget that does not hold the essentials is refused, and the error says how many "
            "tokens are needed."
        ),
    ),
)
def show_context(
    context: typer.Context,
    session: SessionName,
    budget: Annotated[
        int | None,
        typer.Option(metavar="N", help="Tokens for prompt and response together; else the window's limit."),
    ] = None,
    format: Annotated[
        Literal["openai", "anthropic", "markdown", "parts"],
        typer.Option(metavar="NAME", help="openai, anthropic, markdown or parts."),
    ] = "openai",
    query: Annotated[str | None, typer.Option(metavar="TEXT", help="What older items are chosen by.")] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose private items may be shown.")
    ] = None,
    window: Annotated[str, typer.Option(metavar="NAME", help="The window it is a view of.")] = "main",
    reserve: Annotated[
        int | None, typer.Option(metavar="N", help="Tokens to keep for the response; else by the policy.")
    ] = None,
    record: Annotated[bool, typer.Option("--record/--preview", help="Record it, or write nothing.")] = False,
    raw: Raw = False,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Show what the next call of a model would see."""
    _check_output(raw, json)
    run = run_of(context)
    with run.session(session) as found:
        shown = said_by(found, actor, None).context(
            budget, query=query, agent=agent, window=window, format=format, reserve=reserve, record=record
        )
        if json:
            run.document(ContextDocument.of(found.id, shown))
    if raw:
        _write_bytes(shown)
    elif not json:
        run.out.print(context_view(shown))
        print_prompt(run.out, shown)


@command(
    "reproduce",
    Manual(
        examples=("backstory reproduce last", "backstory reproduce last 4 --raw > prompt.json"),
        document=ReproductionDocument,
        fails=(NotFound, ContentErased, VerificationFailed),
        notes=(
            "The bytes are made again from the log and compared with the hash that was recorded. Where a content was "
            "erased since, nothing is made up: the command says which item of which part is gone and at which "
            "version it was erased, and ends with 4. Bytes that differ end it with 7."
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
            help="The version that records the context. Otherwise the newest one.",
            show_default=False,
        ),
    ] = None,
    raw: Raw = False,
    json: Json = False,
) -> None:
    """Make a recorded context again, byte for byte, and compare."""
    _check_output(raw, json)
    run = run_of(context)
    with run.session(session) as found:
        made = found.reproduce(_newest_assembly(found) if version is None else version)
        if json:
            run.document(ReproductionDocument.of(found.id, made))
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
            "The way is decision → message → call → context → exact prompt. A message, a call or a context may be "
            "asked about as well. Where a link is missing the command shows what there is, says what is missing, and "
            "ends with 3. A decision has a message when it was noticed in one or written with `caused_by(message)`; "
            "a message has a call when it was written with `caused_by(call)` or the call names it."
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
            help="Its id: 12, DEC-12 or D12. Or that of a message, a call or a context.",
            show_default=False,
        ),
    ],
    raw: Raw = False,
    json: Json = False,
) -> None:
    """Show what the model saw when it decided this."""
    _check_output(raw, json)
    run = run_of(context)
    with run.session(session) as found:
        answer = found.saw(_version_of(decision))
        chain = _chain(SessionHistory(found), answer)
    made = answer.reproduction
    if json:
        run.document(SawDocument.of(found.id, answer, chain))
    elif raw:
        if made is not None and made.ok and made.context is not None:
            _write_bytes(made.context)
    else:
        run.out.print(chain_view(chain))
        if made is not None:
            _tell_reproduction(run, made)
    if answer.gap is not None:
        raise NotFound(f"what led to version {answer.version} cannot be told: {answer.gap}.")
    if made is not None:
        _require(made)


def chain_view(chain: list[LogEntry]) -> Group:
    """The events from a decision back to what the model saw, a line each."""
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
    return columns(rows, right=(1,), indent=0)


_LINKS = {
    "decision.recorded": "decision",
    "decision.noticed": "noticed decision",
    "message.added": "message",
    "tool.called": "message",
    "tool.answered": "tool result",
    "model.called": "call",
    "context.assembled": "context",
}


def _chain(history: SessionHistory, found: Saw) -> list[LogEntry]:
    links = [version for version in (found.message, found.call, found.assembly) if version is not None]
    if found.version not in links:
        links.insert(0, found.version)
    return [history.entry(version) for version in links]


def _version_of(decision: str) -> int:
    found = _DECISION.fullmatch(decision.strip())
    if found is None:
        raise InvalidInput("decision", f"must be an id such as 12, DEC-12 or D12, got {decision!r}")
    return int(found[1])


def _newest_assembly(session: Session) -> int:
    newest = session.state.last_assembly
    if newest is None:
        raise NotFound("no context was recorded on this branch yet.")
    return newest.version


def _check_output(raw: bool, json: bool) -> None:
    if raw and json:
        raise InvalidInput("raw", "prints bytes, so it cannot go with --json")


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
        paragraph(run.out, ("same bytes  ", "good"), str(made), indent=0)
        run.out.print(context_view(made.context))
        print_prompt(run.out, made.context)
        return
    if made.missing:
        rows = [
            [
                f"item {one.item}",
                f"in {one.section}",
                f"erased at version {one.erased_at}"
                if one.erased_at
                else "erased, the log does not say when",
            ]
            for one in made.missing
        ]
        run.out.print(Rule(Text("gone", "bad"), align="left", style="quiet"))
        run.out.print(columns(rows, indent=0))


def _require(made: Reproduction) -> None:
    if made.missing:
        raise ContentErased(str(made))
    if not made.ok:
        raise VerificationFailed(str(made))
