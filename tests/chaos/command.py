"""A command of Backstory in a process of its own, to be killed."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MAIN = "from backstory.interfaces.cli import main; main()"


@contextmanager
def running(url: str, *arguments: str, log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """The process, which is killed when the block ends, if it was not before."""
    with log.open("ab") as said:
        process = subprocess.Popen(
            [sys.executable, "-c", MAIN, "--url", url, *arguments], stdout=said, stderr=said
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
