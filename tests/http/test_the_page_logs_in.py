"""Logins of the page: a cookie in place of the key, which no other page can use."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore
from backstory.interfaces.http.app import create_app
from backstory.interfaces.http.serving import cookies
from backstory.interfaces.http.serving.cookies import COOKIE

SESSIONS = "/api/v1/sessions"


@pytest.fixture
def page(own_store: ContextStore) -> Iterator[TestClient]:
    with TestClient(create_app(own_store), base_url="https://backstory.example") as client:
        yield client


def log_in(page: TestClient, store: ContextStore, action: str = "append") -> str:
    secret = store.keys.create("ana", action).secret
    answer = page.post("/login", json={"key": secret})
    assert answer.status_code == 200, answer.text
    said = answer.headers["set-cookie"]
    assert all(word in said for word in ("HttpOnly", "SameSite=strict", "Secure", "Max-Age=43200"))
    assert secret not in said
    token: str = answer.json()["csrf"]
    return token


def test_a_cookie_reads_and_writes_with_its_token(page: TestClient, own_store: ContextStore) -> None:
    token = log_in(page, own_store)
    assert page.get(SESSIONS).status_code == 200
    assert page.post(SESSIONS, json={}).status_code == 403
    assert page.post(SESSIONS, json={}, headers={"X-CSRF-Token": "0" * 64}).status_code == 403
    made = page.post(SESSIONS, json={}, headers={"X-CSRF-Token": token})
    assert made.status_code == 201
    (event,) = own_store.session(made.json()["session"]).events()
    assert event.caller == "ana"


def test_who_is_logged_in_is_shown(page: TestClient, own_store: ContextStore) -> None:
    own_store.keys.create("first", "admin")
    assert page.get("/login").json() == {
        "required": True,
        **dict.fromkeys(("name", "action", "projects", "agent", "csrf")),
    }
    token = log_in(page, own_store, "read")
    shown = page.get("/login").json()
    assert (shown["name"], shown["action"], shown["csrf"]) == ("ana", "read", token)


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
def test_no_other_page_can_use_it(page: TestClient, own_store: ContextStore, origin: str) -> None:
    token = log_in(page, own_store)
    for headers in ({"Origin": origin}, {"Origin": origin, "X-CSRF-Token": token}):
        assert page.get(SESSIONS, headers=headers).status_code == 403
        assert page.post(SESSIONS, json={}, headers=headers).status_code == 403
    assert page.post("/login", json={"key": "x"}, headers={"Origin": origin}).status_code == 403


def test_it_ends_with_the_key_and_at_the_logout(page: TestClient, own_store: ContextStore) -> None:
    token = log_in(page, own_store)
    other = own_store.keys.create("other", "admin")
    assert page.post("/logout", headers={"X-CSRF-Token": token}).status_code == 204
    assert page.get(SESSIONS).status_code == 401
    page.post("/login", json={"key": other.secret})
    assert page.get(SESSIONS).status_code == 200
    own_store.keys.create("third", "admin")
    own_store.keys.revoke("other")
    assert page.get(SESSIONS).status_code == 401


def test_one_that_is_forged_or_over_is_none(
    page: TestClient, own_store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_in(page, own_store)
    cookie = page.cookies[COOKIE]
    prefix, until, signature = cookie.split(".")
    admin = own_store.keys.create("admin", "admin").key.prefix
    for forged in (
        f"{admin}.{until}.{signature}",
        f"{prefix}.{int(until) + 9}.{signature}",
        "",
        "a.b.c",
        "ä",
    ):
        raw = forged.encode().decode("latin-1")
        answer = page.get(SESSIONS, headers={"Cookie": f"{COOKIE}={raw}".encode("latin-1")})
        assert answer.status_code == 401
    page.cookies.clear()
    monkeypatch.setattr(cookies, "LIFETIME", -1)
    own_store.keys.revoke("ana")
    page.post("/login", json={"key": own_store.keys.create("late", "read").secret})
    assert page.get(SESSIONS).status_code == 401


def test_a_wrong_key_logs_nobody_in(page: TestClient, own_store: ContextStore) -> None:
    own_store.keys.create("first", "admin")
    answer = page.post("/login", json={"key": "bsk_" + "0" * 12 + "_" + "x" * 43})
    assert (answer.status_code, "set-cookie" in answer.headers) == (401, False)
