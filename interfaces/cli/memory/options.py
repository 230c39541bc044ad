"""Arguments and options of the commands on memory, and the project that they are about."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from backstory.interfaces.cli.options import moment_option
from backstory.interfaces.cli.run import Run

if TYPE_CHECKING:
    from backstory.application.memory.project import Project

KINDS = "note, preference, knowledge, lesson, decision or fragment"
_TIME: dict[str, Any] = {"metavar": "TIME", "parser": moment_option}

ProjectName = Annotated[
    str | None,
    typer.Option(
        "--project",
        metavar="NAME",
        help="The project; otherwise that of the session that was last worked in.",
    ),
]
SessionOption = Annotated[
    str | None,
    typer.Option("--session", metavar="SESSION", help="The session: an id, a part of one, or last."),
]
MemoryId = Annotated[int, typer.Argument(metavar="MEMORY", help="The memory's id.", show_default=False)]
Agent = Annotated[str | None, typer.Option(metavar="NAME", help="Also the memories of this agent alone.")]
Kinds = Annotated[
    list[str] | None,
    typer.Option("--kind", metavar="KIND", help=f"Only this kind: {KINDS}; may be repeated."),
]
Entity = Annotated[str | None, typer.Option(metavar="NAME", help="Only memories about this entity.")]
TierOption = Annotated[
    Literal["HOT", "WARM", "COLD"] | None,
    typer.Option("--tier", metavar="HOT|WARM|COLD", help="Only memories of this tier."),
]
AsOf = Annotated[
    datetime | None,
    typer.Option(help="What the project knew at this time, and what held then.", **_TIME),
]
Past = Annotated[bool, typer.Option("--past", help="Also what no longer holds.")]
Quarantined = Annotated[bool, typer.Option("--quarantined", help="Also what is in quarantine.")]
OccurredAt = Annotated[
    datetime | None, typer.Option("--at", help="The time at which it was known; otherwise now.", **_TIME)
]
ValidFrom = Annotated[datetime | None, typer.Option(help="The time from which it holds.", **_TIME)]
ValidUntil = Annotated[datetime | None, typer.Option(help="The time until which it holds.", **_TIME)]
Title = Annotated[str | None, typer.Option(metavar="TEXT", help="A title in few words.")]
Entities = Annotated[
    list[str] | None,
    typer.Option("--entity", metavar="NAME", help="Something that it is about; may be repeated."),
]
Importance = Annotated[
    float | None, typer.Option(metavar="SHARE", help="From 0 to 1; otherwise that of its kind.")
]
Items = Annotated[
    list[int] | None,
    typer.Option(
        "--item", metavar="ITEM", help="An item of the session that it is made from; may be repeated."
    ),
]


@contextmanager
def open_project(
    run: Run, name: str | None, actor: str | None = None, key: str | None = None
) -> Iterator["Project"]:
    """The project of this name, else that of the session that somebody last worked in. It is written to by this actor
    and under this idempotency key."""
    with run.store() as store:
        project = store.session("last").memory.project if name is None else store.project(name)
        project = project if actor is None else project.by(actor)
        yield project if key is None else project.once(key)
