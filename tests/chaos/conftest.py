"""Servers that may be harmed, and the table of what was done to them."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.infrastructure.embedded import server as embedded
from tests.chaos.form import WHOLE
from tests.chaos.trial import Row, Trial, table, writing_at

ROWS: list[Row] = []


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory, stopped_home: Path) -> Iterator[Path]:
    """The data home of an embedded server for all faults: each leaves it whole, or has failed."""
    home = tmp_path_factory.mktemp("chaos") / "home"
    shutil.copytree(stopped_home, home)
    server = embedded.start_or_join(home)
    if not WHOLE:
        # No fault of these takes the machine's memory away, so what is written is written. It saves most of the time.
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("alter system set fsync = off")
            connection.execute("select pg_reload_conf()")
    yield home
    embedded.stop(home)


@pytest.fixture
def server(home: Path) -> embedded.EmbeddedServer:
    return embedded.start_or_join(home)


@pytest.fixture
def trial(tmp_path: Path) -> Iterator[Callable[..., Trial]]:
    """Begins a trial, whose row is in the table once it has finished."""
    begun: list[tuple[ContextStore, Trial]] = []

    def begin(
        fault: str, place: str | Path, *, url: str | None = None, patience: float | None = None, **more: Any
    ) -> Trial:
        """`url` is where the trial itself looks, when that is not the writers' place."""
        found = url or (place if isinstance(place, str) else embedded.start_or_join(place).url())
        store = ContextStore.open(found, migrate=False)
        begun.append((store, Trial(fault, tmp_path, store, writing_at(place, patience), **more)))
        return begun[-1][1]

    yield begin
    for store, trial in begun:
        trial.dismiss()
        store.close()


@pytest.fixture
def report() -> Callable[[Row], None]:
    return ROWS.append


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if ROWS:
        terminalreporter.section("chaos")
        terminalreporter.write_line(table(ROWS))
