"""The command line: `backstory`."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typer import Typer

_COMMANDS = (
    "sessions",
    "log",
    "states",
    "branches",
    "contexts",
    "monitoring",
    "windows",
    "compaction",
    "policies",
    "tiers",
    "working",
    "chatting",
    "syncing",
    "replay",
    "auditing",
    "importing",
    "database",
    "demo",
)
"""The modules that hold commands, in the order in which `--help` lists them."""


def application() -> "Typer":
    """The whole tree of commands."""
    from backstory.interfaces.cli.commands import app

    for name in _COMMANDS:
        import_module(f"backstory.interfaces.cli.{name}")
    return app


def main() -> None:
    """Runs the command that the arguments name."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character shows another one; that is no reason to fail.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    application()(prog_name="backstory")
