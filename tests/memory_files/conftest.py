"""A project of its own in a folder of its own."""

from pathlib import Path
from uuid import uuid4

import pytest

from backstory import ContextStore, Project
from tests.memory_files.editing import Files


@pytest.fixture
def project(store: ContextStore) -> Project:
    return store.project(f"shop-{uuid4().hex[:8]}")


@pytest.fixture
def files(store: ContextStore, project: Project, tmp_path: Path) -> Files:
    return Files(store, project, tmp_path / "synced")
