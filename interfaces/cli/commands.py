"""The root of the commands, how one is added to it, and the options that they share."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec

import typer

from backstory import __version__
from backstory.interfaces.cli.manual import EXIT_CODES, MANUALS, Manual, listed
from backstory.interfaces.cli.root import GROUPS, Root
from backstory.interfaces.cli.run import Run, reporting

if TYPE_CHECKING:
    from backstory.application.session import Session

P = ParamSpec("P")

app = typer.Typer(
    name="backstory",
    cls=Root,
    help="Replay, compare, branch and verify what agents recorded.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\n\n".join(
        [
            "[bold]SESSION[/] is an id, the beginning or the end of one, or [bold]last[/]: the session that was last "
            "worked in. Forking does not change it. Imported sessions keep their original times.",
            "[bold]Example:[/] backstory demo",
            listed(EXIT_CODES),
        ]
    ),
)


def command(words: str, manual: Manual) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Registers a command under its words, such as `sessions list`, with its manual."""
    parent, _, name = words.rpartition(" ")
    MANUALS[words] = manual

    def register(function: Callable[P, None]) -> Callable[P, None]:
        @wraps(function)
        def run(*args: P.args, **named: P.kwargs) -> None:
            context: Any = named["context"]
            with reporting(context.find_root().obj):
                function(*args, **named)

        GROUPS[parent].command(name, epilog=manual.epilog)(run)
        return function

    return register


def default_command(name: str, function: Callable[..., None]) -> None:
    """Has a group without a further word do what one of its commands does."""

    def run(context: typer.Context, json: Json = False) -> None:
        if context.invoked_subcommand is None:
            with reporting(run_of(context)):
                function(context, json=json)

    GROUPS[name].callback(invoke_without_command=True)(run)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"backstory {__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="The Postgres to use. Otherwise BACKSTORY_DATABASE_URL, otherwise the embedded one.",
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    context.obj = Run(url)


def _remember_json(context: typer.Context, value: bool) -> bool:
    # Told to the run while options are read, so that an error in whatever follows is already JSON.
    run: Run = context.find_root().obj
    run.json = run.json or value
    return value


Json = Annotated[
    bool, typer.Option("--json", help="Print JSON instead of text.", callback=_remember_json, is_eager=True)
]
SessionName = Annotated[
    str,
    typer.Argument(
        metavar="SESSION", help="An id, the beginning or the end of one, or last.", show_default=False
    ),
]
Actor = Annotated[str | None, typer.Option(metavar="NAME", help="Who does this, for the record.")]
Key = Annotated[
    str | None,
    typer.Option(metavar="KEY", help="An idempotency key: asked again, the first result is the answer."),
]
Why = Annotated[str, typer.Option(metavar="TEXT", help="The reason, for the record.", show_default=False)]


def run_of(context: typer.Context) -> Run:
    """The run that a command belongs to."""
    run: Run = context.find_root().obj
    return run


def said_by(session: "Session", actor: str | None, key: str | None) -> "Session":
    """The session, as one writes to it in this name and under this idempotency key."""
    if actor is not None:
        session = session.by(actor)
    return session if key is None else session.once(key)
