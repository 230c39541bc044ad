"""A key that asks too often is told when to come back."""

from starlette.testclient import TestClient

from backstory.application.store import ContextStore
from backstory.interfaces.http.app import create_app
from backstory.interfaces.http.serving.options import ServiceOptions


def statuses(client: TestClient, secret: str, times: int) -> list[int]:
    headers = {"Authorization": f"Bearer {secret}"}
    return [client.get("/api/v1/sessions", headers=headers).status_code for _ in range(times)]


def test_each_key_has_a_limit_of_its_own(own_store: ContextStore) -> None:
    busy, quiet = (own_store.keys.create(name, "read").secret for name in ("busy", "quiet"))
    # So slow that nothing comes back while the test runs.
    with TestClient(create_app(own_store, ServiceOptions(rate=0.001))) as client:
        assert statuses(client, busy, 3) == [200, 429, 429]
        assert statuses(client, quiet, 1) == [200]
        answer = client.get("/api/v1/sessions", headers={"Authorization": f"Bearer {busy}"})
        assert answer.json()["code"] == "too-many-requests"
        assert int(answer.headers["retry-after"]) > 1


def test_keys_cannot_be_tried_out(own_store: ContextStore) -> None:
    own_store.keys.create("first", "admin")
    with TestClient(create_app(own_store, ServiceOptions(rate=1000))) as client:
        tried = [statuses(client, f"bsk_{'0' * 12}_{number:043}", 1)[0] for number in range(50)]
    assert tried[0] == 401
    assert tried[-1] == 429
    assert tried == sorted(tried)


def test_without_a_limit_there_is_none(own_store: ContextStore) -> None:
    secret = own_store.keys.create("busy", "read").secret
    with TestClient(create_app(own_store, ServiceOptions(rate=0))) as client:
        assert set(statuses(client, secret, 30)) == {200}
