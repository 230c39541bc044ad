"""No watcher outlives its test."""

from collections.abc import Iterator

import pytest

from backstory.infrastructure.observability import observing, traces


@pytest.fixture(autouse=True)
def nobody_watches() -> Iterator[None]:
    observing.watchers = ()
    yield
    observing.watchers = ()
    traces._spans = None
