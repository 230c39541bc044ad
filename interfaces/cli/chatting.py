"""`backstory command`: what people type into a chat, done on a session."""

from typing import Annotated

import typer
from rich.text import Text

from backstory.domain.errors import Conflict, NotFound, Refused
from backstory.interfaces.cli.commands import Actor, Json, Key, SessionName, command, run_of, said_by
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.wording import printable


@command(
    "command",
    Manual(
        examples=(
            'backstory command last "/set_goal Add JWT login"',
            'backstory command last "/log_decision Use RS256 because services only need the public key" --json',
            'backstory command last "facilitator status"',
        ),
        keys={
            "session": "the id",
            "ok": "whether it did what was asked",
            "command": "the command's name, or what was typed in its place",
            "text": "the answer, for people",
            "data": "the answer, for programs; its keys depend on the command",
            "events": "versions of the events that it appended",
            "available": "the commands that the session's state allows now",
        },
        fails=(NotFound, Refused, Conflict),
        notes=(
            "The commands are in [their reference](commands.md). One that cannot be done changes nothing, says why "
            "and ends with exit code 4."
        ),
    ),
)
def run_chat_command(
    context: typer.Context,
    session: SessionName,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="The command, as one argument.", show_default=False)
    ],
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Do what a chat command asks for, such as /set_goal, /remember or /context status."""
    run = run_of(context)
    with run.session(session) as found:
        result = said_by(found, actor, key).command(text)
    if json:
        run.document({"session": str(found.id), **result._asdict()})
    else:
        run.out.print(Text(printable(result.text)), soft_wrap=True)
    if not result.ok:
        raise typer.Exit(Refused.exit_code)
