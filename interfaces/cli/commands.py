"""The root of the commands, and the decorator that adds one to it."""

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, ParamSpec

import typer

from backstory import __version__
from backstory.domain.errors import InvalidInput
from backstory.interfaces.cli.manual import EXIT_CODES, MANUALS, Manual, listed
from backstory.interfaces.cli.options import Json
from backstory.interfaces.cli.root import GROUPS, RootCommand
from backstory.interfaces.cli.run import Run, reporting

P = ParamSpec("P")

app = typer.Typer(
    name="backstory",
    cls=RootCommand,
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
                if isinstance(limit := named.get("limit"), int) and limit < 1:
                    raise InvalidInput("limit", f"must be at least 1, got {limit}")
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


def run_of(context: typer.Context) -> Run:
    """The run that a command belongs to."""
    run: Run = context.find_root().obj
    return run
