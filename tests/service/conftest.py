"""A service on the shared database."""

from collections.abc import Iterator

import pytest

from backstory.application.store import ContextStore
from tests.service.served import Served, served


@pytest.fixture(scope="module")
def service(store: ContextStore) -> Iterator[Served]:
    """A service that asks for no key."""
    with served(store) as running:
        yield running
