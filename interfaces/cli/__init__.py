"""The command line: `backstory`."""

import gc
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typer import Typer


START_THRESHOLD = 1_000_000
"""Objects before the first garbage collection. Imports make many objects and no garbage: looking for some would take a
fifth of the start. The usual threshold is set again when a store is open."""


def application() -> "Typer":
    """The root command. Command modules are imported when one of their commands is used."""
    from backstory.interfaces.cli.commands import app

    return app


def main() -> None:
    """Runs the command that the arguments name."""
    gc.set_threshold(START_THRESHOLD)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character shows another one; that is no reason to fail.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    application()(prog_name="backstory")
