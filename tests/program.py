"""`backstory serve` in processes of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

PROGRAM = Path(sys.executable).parent / "backstory"


class Serving(NamedTuple):
    """A service, and the process that was started."""

    process: "subprocess.Popen[str]"
    url: str
    """Its address."""

    def answering(self) -> list[int]:
        """The processes that answer, where they are several."""
        return [pid for pid in children(self.process.pid) if "spawn_main" in command_line(pid)]


@contextmanager
def serving(url: str, *words: str, **environment: str) -> Iterator[Serving]:
    """Serves the database at a URL. What is left of the processes when the block ends is killed."""
    process = subprocess.Popen(
        [PROGRAM, "--url", url, "serve", "--port", "0", "--json", *words],
        stdout=subprocess.PIPE,
        env={**os.environ, "BACKSTORY_DATABASE_URL": "", **environment},
        text=True,
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert said, "it did not start"
        yield Serving(process, json.loads(said)["url"])
    finally:
        family = [*children(process.pid), process.pid] if process.poll() is None else []
        for pid in family:
            os.kill(pid, 9)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def command_line(pid: int) -> str:
    """The words that a process was started with; none once it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""
