"""No watcher outlives its test."""

from collections.abc import Iterator

import pytest

from backstory.infrastructure.observability import traces, watchers


@pytest.fixture(autouse=True)
def nobody_watches() -> Iterator[None]:
    watchers.watchers = ()
    yield
    watchers.watchers = ()
    traces._spans = None
