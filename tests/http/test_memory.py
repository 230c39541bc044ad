"""Memory over HTTP."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore
from backstory.interfaces.documents.memory import (
    MemoryDocument,
    MemoryHistoryDocument,
    MemoryPageDocument,
    MemoryWrittenDocument,
    ProjectsDocument,
    RecallPageDocument,
)
from tests.http.conftest import Serve
from tests.http.test_keys import bearer

MONDAY = datetime(2026, 11, 2, 9, tzinfo=UTC)


@pytest.fixture
def name() -> str:
    return f"harbour-{uuid4()}"


def test_what_a_session_remembers_is_recalled_with_its_source(
    client: TestClient, store: ContextStore, name: str
) -> None:
    session = store.start(project=name)
    said = session.message("Staging listens on port 6543.")
    body = {"text": "Staging is on port 6543.", "kind": "knowledge", "items": [said], "entities": ["staging"]}
    answer = client.post(f"/api/v1/sessions/{session.id}/memories", json=body)
    assert answer.status_code == 201
    written = MemoryWrittenDocument.model_validate(answer.json())
    assert written.project == name
    for path in (f"projects/{name}/recall", f"sessions/{session.id}/recall"):
        page = client.get(f"/api/v1/{path}", params={"query": "port of staging"})
        (found,) = RecallPageDocument.model_validate(page.json()).found
        assert (found.memory.id, found.memory.kind) == (written.memory, "knowledge")
        assert [(one.session, one.items) for one in found.memory.sources] == [(session.id, [said])]
    assert name in [one["name"] for one in client.get("/api/v1/projects?limit=1000").json()["projects"]]


def test_as_of_a_day_it_answers_what_was_known_then(client: TestClient, name: str) -> None:
    path = f"/api/v1/projects/{name}/memories"
    fly = client.post(path, json={"text": "We deploy to Fly.", "occurred_at": MONDAY.isoformat()}).json()[
        "memory"
    ]
    moved = {"text": "We deploy to Hetzner.", "occurred_at": (MONDAY + timedelta(days=2)).isoformat()}
    hetzner = client.post(f"{path}/{fly}/supersede", json=moved).json()["memory"]

    def known(**when: str) -> list[int]:
        page = client.get(f"/api/v1/projects/{name}/recall", params={"query": "deploy", **when}).json()
        return [one.memory.id for one in RecallPageDocument.model_validate(page).found]

    assert (known(), known(as_of=(MONDAY + timedelta(days=1)).isoformat())) == ([hetzner], [fly])
    history = MemoryHistoryDocument.model_validate(client.get(f"{path}/{fly}/history").json())
    assert [one.id for one in history.memories] == [fly, hetzner]
    listed = MemoryPageDocument.model_validate(client.get(path, params={"past": True, "limit": 1}).json())
    assert ([one.id for one in listed.memories], listed.next) == ([hetzner], hetzner)


def test_it_is_forgotten_and_erased(client: TestClient, name: str) -> None:
    path = f"/api/v1/projects/{name}/memories"
    memory = client.post(path, json={"text": "We deploy to Fly."}).json()["memory"]
    forgotten = client.post(f"{path}/{memory}/forget", json={"why": "we moved"}).json()
    assert (forgotten["memory"], forgotten["version"]) == (memory, memory + 1)
    shown = MemoryDocument.model_validate(client.get(f"{path}/{memory}").json())
    assert (shown.text, shown.left_at is not None) == ("We deploy to Fly.", True)
    assert (
        client.post(f"{path}/{memory}/erase", json={"why": "asked to", "dry_run": True}).json()["events"]
        == {}
    )
    assert client.get(f"{path}/{memory}").json()["text"] is not None
    assert client.post(f"{path}/{memory}/erase", json={"why": "asked to"}).json()["erased"]
    assert client.get(f"{path}/{memory}").json()["text"] is None


def test_under_its_key_it_is_remembered_once(client: TestClient, name: str) -> None:
    path = f"/api/v1/projects/{name}/memories"
    sent = [
        client.post(path, json={"text": "Once."}, headers={"Idempotency-Key": "k", "Backstory-Actor": "ana"})
        for _ in range(2)
    ]
    assert sent[0].json() == sent[1].json()
    (memory,) = client.get(path).json()["memories"]
    assert memory["by"] == "ana"


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("memories", {"text": ""}, "text"),
        ("memories", {"text": "x", "kind": "rumour"}, "kind"),
        ("memories", {"text": "x", "importance": 2}, "importance"),
        ("memories", {"text": "x", "colour": "red"}, "colour"),
        ("memories", {"text": "x", "sources": [{"session": "no id"}]}, "sources.0.session"),
    ],
)
def test_bad_input_names_the_field(
    client: TestClient, name: str, path: str, body: object, field: str
) -> None:
    answer = client.post(f"/api/v1/projects/{name}/{path}", json=body)
    assert answer.status_code == 422
    assert answer.json()["field"] == field
    assert client.get(f"/api/v1/projects/{name}/memories").json()["memories"] == []


def test_private_memories_follow_the_agent_of_the_key(own_store: ContextStore, serve: Serve) -> None:
    secrets = {
        agent: bearer(own_store.keys.create(agent, "operate", projects=["p"], agent=agent).secret)
        for agent in ("ana", "bob")
    }
    client, path = serve(own_store), "/api/v1/projects/p/memories"
    body = {"text": "The lantern is mine.", "agent": "ana"}
    memory = client.post(path, headers=secrets["ana"], json=body).json()["memory"]
    assert client.post(path, headers=secrets["bob"], json=body).status_code == 403

    def found(agent: str, **more: str) -> list[int]:
        page = client.get(
            "/api/v1/projects/p/recall", headers=secrets[agent], params={"query": "lantern", **more}
        )
        return [one["memory"]["id"] for one in page.json()["found"]]

    assert (found("ana"), found("bob")) == ([memory], [])
    for answer, status in (
        (client.get(f"{path}/{memory}", headers=secrets["ana"]), 200),
        (client.get(f"{path}/{memory}", headers=secrets["bob"]), 404),
        (client.get(f"{path}/{memory}?agent=ana", headers=secrets["bob"]), 403),
        (client.post(f"{path}/{memory}/forget", headers=secrets["bob"], json={}), 404),
        (client.post(f"{path}/{memory}/erase", headers=secrets["bob"], json={"why": "x"}), 403),
    ):
        assert answer.status_code == status
    assert [
        one["memories"] for one in client.get("/api/v1/projects", headers=secrets["bob"]).json()["projects"]
    ] == [0]


def test_a_project_out_of_reach_is_refused(own_store: ContextStore, serve: Serve) -> None:
    own_store.project("other").remember("The lantern is theirs.")
    own_store.project("mine").remember("The lantern is mine.")
    key = bearer(own_store.keys.create("ci", "append", projects=["mine"]).secret)
    client = serve(own_store)
    assert client.get("/api/v1/projects/other/memories", headers=key).status_code == 403
    assert client.post("/api/v1/projects/other/memories", headers=key, json={"text": "x"}).status_code == 403
    listed = ProjectsDocument.model_validate(client.get("/api/v1/projects", headers=key).json())
    assert [one.name for one in listed.projects] == ["mine"]
    hits = client.get("/api/v1/search", headers=key, params={"query": "lantern"}).json()["hits"]
    assert [(hit["project"], hit["type"]) for hit in hits] == [("mine", "memory")]


def test_a_session_is_made_into_memory_and_candidates_are_settled(
    client: TestClient, store: ContextStore, name: str
) -> None:
    session = store.start(project=name)
    session.message("Let's use Postgres for the berth plan because it has exclusion constraints.")
    path = f"/api/v1/sessions/{session.id}/memory"
    assert client.get(f"{path}/should-archive").json()["messages"] == 1
    made = client.post(f"{path}/archive", json={"title": "The berth plan"}).json()
    assert (made["session"], len(made["fragments"])) == (str(session.id), 1)
    (waiting,) = made["candidates"]
    memories = f"/api/v1/projects/{name}/memories"
    listed = MemoryPageDocument.model_validate(client.get(f"{memories}?candidates=true").json())
    assert [one.id for one in listed.memories] == [waiting]
    assert client.post(f"{memories}/{waiting}/confirm", json={}).status_code == 200
    assert client.post(f"{memories}/{waiting}/dismiss", json={}).status_code == 409
    assert client.post(f"/api/v1/projects/{name}/archive").json() == {"project": name, "sessions": []}


def test_the_memory_policy_of_a_project_is_chosen(client: TestClient, name: str) -> None:
    path = f"/api/v1/projects/{name}"
    assert client.get(f"{path}/policy").json()["settings"]["archive_every"] == 100
    chosen = {"policy": {"name": "often", "settings": {"archive_every": 50}}}
    assert client.post(f"{path}/choose", json=chosen).json()["name"] == "often"
    assert client.get(f"{path}/policy").json()["settings"]["archive_every"] == 50
    bad = client.post(f"{path}/choose", json={"policy": {"settings": {"archive_every": 0}}})
    assert (bad.status_code, "archive_every" in bad.text) == (422, True)


def test_memories_in_quarantine_are_found_on_request(
    client: TestClient, store: ContextStore, name: str
) -> None:
    project = store.project(name)
    memory = project.remember("The lock opens at noon.")
    project.safety.quarantine(memory, why="wrong")
    for path in (f"/api/v1/projects/{name}/recall?query=lock", f"/api/v1/projects/{name}/memories?limit=5"):
        found = [client.get(path + more).json() for more in ("", "&quarantined=true")]
        assert [len(one.get("found", one.get("memories"))) for one in found] == [0, 1]
