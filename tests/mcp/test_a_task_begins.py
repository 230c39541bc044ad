"""An agent begins a task with a fresh context."""

from pathlib import Path
from uuid import uuid4

import pytest

from backstory.application.store import ContextStore
from backstory.interfaces.mcp.door import Door
from backstory.interfaces.mcp.server import create_server
from tests.mcp.conftest import Asking


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "basket.py").write_text("def total(prices):\n    return sum(prices)\n")
    return tmp_path / "shop"


def test_it_has_the_files_of_the_task(
    store: ContextStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKSTORY_ALLOWED_ROOTS", str(folder))
    project = f"shop-{uuid4().hex[:8]}"
    asking = Asking(create_server(Door(store, agent="coder")))
    told = {"task": "T-1", "title": "Round totals", "path": str(folder), "files": ["basket.py"]}
    text = asking.tool("task_context", **told, project=project)
    assert "def total(prices):" in text
    context = store.tasks(project).context("T-1")
    assert (context.agent, context.text) == ("coder", text)


def test_no_other_folder_is_read_for_it(
    store: ContextStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKSTORY_ALLOWED_ROOTS", str(folder))
    asking = Asking(create_server(Door(store)))
    told = {"task": "T-1", "title": "Round totals", "project": f"shop-{uuid4().hex[:8]}"}
    assert "access-denied" in asking.refused("task_context", **told, path=str(folder.parent))
    monkeypatch.delenv("BACKSTORY_ALLOWED_ROOTS")
    assert "access-denied" in asking.refused("task_context", **told, path=str(folder))
