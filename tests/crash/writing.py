"""Writers in processes of their own, seen from outside."""

import multiprocessing
from pathlib import Path
from typing import Any
from uuid import UUID

from tests.crash import writer
from tests.waiting import until


class Writing:
    """A writer that runs, and what it has noted."""

    def __init__(self, process: Any, notes: Path, stop: Path) -> None:
        self.process = process
        self._notes = notes
        self._stop = stop
        self._read = 0
        self._known: list[dict[str, Any]] = []
        self._acknowledged = 0

    def notes(self) -> list[dict[str, Any]]:
        """The notes so far; only new ones are read, since whoever waits asks all the time."""
        new, self._read = writer.read_notes(self._notes, self._read)
        self._known += new
        self._acknowledged += sum(note["outcome"] == "done" for note in new)
        return self._known

    def acknowledged(self) -> int:
        self.notes()
        return self._acknowledged

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

    def dismiss(self) -> None:
        """Ends it in any case."""
        if self.process.is_alive():
            self.kill()
        self.process.close()


def begin_writing(
    url: str | None, session: UUID, notes: Path, stop: Path, begin: int, **more: Any
) -> Writing:
    """A writer of its own. Each is forked from a clean process that has loaded everything, so it begins at once."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.crash.writer"])
    process = context.Process(target=writer.write, args=(url, session, notes, begin, stop), kwargs=more)
    process.start()
    return Writing(process, notes, stop)
