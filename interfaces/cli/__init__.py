"""The command line: `backstory`."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typer import Typer

_COMMANDS = (
    "sessions",
    "log",
    "feed",
    "projecting",
    "states",
    "branches",
    "contexts",
    "monitoring",
    "windows",
    "compaction",
    "policies",
    "tiers",
    "working",
    "jobs",
    "chatting",
    "syncing",
    "replay",
    "auditing",
    "exports",
    "audits",
    "importing",
    "purging",
    "retention",
    "projections",
    "database",
    "demo",
)
"""The modules that hold commands, in the order in which `--help` lists them."""


_ALONE = {"audit": "audits"}
"""Commands that need nothing of the others': they run where there is no driver of a database."""


def application(modules: Sequence[str] = _COMMANDS) -> "Typer":
    """The whole tree of commands, or some of it."""
    from backstory.interfaces.cli.commands import app

    for name in modules:
        import_module(f"backstory.interfaces.cli.{name}")
    return app


def main() -> None:
    """Runs the command that the arguments name."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character shows another one; that is no reason to fail.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    alone = _ALONE.get(sys.argv[1]) if len(sys.argv) > 1 else None
    application((alone,) if alone is not None else _COMMANDS)(prog_name="backstory")
