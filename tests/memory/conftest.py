"""Projects that no other test knows."""

from uuid import uuid4

import pytest

from backstory import ContextStore, Project


@pytest.fixture
def project(store: ContextStore) -> Project:
    return store.project(f"atlas-{uuid4()}")
