"""What a limited caller sees and writes, whatever it calls."""

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from hypothesis import given, strategies as st

from backstory.application.queries.lookup import forks_of
from backstory.application.store import ContextStore
from backstory.domain.access import Caller
from backstory.domain.errors import AccessDenied, UnknownItem, UnknownSession

PROJECTS = ["a", "b", None]


@pytest.fixture(scope="module")
def shop(module_database: str) -> Iterator[tuple[ContextStore, dict[UUID, str | None]]]:
    """A store with sessions of two projects and of none, each with a fork, and whose they are."""
    with ContextStore.open(module_database) as store:
        sessions: dict[UUID, str | None] = {}
        for project in PROJECTS * 2:
            session = store.start(project=project, title=f"about {project}")
            session.message(f"the lighthouse of {project}")
            sessions |= {session.id: project, session.fork().id: project}
        yield store, sessions


@given(limits=st.frozensets(st.sampled_from(["a", "b", "c"])))
def test_every_query_keeps_to_its_projects(
    shop: tuple[ContextStore, dict[UUID, str | None]], limits: frozenset[str]
) -> None:
    store, sessions = shop
    limited = store.on_behalf_of(Caller("key", projects=limits))
    allowed = {session for session, project in sessions.items() if project in limits}
    assert {found.id for found in limited.sessions(limit=100)} == allowed
    assert {event.session for event in limited.feed()} == allowed
    hits = limited.search("lighthouse", limit=50).hits
    assert {hit.session for hit in hits} <= allowed
    assert bool(hits) == bool(allowed)
    for session in sessions:
        if session in allowed:
            assert limited.session(session).text(2)
            assert {fork.session for fork in forks_of(limited, session)} <= allowed
            continue
        for look in (limited.session, limited.summary):
            with pytest.raises(UnknownSession) as refused:
                look(session)
            assert str(refused.value) == f"session {session} does not exist."
        with pytest.raises(UnknownSession):
            limited.find(str(session)[-12:])
        with pytest.raises(UnknownSession):
            limited.search("lighthouse", sessions=[session])
    if allowed:
        assert limited.find("last") in allowed
    else:
        with pytest.raises(UnknownSession):
            limited.find("last")


def test_nothing_is_put_into_another_project(own_store: ContextStore) -> None:
    limited = own_store.on_behalf_of(Caller("key", projects=frozenset({"a"})))
    session = limited.start(project="a")
    for project in ("b", None):
        with pytest.raises(AccessDenied):
            limited.start(project=project)
    with pytest.raises(AccessDenied):
        session.details.set_project("b")
    with pytest.raises(AccessDenied):
        session.atomically(lambda tx: (tx.message("and with it"), tx.details.set_project("b")))
    assert session.version == 1
    assert len(own_store.sessions()) == 1


def test_an_agents_key_acts_for_no_other(own_store: ContextStore) -> None:
    shared = own_store.start()
    secret = shared.by("planner").items.save("note", "the vault's code is 1234")
    own = own_store.on_behalf_of(Caller("key", agent="coder")).session(shared.id)
    assert [item.id for item in own.items.list()] == []
    for call in (
        lambda: own.by("planner"),
        lambda: own.context(1000, agent="planner"),
        lambda: own.search("vault", agent="planner"),
        lambda: own.tiers.stats(agent="planner"),
        lambda: own.items.load(agent="planner"),
        lambda: own.window.flash_save(agent="planner"),
    ):
        with pytest.raises(AccessDenied):
            call()
    with pytest.raises(UnknownItem):
        own.items.parts(secret)
    assert own.search("vault").hits == ()
    assert "vault" not in str(own.context(1000, record=False).messages)


def test_the_caller_stands_beside_the_actor_in_the_record(own_store: ContextStore) -> None:
    session = own_store.start(uuid4())
    session.by("ana").message("mine")
    keyed = own_store.on_behalf_of(Caller("ci")).session(session.id)
    keyed.by("ana").message("by a key")
    with keyed.atomic() as tx:
        tx.message("two")
        tx.message("three")
    assert [(event.actor, event.caller) for event in session.events(after=1)] == [
        ("ana", None),
        ("ana", "ci"),
        (None, "ci"),
        (None, "ci"),
    ]
    assert session.verify().ok
