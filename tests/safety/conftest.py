"""Projects that no other test knows."""

from uuid import uuid4

import pytest

from backstory import ContextStore, Project, Session


@pytest.fixture
def project(store: ContextStore) -> Project:
    return store.project(f"atlas-{uuid4()}")


@pytest.fixture
def session(store: ContextStore, project: Project) -> Session:
    return store.start(project=project.name)
