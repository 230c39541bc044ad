"""A progress bar on a terminal's stderr."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from backstory.interfaces.cli.run import Run


@contextmanager
def progress_display(run: Run, amount: ProgressColumn) -> Iterator[Progress | None]:
    """A display of bars, or None if stderr is no terminal."""
    if run.json or not sys.stderr.isatty():
        yield None
        return
    name = TextColumn("{task.description}", markup=False)
    with Progress(
        name, BarColumn(), amount, TimeRemainingColumn(), console=run.errors, transient=True
    ) as progress:
        yield progress


@contextmanager
def progress_bar(run: Run, unit: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar that is told how much is done and how much there is, or None if stderr is no terminal."""
    with progress_display(run, MofNCompleteColumn()) as progress:
        if progress is None:
            yield None
            return
        task = progress.add_task(unit, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
