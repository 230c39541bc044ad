"""Every write, made twice under one idempotency key: the second changes nothing, and is answered as the first."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID, uuid4

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore
from backstory.domain.access import Action
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
    status, text = desk.ask(name, world, key)
    assert status < 300, text
    moved = versions(desk.store, world)
    assert desk.ask(name, world, key) == (status, text)
    assert versions(desk.store, world) == moved
