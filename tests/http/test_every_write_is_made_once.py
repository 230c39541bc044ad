"""Every write, made twice under one idempotency key: the second changes nothing, and is answered as the first."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID, uuid4

import psycopg
import pytest
from starlette.testclient import TestClient

from backstory.application.access.answers import Answers, Begun, KeptAnswer
from backstory.application.store import ContextStore
from backstory.domain.access import Action
from backstory.domain.errors import SessionBusy
from tests.http.asking import Route, ask, routes_of
from tests.http.conftest import Serve
from tests.http.matrix import MATRIX
from tests.http.world import Substitutes, make_world


class Desk(NamedTuple):
    """A service, and a key that may do everything."""

    store: ContextStore
    client: TestClient
    routes: dict[str, Route]
    secret: str

    def ask(self, name: str, world: Substitutes, key: str | None = None) -> tuple[int, str]:
        row = MATRIX[name]
        if key is not None:
            row = replace(row, headers={**row.headers, "Idempotency-Key": key})
        return ask(self.client, self.routes[name], row, world, self.secret)


@pytest.fixture(scope="module")
def desk(module_database: str, serve: Serve) -> Iterator[Desk]:
    with ContextStore.open(module_database) as store:
        client = serve(store)
        yield Desk(store, client, routes_of(client), store.keys.create("admin", Action.ADMIN).secret)


def versions(store: ContextStore, world: Substitutes) -> tuple[object, ...]:
    """All that a write can have moved."""
    sessions = {one.id: one.version for one in store.sessions(project=world["project"], limit=100)}
    return store.project(world["project"]).version, sessions, len(store.keys.list())


WITHOUT = {"create_key", "rotate_key"}
"""Writes that take no key: their answer is a secret, which is kept nowhere."""
WRITES = sorted(name for name, row in MATRIX.items() if row.action is not None and row.body is not None)


@pytest.mark.parametrize("name", WRITES)
def test_a_write_under_a_key_is_made_once(desk: Desk, name: str) -> None:
    row = MATRIX[name]
    world = make_world(desk.store)
    if row.prepare is not None:
        more = row.prepare(desk.store.session(UUID(world["session"])))
        world |= more if isinstance(more, dict) else {}
    for before in row.before:
        desk.ask(before, world)
    key = uuid4().hex
    if name in WITHOUT:
        status, text = desk.ask(name, world, key)
        assert (status, "Idempotency-Key" in text) == (422, True)
        return
    status, text = desk.ask(name, world, key)
    assert status < 300, text
    moved = versions(desk.store, world)
    assert desk.ask(name, world, key) == (status, text)
    assert versions(desk.store, world) == moved


def kept(desk: Desk) -> int:
    with psycopg.connect(desk.store._runtime.database.url) as connection:
        row = connection.execute("select count(*) from backstory.answers where body is not null and not bare")
        (number,) = row.fetchone() or (0,)
        return int(number)


def test_another_request_under_the_key_is_refused(desk: Desk) -> None:
    session = make_world(desk.store)["session"]
    headers = {"Idempotency-Key": "k", "Authorization": f"Bearer {desk.secret}"}
    path = f"/api/v1/sessions/{session}/context"
    first = desk.client.post(path, json={"budget": 8000}, headers=headers)
    again = desk.client.post(path, json={"budget": 8000}, headers=headers)
    assert (again.json(), again.headers["idempotency-replayed"]) == (first.json(), "true")
    other = desk.client.post(path, json={"budget": 4000}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency-conflict")
    # The key belongs to who gave it and to what it was given for.
    elsewhere = path.replace(session, make_world(desk.store)["session"])
    assert desk.client.post(elsewhere, json={"budget": 4000}, headers=headers).status_code == 200
    stranger = desk.store.keys.create(uuid4().hex, "append").secret
    theirs = desk.client.post(
        path, json={"budget": 4000}, headers={**headers, "Authorization": f"Bearer {stranger}"}
    )
    assert "idempotency-replayed" not in theirs.headers


def test_a_request_that_failed_may_be_made_again(desk: Desk) -> None:
    session = make_world(desk.store)["session"]
    headers = {"Idempotency-Key": "k", "Authorization": f"Bearer {desk.secret}"}
    path = f"/api/v1/sessions/{session}/window/prune"
    assert desk.client.post(path, json={"target": 7}, headers=headers).status_code == 422
    assert desk.client.post(path, json={"target": 0.5}, headers=headers).status_code == 200


def test_no_answer_outlives_an_erasure(desk: Desk) -> None:
    world = make_world(desk.store)
    desk.ask("context", world, "k")
    assert kept(desk) > 0
    desk.ask("erase", world)
    assert kept(desk) == 0


def test_one_that_is_under_way_is_not_begun_again(desk: Desk) -> None:
    answers = Answers(desk.store._runtime)
    begun = answers.begin("ana", "/x", "k", b"1", bare=False)
    assert isinstance(begun, Begun)
    with pytest.raises(SessionBusy):
        answers.begin("ana", "/x", "k", b"1", bare=False)
    answers.keep(begun, 200, b"{}")
    assert answers.begin("ana", "/x", "k", b"1", bare=False) == KeptAnswer(200, b"{}")
