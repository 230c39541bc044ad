"""Names in paths may hold anything, slashes too."""

from urllib.parse import quote
from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore


@pytest.mark.parametrize("name", ["a/b", "a/safety", "/", "ä ö?#", "..", "memories/3"])
def test_a_project_is_found_by_its_name(client: TestClient, store: ContextStore, name: str) -> None:
    project = f"{uuid4().hex}{name}"
    path = f"/api/v1/projects/{quote(project, safe='')}"
    written = client.post(f"{path}/memories", json={"text": "The keeper lives upstairs."})
    assert (written.status_code, written.json()["project"]) == (201, project)
    assert client.get(f"{path}/version").json()["version"] == store.project(project).version
    chosen = client.post(f"{path}/choose", json={"policy": {"settings": {"archive_every": 50}}})
    assert chosen.status_code == 200
    assert client.get(f"{path}/policy").json()["settings"]["archive_every"] == 50
    assert client.get(f"{path}/safety/policy").status_code == 200


def test_an_agent_is_found_by_its_name(client: TestClient) -> None:
    agent = f"{uuid4().hex}/planner"
    path = f"/api/agents/{quote(agent, safe='')}/context"
    client.post(f"{path}/save", json={"item_type": "TASK", "content": "Add login"})
    assert client.get(f"{path}/stats").json()["total_items"] == 1


def test_a_slash_that_is_not_encoded_separates(client: TestClient) -> None:
    assert client.get("/api/v1/projects/a/b/version").status_code == 404


def test_another_method_is_told_which_there_are(client: TestClient) -> None:
    answer = client.delete("/api/v1/sessions")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST")
