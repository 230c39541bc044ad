"""Writes that expect a version or an epoch, writes repeated under a key, reads of what is known already."""

from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from backstory.application.conditions import Conditions
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.access import OWNER
from backstory.domain.errors import IdempotencyConflict, VersionConflict


@pytest.fixture
def session(store: ContextStore) -> Session:
    started = store.start(title="conditions")
    started.message("one")
    return started


def path(session: Session) -> str:
    return f"/api/v1/sessions/{session.id}"


def test_a_read_is_told_by_its_version_and_epoch(client: TestClient, session: Session) -> None:
    first = client.get(path(session))
    assert first.headers["etag"].startswith('"2-0-')
    assert (first.headers["backstory-version"], first.headers["backstory-epoch"]) == ("2", "0")
    known = {"If-None-Match": f'"other", W/{first.headers["etag"]}'}
    again = client.get(path(session), headers=known)
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    session.message("two")
    changed = client.get(path(session), headers=known)
    assert (changed.status_code, changed.headers["backstory-version"]) == (200, "3")


def test_lists_have_tags_too(client: TestClient, session: Session) -> None:
    listed = client.get("/api/v1/sessions", params={"limit": 1})
    known = {"If-None-Match": listed.headers["etag"]}
    assert client.get("/api/v1/sessions", params={"limit": 1}, headers=known).status_code == 304
    session.message("two")
    assert client.get("/api/v1/sessions", params={"limit": 1}, headers=known).status_code == 200


def conditional(store: ContextStore, session: Session, expected: int) -> Session:
    conditions = Conditions()
    conditions.stream, conditions.expected = session.id, expected
    return store.on_behalf_of(OWNER, conditions).session(session.id)


@pytest.mark.parametrize(
    "write",
    [
        lambda session: session.message("more"),
        lambda session: session.work.set_goal("go"),
        lambda session: session.decide("yes"),
        lambda session: session.backtrack(1, "back"),
        lambda session: session.erase(2, "gone"),
        lambda session: session.window.flash_save(),
        lambda session: session.checkpoints.create("here"),
        lambda session: session.atomically(lambda tx: (tx.message("a"), tx.message("b"))),
    ],
)
def test_what_a_request_expects_holds_for_its_first_write(
    store: ContextStore, session: Session, write: object
) -> None:
    assert callable(write)
    stale = conditional(store, session, 2)
    session.message("meanwhile")
    with pytest.raises(VersionConflict):
        write(stale)
    assert session.version == 3
    write(conditional(store, session, 3))
    assert session.version > 3


def test_a_session_started_under_a_key_is_started_once(client: TestClient, store: ContextStore) -> None:
    key = {"Idempotency-Key": uuid4().hex}
    first = client.post("/api/v1/sessions", headers=key, json={"title": "once", "tags": ["a"]})
    again = client.post("/api/v1/sessions", headers=key, json={"title": "once", "tags": ["a"]})
    assert first.json() == again.json()
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    other = client.post("/api/v1/sessions", headers=key, json={"title": "once", "tags": ["b"]})
    assert (other.status_code, other.json()["code"]) == (409, "idempotency-conflict")


def test_a_fork_under_a_key_is_made_once(store: ContextStore, session: Session) -> None:
    first = session.once("branch").fork(title="try")
    session.message("more")
    assert session.once("branch").fork(title="try").id == first.id
    with pytest.raises(IdempotencyConflict):
        session.once("branch").fork(title="another")
    with pytest.raises(IdempotencyConflict):
        session.once("branch").fork(1, title="try")


def test_a_write_that_expects_another_version_is_told_what_moved(
    client: TestClient, session: Session
) -> None:
    seen = client.get(path(session)).headers["etag"]
    write = {"headers": {"If-Match": seen}, "json": {"content": "two"}}
    first = client.post(f"{path(session)}/message", **write)
    assert (first.status_code, first.headers["etag"], first.headers["backstory-version"]) == (
        201,
        '"3-0"',
        "3",
    )
    late = client.post(f"{path(session)}/message", **write)
    problem = late.json()
    assert (late.status_code, problem["code"], problem["version"]) == (412, "version-conflict", 3)
    again = client.post(f"{path(session)}/message", headers={"If-Match": '"3"'}, json={"content": "three"})
    assert again.status_code == 201


def test_what_is_repeated_under_its_key_is_answered_whatever_moved(
    client: TestClient, session: Session
) -> None:
    headers = {"If-Match": '"2"', "Backstory-Epoch": "0", "Idempotency-Key": "k"}
    first = client.post(f"{path(session)}/message", headers=headers, json={"content": "two"})
    session.backtrack(1, "another way")
    again = client.post(f"{path(session)}/message", headers=headers, json={"content": "two"})
    assert (again.status_code, again.json()) == (201, first.json())
    assert (first.headers.get("idempotency-replayed"), again.headers["idempotency-replayed"]) == (
        None,
        "true",
    )
    other = client.post(f"{path(session)}/message", headers=headers, json={"content": "three"})
    assert (other.status_code, other.json()["code"]) == (409, "idempotency-conflict")


def test_a_writer_from_before_a_backtrack_is_told_of_it(client: TestClient, session: Session) -> None:
    backtrack = session.backtrack(1, "another way")
    late = client.post(f"{path(session)}/message", headers={"Backstory-Epoch": "0"}, json={"content": "two"})
    problem = late.json()
    assert (late.status_code, problem["code"]) == (409, "branch-moved")
    assert (problem["epoch"], problem["backtrack"]) == (1, backtrack)
    now = client.post(f"{path(session)}/message", headers={"Backstory-Epoch": "1"}, json={"content": "two"})
    assert (now.status_code, now.headers["backstory-epoch"]) == (201, "1")


@pytest.mark.parametrize("tag", ["7", '"x"', "*", '""', '"-1"', '"99999999999"', 'W/"7"', '"7", "8"'])
def test_a_condition_that_cannot_be_read_is_refused(client: TestClient, session: Session, tag: str) -> None:
    answer = client.post(f"{path(session)}/message", headers={"If-Match": tag}, json={"content": "two"})
    assert (answer.status_code, answer.json()["field"]) == (422, "If-Match")
    assert session.version == 2
