"""Without a key, no page of another site reaches the service, whatever name it makes point to this machine."""

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore
from backstory.interfaces.http.app import create_app
from backstory.interfaces.http.serving.options import ServiceOptions

SESSIONS = "/api/v1/sessions"


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "[", ""]
)
def test_a_name_that_is_not_its_own_is_refused(client: TestClient, host: str) -> None:
    for answer in (
        client.get(SESSIONS, headers={"Host": host}),
        client.post(SESSIONS, headers={"Host": host}, json={}),
        client.get("/metrics", headers={"Host": host}),
        client.get("/login", headers={"Host": host}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "access-denied")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8765", "127.0.0.1", "127.0.0.1:80", "[::1]:8765"])
def test_its_own_names_are_served(client: TestClient, host: str) -> None:
    assert client.get(SESSIONS, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1234"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"},
    ],
)
def test_a_page_of_another_origin_is_refused(
    client: TestClient, store: ContextStore, headers: dict[str, str]
) -> None:
    before = len(store.sessions(limit=1000))
    for answer in (client.get(SESSIONS, headers=headers), client.post(SESSIONS, headers=headers, json={})):
        assert answer.status_code == 403
        assert not any(name.startswith("access-control") for name in answer.headers)
    assert len(store.sessions(limit=1000)) == before


def test_its_own_page_is_served(client: TestClient) -> None:
    own = {"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"}
    assert client.get(SESSIONS, headers=own).status_code == 200
    assert client.get(SESSIONS, headers={"Sec-Fetch-Site": "none"}).status_code == 200


def test_no_other_origin_may_call_it_by_default(client: TestClient) -> None:
    asked = {"Origin": "http://app.example", "Access-Control-Request-Method": "GET"}
    answer = client.options(SESSIONS, headers=asked)
    assert answer.status_code == 405
    assert "access-control-allow-origin" not in answer.headers


def test_names_and_origins_can_be_allowed(store: ContextStore) -> None:
    options = ServiceOptions(hosts=frozenset({"backstory.internal"}), origins=("http://app.example",))
    with TestClient(create_app(store, options), base_url="http://backstory.internal") as named:
        assert named.get(SESSIONS).status_code == 200
        allowed = named.get(SESSIONS, headers={"Origin": "http://app.example"})
        assert allowed.headers["access-control-allow-origin"] == "http://app.example"
        other = named.get(SESSIONS, headers={"Origin": "http://evil.example"})
        assert other.status_code == 403
        assert "access-control-allow-origin" not in other.headers


def test_with_a_key_any_name_will_do(own_store: ContextStore) -> None:
    secret = own_store.keys.create("ci", "read").secret
    with TestClient(create_app(own_store), base_url="http://proxy.example") as keyed:
        assert keyed.get(SESSIONS, headers={"Authorization": f"Bearer {secret}"}).status_code == 200
