"""A project that no other test knows, and sessions with something to remember."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from backstory import ContextStore, Project, Session

Talk = Callable[..., Session]


@pytest.fixture
def project(store: ContextStore) -> Project:
    return store.project(f"harbour-{uuid4()}")


@pytest.fixture
def talk(store: ContextStore, project: Project) -> Talk:
    """Starts a session of the project with some messages, a user's and an agent's in turns."""

    def start(*said: str, title: str | None = None) -> Session:
        session = store.start(project=project.name, title=title)
        for number, text in enumerate(said):
            session.message(text, role="agent" if number % 2 else "user")
        return session

    return start
