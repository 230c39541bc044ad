"""The service in this process, on the shared database."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore
from backstory.interfaces.http.app import create_app

Serve = Callable[[ContextStore], TestClient]


@pytest.fixture(scope="session", autouse=True)
def allowed_roots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The folder below which the service may read files of projects."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKSTORY_ALLOWED_ROOTS", str(tmp_path_factory.mktemp("roots")))
        yield


@pytest.fixture(scope="session")
def serve() -> Iterator[Serve]:
    """Serves a store: a client of the service, which stays up until the end of the tests."""
    with ExitStack() as stack:
        yield lambda store: stack.enter_context(TestClient(create_app(store), base_url="http://127.0.0.1"))


@pytest.fixture(scope="session")
def client(store: ContextStore, serve: Serve) -> TestClient:
    """A client of a service that asks for no key."""
    return serve(store)
