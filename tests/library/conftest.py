"""A database of its own for every case: the library's expect the feed to begin at 1."""

from collections.abc import Callable, Iterator

import pytest

from backstory.infrastructure.postgres.database import Database


@pytest.fixture(autouse=True)
def fresh_database(request: pytest.FixtureRequest, new_database: Callable[[], str]) -> Iterator[None]:
    """The library's cases are unittest classes, which take no fixtures by argument: they find theirs on
    themselves."""
    database = Database(new_database())
    database.open()
    if request.instance is not None:
        request.instance.database = database
    yield
    database.close()
