import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.infrastructure.embedded import server as embedded
from tests.crash.writing import Writing, begin_writing


@pytest.fixture
def home(tmp_path: Path, stopped_home: Path) -> Iterator[Path]:
    """The data home of a server of the test's own, which it may kill."""
    home = tmp_path / "home"
    shutil.copytree(stopped_home, home)
    yield home
    embedded.stop(home)


@pytest.fixture
def open_store() -> Iterator[Callable[[str], ContextStore]]:
    """Opens stores that are closed after the test."""
    with ExitStack() as opened:
        yield lambda url: opened.enter_context(ContextStore.open(url, migrate=False))


@pytest.fixture
def start_writer(tmp_path: Path) -> Iterator[Callable[[str, Session, int], Writing]]:
    """Begins a writer."""
    started: list[Writing] = []

    def start(url: str, session: Session, begin: int) -> Writing:
        stop = tmp_path / f"stop-{len(started)}"
        started.append(begin_writing(url, session.id, tmp_path / "notes", stop, begin))
        return started[-1]

    yield start
    for writing in started:
        writing.dismiss()
