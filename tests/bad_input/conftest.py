from collections.abc import Iterator
from typing import Any

import pytest

from tests.traces import Traces, watching


@pytest.fixture(scope="session")
def any_traces(any_store: Any) -> Iterator[Traces]:
    """What is in the database of the store under test."""
    store = any_store if "_runtime" in vars(any_store) else any_store._inner._inner
    with watching(store._runtime.database.url) as traces:
        yield traces
