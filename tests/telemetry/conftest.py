"""A database of each test's own, and nobody left watching."""

from collections.abc import Callable, Iterator

import pytest

from backstory.application.store import ContextStore
from backstory.infrastructure.observability import observing, traces


@pytest.fixture
def own_store(new_database: Callable[[], str]) -> Iterator[ContextStore]:
    with ContextStore.open(new_database()) as store:
        yield store


@pytest.fixture(autouse=True)
def nobody_watches() -> Iterator[None]:
    observing.watchers = ()
    yield
    observing.watchers = ()
    traces._spans = None
