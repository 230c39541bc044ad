"""`backstory mcp`: the tools of agents, on standard input and output."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from backstory.domain.errors import Refused
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.run import Run

if TYPE_CHECKING:
    from backstory.application.store import ContextStore

KEY = "BACKSTORY_KEY"


@command(
    "mcp",
    Manual(
        examples=(
            "backstory mcp",
            "backstory mcp --project shop --agent coder",
            "backstory mcp --service http://127.0.0.1:8765",
        ),
        document=None,
        fails=(Refused,),
        notes=(
            "Speaks the Model Context Protocol on standard input and output, for clients that start a program: name "
            "it in their settings as the command `backstory` with the argument `mcp`. `backstory serve` offers the "
            f"same tools at /mcp. With --service it works on a service instead of a database, with the key in {KEY}. "
            "Needs the extra `mcp`: pip install 'backstory[mcp]'."
        ),
    ),
)
def mcp(
    context: typer.Context,
    session: Annotated[
        str, typer.Option(metavar="SESSION", help="The session that tools work on, unless they name one.")
    ] = "last",
    project: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The project that tools work on, unless they name one.", show_default=False
        ),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The agent that reads and writes.", show_default=False),
    ] = None,
    service: Annotated[
        str | None,
        typer.Option(metavar="URL", help="A service to work on, in place of a database.", show_default=False),
    ] = None,
) -> None:
    """Serve agents over MCP, on standard input and output."""
    if find_spec("mcp") is None:
        raise Refused("the extra mcp is not installed: pip install 'backstory[mcp]'.")
    from backstory.interfaces.mcp.door import Door
    from backstory.interfaces.mcp.server import create_server

    run = run_of(context)
    logging.getLogger("mcp").setLevel(logging.WARNING)
    with _store(run, service) as store, run.warnings():
        create_server(Door(store, session, project, agent)).run()


@contextmanager
def _store(run: Run, service: str | None) -> Iterator["ContextStore"]:
    if service is None:
        with run.store() as store:
            yield store
        return
    from backstory.interfaces.client.opening import connect

    with connect(service, key=os.environ.get(KEY)) as store:
        yield store
