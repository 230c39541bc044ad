"""A project with a folder of its own on disk and the triggers of the document."""

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from backstory import ContextStore, Project, Session
from tests.artifacts.conftest import Write as Write, root as root, write as write

Start = Callable[..., Session]


@pytest.fixture
def project(store: ContextStore, root: Path, write: Write) -> Project:
    """A project with an idea, a module and a template, and the six triggers."""
    write("ideas/IDEA-001/current.md", "# AI tool\n\nIt plans, asks and executes.")
    write("modules/MODULE-001/current.md", "# Constitution\n\nRules for agents.")
    write("templates/module.md", "# Module\n\nPurpose:")
    project = store.project(f"forge-{uuid4()}")
    project.artifacts.configure(root)
    project.artifacts.scan(["**/*.md"])
    project.artifacts.register("MODULE-001", parent="IDEA-001")
    project.artifacts.register("templates-module.md", project_layer=1)
    return project


@pytest.fixture
def start(store: ContextStore, project: Project) -> Start:
    """Starts sessions of the project."""

    def start(limit: int = 20_000) -> Session:
        session = store.start(project=project.name, limit=limit)
        session.details.set_project(project.name, current_idea="IDEA-001", status="In Progress")
        return session

    return start


def done(session: Session) -> dict[str, dict[str, str]]:
    """By trigger, the outcomes of the actions of its newest firing."""
    found: dict[str, dict[str, str]] = {}
    for record in reversed(session.triggers.history()):
        if record.outcome == "fired":
            found[record.trigger] = {action.action: action.outcome for action in record.actions}
    return found
