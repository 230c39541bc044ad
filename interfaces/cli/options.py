"""Arguments and options that several commands share."""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

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
OptionalSessions = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SESSION]…", help="Ids, parts of ids, or last.", show_default=False),
]
Version = Annotated[
    int, typer.Argument(metavar="VERSION", help="A version on any branch.", show_default=False)
]

Actor = Annotated[str | None, typer.Option(metavar="NAME", help="The actor to record.")]
Origin = Annotated[
    str | None,
    typer.Option(
        metavar="ORIGIN",
        help="The place it comes from: user, model, internal_tool, external_tool, document or import. "
        "By default as the role says.",
        show_default=False,
    ),
]
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


def moment_option(text: str) -> datetime:
    """A time as it is typed: in ISO 8601, in UTC where it names no zone, or as an age, such as 2h."""
    if age := _AGE.fullmatch(text):
        try:
            return datetime.now(UTC) - timedelta(seconds=int(age[1]) * _SECONDS[age[2]])
        except OverflowError:
            raise typer.BadParameter(f"{text!r} is too long ago") from None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(
            f"must be a time as in 2026-11-09 or 2026-11-09T12:00:00Z, or an age as in 30m, 2h, 7d, got {text!r}"
        ) from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


_AGE = re.compile(r"(\d+)([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_TIME: dict[str, Any] = {"metavar": "TIME", "parser": moment_option}

Since = Annotated[
    datetime | None,
    typer.Option(help="Only what occurred at this time or later; 2h is two hours ago.", **_TIME),
]
Until = Annotated[datetime | None, typer.Option(help="Only what occurred before this time.", **_TIME)]
OnlyActor = Annotated[str | None, typer.Option(metavar="NAME", help="Only events of this actor.")]
AfterVersion = Annotated[int, typer.Option(metavar="VERSION", help="Only versions above this one.")]
UptoVersion = Annotated[int | None, typer.Option(metavar="VERSION", help="Only versions up to this one.")]
Follow = Annotated[bool, typer.Option("--follow", "-f", help="Print new events as they are recorded.")]
Limit = Annotated[
    int | None,
    typer.Option(metavar="N", help="Rows to print. Otherwise 20; with --json, all.", show_default=False),
]
Compress = Annotated[bool, typer.Option("--zstd", help="Compress the file. Needs backstory\\[zstd].")]
