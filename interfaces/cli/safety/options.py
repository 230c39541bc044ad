"""Arguments and options of the commands on safety, and the session or the project that they are about."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from backstory.domain.errors import InvalidInput
from backstory.interfaces.cli.run import Run
from backstory.interfaces.wording import one_line, short_id

if TYPE_CHECKING:
    from backstory.application.memory.project import Project
    from backstory.application.session import Session

Items = Annotated[
    list[int], typer.Argument(metavar="ITEM…", help="Items, or ids of memories.", show_default=False)
]
InSession = Annotated[
    str | None,
    typer.Option(
        "--session",
        metavar="SESSION",
        help="The session: an id, a part of one, or last; otherwise the one that was last worked in.",
    ),
]
OfProject = Annotated[
    str | None, typer.Option("--project", metavar="NAME", help="The project, for its memories.")
]
Answers = Annotated[
    bool,
    typer.Option(
        "--answers", help="Also what models answered to prompts that showed it, and where that got into."
    ),
]


class Holder(NamedTuple):
    """The session or the project that a command is about."""

    opened: "Session | Project"
    name: str
    """As people are shown it."""
    fields: dict[str, str]
    """As documents name it."""


@contextmanager
def opened(
    run: Run, session: str | None, project: str | None, actor: str | None = None, key: str | None = None
) -> Iterator[Holder]:
    """Opens the session or the project that is named, to be written to by this actor and under this key."""
    if session is not None and project is not None:
        raise InvalidInput("project", "cannot be given with --session")
    with run.store() as store:
        found = store.session(store.find(session or "last")) if project is None else store.project(project)
        written = found if actor is None else found.by(actor)
        written = written if key is None else written.once(key)
        shown = short_id(found.id) if project is None else one_line(project)
        yield Holder(written, shown, {"session": str(found.id)} if project is None else {"project": project})
