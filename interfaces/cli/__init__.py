"""The command line: `backstory`."""

import gc
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typer import Typer


def application() -> "Typer":
    """The root command. Command modules are imported when one of their commands is used."""
    from backstory.interfaces.cli.commands import app

    return app


def main() -> None:
    """Runs the command that the arguments name."""
    # Imports make many objects and no garbage. With the usual threshold of 700, looking for some takes longer than
    # loading most libraries.
    gc.set_threshold(100_000)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character shows another one; that is no reason to fail.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    application()(prog_name="backstory")
