"""A project with a folder of its own on disk."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from backstory import ContextStore, Project

Write = Callable[[str, str], Path]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def write(root: Path) -> Write:
    """Writes a file below the root."""

    def write(path: str, text: str) -> Path:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    return write


@pytest.fixture
def project(store: ContextStore, root: Path, write: Write) -> Project:
    """A project with an idea and two modules."""
    write("ideas/IDEA-001/current.md", "# AI tool\n\nIt plans, asks and executes.")
    write("modules/MODULE-001/current.md", "# Constitution\n\nRules for agents.")
    write("modules/MODULE-002/current.md", "# Elsewhere\n\nNo part of the idea.")
    project = store.project(f"forge-{uuid4()}")
    project.artifacts.configure(root)
    project.artifacts.scan(["ideas/*/current.md", "modules/*/current.md"])
    project.artifacts.register("MODULE-001", parent="IDEA-001")
    return project


@pytest.fixture
def configured(store: ContextStore, root: Path, write: Write) -> Callable[[dict[str, Any]], Project]:
    """Makes a project of a configuration."""

    def make(config: dict[str, Any]) -> Project:
        write(".forgemind/config.json", json.dumps(config))
        project = store.project(f"forge-{uuid4()}")
        project.artifacts.configure(root)
        return project

    return make
