from collections.abc import Iterator

import pytest

from tests.traces import Traces, watching


@pytest.fixture(scope="session")
def traces(url: str) -> Iterator[Traces]:
    """What is in the shared database."""
    with watching(url) as traces:
        yield traces
