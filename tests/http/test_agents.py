"""The endpoints of the CodeFRAME document."""

from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore
from backstory.interfaces.http.routes.agents import home_id


@pytest.fixture
def path() -> str:
    return f"/api/agents/{uuid4().hex}/context"


def test_an_item_is_saved_and_loaded_in_the_document_s_words(client: TestClient, path: str) -> None:
    saved = client.post(
        f"{path}/save", json={"item_type": "TASK", "content": "Add login", "importance_score": 1}
    )
    assert set(saved.json()) == {"item_id", "tier"}
    assert saved.json()["tier"] == "HOT"
    (item,) = client.get(path, params={"tier": "HOT"}).json()["items"]
    assert set(item) == {"id", "type", "content", "score", "tier"}
    assert (item["id"], item["type"], item["content"]) == (saved.json()["item_id"], "TASK", "Add login")
    assert client.get(path).json()["items"][0]["id"] == item["id"]


def test_an_agent_has_a_home_in_each_project(client: TestClient, store: ContextStore, path: str) -> None:
    agent = path.split("/")[3]
    assert client.get(f"{path}/stats").json() == dict.fromkeys(
        ("total_items", "hot_count", "warm_count", "cold_count", "total_tokens"), 0
    )
    project = uuid4().hex
    for query in ({}, {"project": project}):
        client.post(f"{path}/save", params=query, json={"item_type": "CODE", "content": str(query)})
        session = store.session(home_id(query.get("project"), agent))
        assert session.state.project is None if not query else session.state.project.name == project  # type: ignore[union-attr]
        found = client.get(path, params={**query, "tier": "WARM"}).json()["items"]
        assert [item["content"] for item in found] == [str(query)]


def test_a_session_can_be_picked(client: TestClient, store: ContextStore, path: str) -> None:
    session = store.start()
    query = {"session": str(session.id)}
    item = client.post(f"{path}/save", params=query, json={"item_type": "ERROR", "content": "x"}).json()[
        "item_id"
    ]
    assert session.text(item) == "x"
    assert client.get(f"{path}/stats", params=query).json()["total_items"] == 1


def test_a_flash_save_tiers_a_diff_and_checkpoints(client: TestClient, path: str) -> None:
    kept = client.post(
        f"{path}/save", json={"item_type": "TASK", "content": "a", "importance_score": 1}
    ).json()
    client.post(f"{path}/save", json={"item_type": "CODE", "content": "b", "importance_score": 0.1})
    diff = client.post(f"{path}/diff", json={"keep": True}).json()
    assert [item["id"] for item in diff["load"]] == [kept["item_id"]]
    assert client.post(f"{path}/diff", json={}).json()["load"] == []
    done = client.post(f"{path}/flash-save", json={}).json()
    assert set(done) == {"checkpoint_id", "items_archived", "hot_items_retained"}
    assert (done["items_archived"], done["hot_items_retained"]) == (1, 1)
    tiers = client.post(f"{path}/update-tiers", json={}).json()
    assert set(tiers) == {"items_updated", "hot_count", "warm_count", "cold_count"}
    (checkpoint,) = client.get(f"{path}/checkpoints").json()["checkpoints"]
    assert checkpoint["checkpoint_id"] == done["checkpoint_id"]


def test_an_item_is_saved_once_under_its_key(client: TestClient, path: str) -> None:
    key = {"Idempotency-Key": uuid4().hex}
    body = {"item_type": "TASK", "content": "once"}
    first, again = (client.post(f"{path}/save", json=body, headers=key).json() for _ in range(2))
    assert first == again
    assert client.get(f"{path}/stats").json()["total_items"] == 1


def test_what_breaks_a_rule_is_named(client: TestClient, path: str) -> None:
    wrong = {"item_type": "TASK", "content": "x", "importance_score": 2}
    answer = client.post(f"{path}/save", json=wrong)
    assert (answer.status_code, answer.json()["field"]) == (422, "importance_score")
    assert client.get(path, params={"tier": "TEPID"}).json()["field"] == "tier"
