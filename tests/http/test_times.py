"""Times are texts as ISO 8601 writes them, in bodies, queries and headers alike."""

import pytest
from starlette.testclient import TestClient

from backstory.application.session import Session
from backstory.application.store import ContextStore


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start()


@pytest.mark.parametrize("time", ["0.5", "1700000000", "2027", "-5", "1e-3", "yesterday", ""])
def test_what_is_none_is_refused(client: TestClient, session: Session, time: str) -> None:
    path = f"/api/v1/sessions/{session.id}"
    for field, answer in {
        "since": client.get("/api/v1/sessions", params={"since": time}),
        "backstory-occurred-at": client.post(
            f"{path}/message", json={"content": "x"}, headers={"Backstory-Occurred-At": time}
        ),
        "due": client.post(f"{path}/work/add-action", json={"text": "x", "due": time}),
    }.items():
        problem = answer.json()
        assert (answer.status_code, problem["field"]) == (422, field)
        assert problem["rule"] == "must be a time in ISO 8601, such as 2026-11-09T12:00:00Z"
    assert client.post(f"{path}/work/add-action", json={"text": "x", "due": 17}).status_code == 422
    assert session.version == 1


@pytest.mark.parametrize("time", ["2026-01-02T03:04:05Z", "2026-01-02 03:04:05.5+02:00"])
def test_what_is_one_is_read(client: TestClient, session: Session, time: str) -> None:
    path = f"/api/v1/sessions/{session.id}"
    headers = {"Backstory-Occurred-At": time}
    assert client.post(f"{path}/message", json={"content": "x"}, headers=headers).status_code == 201
    assert client.post(f"{path}/work/add-action", json={"text": "x", "due": time}).status_code == 201
    assert client.get("/api/v1/sessions", params={"since": time}).status_code == 200


@pytest.mark.parametrize("day", ["2027", "17", "monday", ""])
def test_what_is_no_day_is_refused(client: TestClient, day: str) -> None:
    for field in ("since", "before"):
        problem = client.get("/api/v1/activity", params={field: day}).json()
        assert (problem["status"], problem["field"]) == (422, field)
        assert problem["rule"] == "must be a day in ISO 8601, such as 2026-11-09"
