"""Each request has an id and a line in the log; those that were refused or that administer are in the trail."""

import logging
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore
from backstory.interfaces.http.app import create_app


@pytest.fixture
def client(own_store: ContextStore) -> Iterator[TestClient]:
    with TestClient(create_app(own_store), base_url="http://127.0.0.1") as made:
        yield made


def bearer(store: ContextStore, name: str, action: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {store.keys.create(name, action).secret}"}


def test_a_request_has_the_id_that_it_gives_itself(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "backstory.http"):
        answer = client.get("/api/v1/sessions?tag=secret", headers={"X-Request-Id": "run-7:3"})
    assert answer.headers["x-request-id"] == "run-7:3"
    (record,) = (one for one in caplog.records if one.name == "backstory.http")
    assert (record.__dict__["operation"], record.__dict__["status"]) == ("list_sessions", 200)
    assert "secret" not in record.getMessage()


@pytest.mark.parametrize("given", ["", "a b", "x" * 101, "<script>"])
def test_one_that_is_none_is_replaced(client: TestClient, given: str) -> None:
    made = client.get("/livez", headers={"X-Request-Id": given}).headers["x-request-id"]
    assert made != given
    assert len(made) == 36


def test_a_path_does_not_break_the_line(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "backstory.http"):
        client.get("/api/v1/sessions/%0Aerror%1b[2J")
    (record,) = (one for one in caplog.records if one.name == "backstory.http")
    assert record.getMessage().isprintable()


def test_refused_and_administering_calls_are_in_the_trail(
    client: TestClient, own_store: ContextStore
) -> None:
    admin, reader = bearer(own_store, "admin", "admin"), bearer(own_store, "reader", "read")
    client.get("/api/v1/sessions", headers=reader)
    client.post("/api/v1/sessions", headers=reader, json={})
    client.get("/api/v1/sessions", headers={"Authorization": "Bearer bsk_wrong"})
    client.get("/api/v1/sessions")
    client.post("/api/v1/keys", headers=admin, json={"name": "new", "action": "read"})
    trail = client.get("/api/v1/keys/calls", headers=admin).json()["calls"]
    assert [(call["operation"], call["caller"], call["status"]) for call in trail] == [
        ("create_key", "admin", 201),
        ("list_sessions", None, 401),
        ("start_session", "reader", 403),
    ]
    assert own_store.keys.calls()[0].operation == "calls"


def test_nothing_in_the_trail_or_the_log_is_a_key(
    client: TestClient, own_store: ContextStore, caplog: pytest.LogCaptureFixture
) -> None:
    headers = bearer(own_store, "admin", "admin")
    secret = headers["Authorization"].removeprefix("Bearer ")
    with caplog.at_level(logging.DEBUG):
        client.get("/api/v1/keys", headers=headers)
        client.post("/login", json={"key": secret})
        client.post("/login", json={"key": secret + "x"})
        made = client.post("/api/v1/keys", headers=headers, json={"name": "new", "action": "read"}).json()[
            "key"
        ]
    for one in (secret, made):
        assert one not in caplog.text
        assert one not in str([record.__dict__ for record in caplog.records])
        assert one not in str(own_store.keys.calls())


def test_health_asks_for_no_key_and_metrics_do(client: TestClient, own_store: ContextStore) -> None:
    reader = bearer(own_store, "reader", "read")
    assert client.get("/livez").json() == {"status": "alive"}
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["ready"], ready.json()["schema"]) == (200, True, True)
    assert client.get("/metrics").status_code == 401
    client.get("/api/v1/sessions", headers=reader)
    text = client.get("/metrics", headers=reader).text
    assert 'backstory_request_seconds_count{operation="list_sessions",status="200"}' in text
