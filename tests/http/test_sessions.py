"""Sessions over HTTP."""

from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore
from backstory.interfaces.documents.sessions import SessionsDocument, ShownSessionDocument


def test_one_that_is_started_can_be_shown_and_is_listed(client: TestClient, store: ContextStore) -> None:
    tag = uuid4().hex
    started = client.post("/api/v1/sessions", json={"title": "Add login", "tags": [tag], "limit": 8000})
    assert started.status_code == 201
    id = started.json()["session"]
    assert store.session(id).state.counters == {}

    shown = ShownSessionDocument.model_validate(client.get(f"/api/v1/sessions/{id}").json())
    assert (shown.title, shown.tags, shown.token_limit) == ("Add login", [tag], 8000)

    listed = SessionsDocument.model_validate(client.get("/api/v1/sessions", params={"tag": tag}).json())
    assert [str(session.session) for session in listed.sessions] == [id]


def test_starting_twice_under_one_id_starts_once(client: TestClient) -> None:
    id = str(uuid4())
    answers = [client.post("/api/v1/sessions", json={"id": id, "title": "once"}).json() for _ in range(2)]
    assert answers == [{"session": id, "version": 1}] * 2


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/v1/sessions/00000000-0000-7000-8000-000000000000", 404, "unknown-session"),
        ("/api/v1/sessions/no-id", 422, "invalid-input"),
        ("/api/v1/sessions?limit=0", 422, "invalid-input"),
    ],
)
def test_what_cannot_be_answered_is_a_problem(client: TestClient, path: str, status: int, code: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json()["type"] == f"urn:backstory:problem:{code}"


def test_a_body_that_breaks_a_rule_names_the_field(client: TestClient) -> None:
    problem = client.post("/api/v1/sessions", json={"title": 7}).json()
    assert (problem["field"], problem["exit_code"]) == ("title", 2)
    assert client.post("/api/v1/sessions", json={"titel": "x"}).json()["field"] == "titel"
