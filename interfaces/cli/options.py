"""Arguments and options that several commands share."""

from typing import Annotated

import typer

from backstory.interfaces.cli.run import Run


def _remember_json(context: typer.Context, value: bool) -> bool:
    # Set while options are read, so that an error in the words that follow is already JSON.
    run: Run = context.find_root().obj
    run.json = run.json or value
    return value


Json = Annotated[
    bool, typer.Option("--json", help="Print JSON instead of text.", callback=_remember_json, is_eager=True)
]

SESSION_HELP = "An id, the beginning or the end of one, or last."
SessionName = Annotated[str, typer.Argument(metavar="SESSION", help=SESSION_HELP, show_default=False)]
OptionalSession = Annotated[
    str | None, typer.Argument(metavar="[SESSION]", help=SESSION_HELP, show_default=False)
]
SessionNames = Annotated[
    list[str], typer.Argument(metavar="SESSION…", help="Ids, parts of ids, or last.", show_default=False)
]
OptionalSessions = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SESSION]…", help="Ids, parts of ids, or last.", show_default=False),
]
Version = Annotated[
    int, typer.Argument(metavar="VERSION", help="A version on any branch.", show_default=False)
]

Actor = Annotated[str | None, typer.Option(metavar="NAME", help="The actor to record.")]
Key = Annotated[
    str | None,
    typer.Option(metavar="KEY", help="An idempotency key. Used again, it returns the first result."),
]
Why = Annotated[str, typer.Option(metavar="TEXT", help="The reason to record.", show_default=False)]
OptionalWhy = Annotated[str | None, typer.Option(metavar="TEXT", help="The reason to record.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Write nothing; print what would be done.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]

Window = Annotated[str, typer.Option(metavar="NAME", help="The window.")]
OnlyProject = Annotated[str | None, typer.Option(metavar="NAME", help="Only sessions of this project.")]
OnlyTypes = Annotated[
    list[str] | None, typer.Option(metavar="TYPE", help="Only events of this type; may be repeated.")
]
AfterVersion = Annotated[int, typer.Option(metavar="VERSION", help="Only versions above this one.")]
UptoVersion = Annotated[int | None, typer.Option(metavar="VERSION", help="Only versions up to this one.")]
Follow = Annotated[bool, typer.Option("--follow", "-f", help="Print new events as they are recorded.")]
Limit = Annotated[
    int | None,
    typer.Option(metavar="N", help="Rows to print. Otherwise 20; with --json, all.", show_default=False),
]
Compress = Annotated[bool, typer.Option("--zstd", help="Compress the file. Needs backstory\\[zstd].")]
