from collections.abc import Iterator
from typing import Any

import pytest

from backstory.interfaces.client.store import RemoteStore
from tests.traces import Traces, watching


@pytest.fixture(scope="session")
def any_traces(request: pytest.FixtureRequest, any_store: Any) -> Iterator[Traces]:
    """What is in the database of the store under test."""
    if isinstance(any_store, RemoteStore):
        url = request.getfixturevalue("url")
    else:
        url = (any_store if "_runtime" in vars(any_store) else any_store._inner._inner)._runtime.database.url
    with watching(url) as traces:
        yield traces
