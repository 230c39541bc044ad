"""Every route with every kind of key: the rows of `matrix.py`, made as requests."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore
from backstory.domain.access import Action
from tests.http.asking import Route, ask, routes_of
from tests.http.conftest import Serve
from tests.http.matrix import MATRIX, Row
from tests.http.world import SECRET, Substitutes, make_world

KEYED = {name: row for name, row in MATRIX.items() if row.action is not None}


class Desk(NamedTuple):
    """A service with keys, and a project to ask about."""

    store: ContextStore
    client: TestClient
    routes: dict[str, Route]
    other: str
    """A project with sessions that no key here but an admin's reaches."""

    def secret(self, action: Action, **limits: object) -> str:
        return self.store.keys.create(uuid4().hex, action, **limits).secret  # type: ignore[arg-type]

    def ask(self, name: str, world: Substitutes, secret: str | None) -> tuple[int, str]:
        return ask(self.client, self.routes[name], MATRIX[name], world, secret)


@pytest.fixture(scope="module")
def desk(module_database: str, serve: Serve) -> Iterator[Desk]:
    with ContextStore.open(module_database) as store:
        client = serve(store)
        store.keys.create("admin", Action.ADMIN)
        other = f"other-{uuid4().hex[:8]}"
        make_world(store, other)
        yield Desk(store, client, routes_of(client), other)


def prepared(desk: Desk, row: Row) -> Substitutes:
    """A new world, after the requests that come first."""
    world = make_world(desk.store)
    if row.prepare is not None:
        more = row.prepare(desk.store.session(world["session"]))
        world |= more if isinstance(more, dict) else {}
    admin = desk.secret(Action.ADMIN)
    for name in row.before:
        status, text = desk.ask(name, world, admin)
        assert status < 300, (name, text)
    return world


@pytest.mark.parametrize("name", KEYED)
def test_without_a_valid_key_nothing_is_answered(desk: Desk, name: str) -> None:
    world: Substitutes = make_world(desk.store)
    revoked = desk.store.keys.create(uuid4().hex, Action.ADMIN)
    desk.store.keys.revoke(revoked.key.name)
    expired = desk.store.keys.create(
        uuid4().hex, Action.ADMIN, expires_at=datetime.now(UTC) - timedelta(seconds=1)
    )
    for secret in (None, "", "bsk_" + "0" * 12, revoked.secret, expired.secret):
        status, text = desk.ask(name, world, secret)
        assert (status, "key-required" in text) == (401, True)


@pytest.mark.parametrize("name", KEYED)
def test_a_key_needs_the_route_s_action(desk: Desk, name: str) -> None:
    needed = KEYED[name].action
    assert needed is not None
    world = prepared(desk, KEYED[name])
    limits = {"projects": [world["project"]]} if desk.routes[name].filtered else {}
    for action in Action:
        if not action.includes(needed):
            status, text = desk.ask(name, world, desk.secret(action, **limits))
            assert (status, "access-denied" in text) == (403, True), action
    status, text = desk.ask(name, world, desk.secret(needed, **limits))
    assert status < 300, text
    assert not desk.routes[name].filtered or desk.other not in text
    again = prepared(desk, KEYED[name])
    status, text = desk.ask(name, again, desk.secret(Action.ADMIN))
    assert status < 300, text


@pytest.mark.parametrize("name", KEYED)
def test_a_key_of_another_project_learns_nothing(desk: Desk, name: str) -> None:
    route, row = desk.routes[name], KEYED[name]
    world = prepared(desk, row)
    names_session = "{session}" in route.path or row.query.get("session") == "$session"
    status, text = desk.ask(name, world, desk.secret(Action.ADMIN, projects=[desk.other]))
    if not route.filtered:
        assert (status, "access-denied" in text) == (403, True)
        return
    if names_session:
        assert (status, "unknown-session" in text) == (404, True)
        never = {**world, "session": str(uuid4())}
        assert (
            text.replace(world["session"], never["session"])
            == desk.ask(name, never, desk.secret(Action.ADMIN, projects=[desk.other]))[1]
        )
    elif "{project}" in route.path or "$project" in str((row.body, row.query, row.path)):
        assert status == 403
    # What the request named may be repeated to it, and nothing else of that project.
    known = {"project"} if "$project" in str((row, route.path)) or "{project}" in route.path else set()
    for value in (SECRET if names_session else world["session"], SECRET):
        assert value not in text
    if not known:
        assert world["project"] not in text


@pytest.mark.parametrize("name", KEYED)
def test_another_agent_s_private_items_are_not_seen(desk: Desk, name: str) -> None:
    route, row = desk.routes[name], KEYED[name]
    needed = row.action
    assert needed is not None
    world = prepared(desk, row)
    status, text = desk.ask(name, world, desk.secret(needed, agent="coder"))
    if route.whole:
        assert (status, "access-denied" in text) == (403, True)
    elif row.refused_to_agents:
        assert (status, "refused" in text) == (409, True)
    else:
        assert status < 300, text
    assert SECRET not in text
