"""`backstory say` and `backstory command`: messages and chat commands."""

import sys
from json import loads
from typing import Annotated, Any, Literal

import typer

from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused
from backstory.domain.trust import checked_origin
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Actor, Json, Key, Origin, SessionName
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.sessions import CommandDocument, MessageDocument
from backstory.interfaces.wording import short_id

MOST_READ = 16 * 2**20 + 1
"""Bytes of standard input: one more than a content may have, so that what is too long is refused and not cut."""


@command(
    "say",
    Manual(
        examples=(
            'backstory say last "The login test fails since yesterday."',
            'backstory say last --role agent --actor coder "I froze the clock in the test."',
            "backstory say last --json < answer.txt",
        ),
        document=MessageDocument,
        fails=(NotFound, Refused, Conflict),
        notes="`sessions start` begins a session. `context` shows the prompt of its next model call.",
    ),
)
def say(
    context: typer.Context,
    session: SessionName,
    text: Annotated[
        str | None,
        typer.Argument(
            metavar="TEXT",
            help="The message as one argument. Without it, or with -, standard input.",
            show_default=False,
        ),
    ] = None,
    role: Annotated[
        Literal["user", "agent", "system"],
        typer.Option(metavar="user|agent|system", help="The speaker's role."),
    ] = "user",
    metadata: Annotated[
        str | None,
        typer.Option(
            metavar="JSON", help="An object of your own, kept with the message.", show_default=False
        ),
    ] = None,
    origin: Origin = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Add a message to a session."""
    run = run_of(context)
    said = _read() if text is None or text == "-" else text
    if not said.strip():
        raise InvalidInput("TEXT", "must not be empty")
    with run.session(session, actor, key) as opened:
        opened = opened if origin is None else opened.of_origin(checked_origin(origin))
        version = opened.message(said, role=role, metadata=_own(metadata))
        tokens = opened.at(version).items[version].tokens
    if json:
        run.document(MessageDocument(session=opened.id, version=version, role=role, tokens=tokens))
    else:
        run.out.print(f"message {version} in session {short_id(opened.id)}, {tokens:,} tokens")


def _own(metadata: str | None) -> dict[str, Any] | None:
    try:
        found = None if metadata is None else loads(metadata)
    except ValueError as error:
        raise InvalidInput("metadata", f"must be JSON: {error}") from None
    if found is not None and not isinstance(found, dict):
        raise InvalidInput("metadata", "must be a JSON object")
    return found


def _read() -> str:
    if sys.stdin.isatty():
        raise InvalidInput("TEXT", "must be given, as an argument or on standard input")
    try:
        return sys.stdin.buffer.read(MOST_READ).decode().removesuffix("\n")
    except UnicodeDecodeError as error:
        raise InvalidInput("TEXT", f"must be UTF-8, which byte {error.start} is not") from None


@command(
    "command",
    Manual(
        examples=(
            'backstory command last "/set_goal Add JWT login"',
            'backstory command last "/log_decision Use RS256 because services only need the public key" --json',
            'backstory command last "facilitator status"',
        ),
        document=CommandDocument,
        fails=(NotFound, Refused, Conflict),
        notes=(
            "[The reference](commands.md) lists the commands. A command that cannot be carried out changes nothing, "
            "prints the reason and ends with exit code 4."
        ),
    ),
)
def run_chat_command(
    context: typer.Context,
    session: SessionName,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="The command as one argument.", show_default=False)
    ],
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Run a chat command, such as /set_goal, /remember or /context status."""
    run = run_of(context)
    with run.session(session, actor, key) as opened:
        result = opened.command(text)
    if json:
        run.document(CommandDocument.of(opened.id, result))
    else:
        run.out.print(Text(result.text), soft_wrap=not run.out.is_terminal)
    if not result.ok:
        raise typer.Exit(Refused.exit_code)
