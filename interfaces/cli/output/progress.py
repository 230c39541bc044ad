"""A bar for what takes long."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from backstory.interfaces.cli.run import Run


@contextmanager
def progress_bar(run: Run, unit: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar that is told how much is done and how much there is, where somebody is there to see it."""
    if run.json or not sys.stderr.isatty():
        yield None
        return
    shown = (TextColumn(unit), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*shown, console=run.errors, transient=True) as progress:
        task = progress.add_task(unit, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
