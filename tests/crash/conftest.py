import multiprocessing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backstory.infrastructure import embedded, schema
from backstory.session import Session
from tests.crash import writer
from tests.waiting import until


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """The data home of a server of the test's own, which it may kill."""
    home = tmp_path / "home"
    schema.upgrade(embedded.start_or_join(home).url())
    yield home
    embedded.stop(home)


class Writing:
    """A writer in a process of its own, and what it has noted."""

    def __init__(self, process: Any, notes: Path, stop: Path) -> None:
        self.process = process
        self._notes = notes
        self._stop = stop

    def notes(self) -> list[dict[str, Any]]:
        return writer.read_notes(self._notes)

    def acknowledged(self) -> int:
        return sum(note["outcome"] == "done" for note in self.notes())

    def get_on(self, more: int) -> None:
        """Waits until so many more were acknowledged."""
        before = self.acknowledged()
        until(lambda: self.acknowledged() >= before + more or not self.process.is_alive())
        assert self.process.is_alive()

    def kill(self) -> None:
        self.process.kill()
        self.process.join()

    def finish(self) -> None:
        self._stop.touch()
        self.process.join(60)
        assert self.process.exitcode == 0


@pytest.fixture
def start_writer(tmp_path: Path) -> Iterator[Callable[[str, Session, int], Writing]]:
    """Begins a writer. Each is forked from a clean process that has loaded everything, so it begins at once."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.crash.writer"])
    started: list[Writing] = []

    def start(url: str, session: Session, begin: int) -> Writing:
        notes, stop = tmp_path / "notes", tmp_path / f"stop-{len(started)}"
        process = context.Process(target=writer.write, args=(url, session.id, notes, begin, stop))
        process.start()
        started.append(Writing(process, notes, stop))
        return started[-1]

    yield start
    for writing in started:
        if writing.process.is_alive():
            writing.kill()
        writing.process.close()
