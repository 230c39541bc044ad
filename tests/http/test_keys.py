"""Requests with keys and without."""

from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore
from tests.http.conftest import Serve


@pytest.fixture
def keyed(own_store: ContextStore, serve: Serve) -> TestClient:
    """A service that has a key, which is not given."""
    own_store.keys.create("first", "admin")
    return serve(own_store)


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def test_once_there_is_a_key_every_request_needs_one(keyed: TestClient) -> None:
    refused = keyed.get("/api/v1/sessions")
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert refused.json()["code"] == "key-required"
    assert keyed.get("/api/v1/sessions", headers=bearer("bsk_" + "0" * 12)).status_code == 401


def test_the_name_of_the_key_is_recorded(keyed: TestClient, own_store: ContextStore) -> None:
    secret = own_store.keys.create("ci", "append", projects=["orders"]).secret
    started = keyed.post(
        "/api/v1/sessions", headers=bearer(secret), json={"project": "orders", "actor": "ana"}
    )
    (event,) = own_store.session(started.json()["session"]).events()
    assert (event.actor, event.caller) == ("ana", "ci")


def test_what_is_out_of_reach_does_not_exist(keyed: TestClient, own_store: ContextStore) -> None:
    secret = own_store.keys.create("ci", "append", projects=["orders"]).secret
    other = own_store.start(project="other")
    answer = keyed.get(f"/api/v1/sessions/{other.id}", headers=bearer(secret))
    never = keyed.get(f"/api/v1/sessions/{uuid4()}", headers=bearer(secret))
    assert (answer.status_code, never.status_code) == (404, 404)
    assert answer.json()["detail"] == never.json()["detail"].replace(
        never.json()["detail"][8:44], str(other.id)
    )
    denied = keyed.post("/api/v1/sessions", headers=bearer(secret), json={"project": "other"})
    assert (denied.status_code, denied.json()["code"]) == (403, "access-denied")


def test_an_agents_key_is_that_agent(keyed: TestClient, own_store: ContextStore) -> None:
    secret = own_store.keys.create("ci", "append", agent="planner").secret
    session = own_store.start()
    path = f"/api/v1/sessions/{session.id}"
    assert keyed.get(path, headers=bearer(secret) | {"Backstory-Actor": "planner"}).status_code == 200
    assert keyed.get(path, headers=bearer(secret) | {"Backstory-Actor": "coder"}).status_code == 403
