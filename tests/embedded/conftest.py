"""Real servers in data homes of their own; whatever a test leaves running is stopped."""

import contextlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backstory.domain.errors import ServerUnavailable
from backstory.infrastructure.embedded import server as embedded

START_IN_PROCESS = """
import json, sys
from pathlib import Path
from backstory.infrastructure.embedded.server import start_or_join
server = start_or_join(Path(sys.argv[1]))
print(json.dumps({"started": server.started, "pid": server.pid, "url": server.url()}))
"""


@pytest.fixture
def empty_home(tmp_path: Path) -> Iterator[Path]:
    """A data home that is not there yet."""
    home = tmp_path / "home"
    yield home
    with contextlib.suppress(ServerUnavailable):
        embedded.stop(home)


@pytest.fixture
def data_home(empty_home: Path, stopped_home: Path) -> Path:
    """A data home with a stopped server."""
    shutil.copytree(stopped_home, empty_home)
    return empty_home


@pytest.fixture
def start_in_process() -> Iterator[Callable[[Path], "subprocess.Popen[str]"]]:
    """Begins `start_or_join` in a process of its own, which prints what it got and ends."""
    begun: list[subprocess.Popen[str]] = []

    def start(home: Path) -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", START_IN_PROCESS, str(home)]
        begun.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return begun[-1]

    yield start
    for process in begun:
        with process:
            process.kill()


@pytest.fixture
def foreign_process() -> Iterator["subprocess.Popen[bytes]"]:
    """A living process that has nothing to do with Postgres."""
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


@pytest.fixture
def said() -> Callable[["subprocess.Popen[str]"], dict[str, Any]]:
    """What a process begun by `start_in_process` got."""

    def read(process: "subprocess.Popen[str]") -> dict[str, Any]:
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        answer: dict[str, Any] = json.loads(output)
        return answer

    return read
