"""Private items and other projects show nowhere to those who may not see them: what a caller finds, with scores and
snippets, is what it would find if they had never been."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import example, given, strategies as st

from backstory import (
    ContentBundle,
    ContentRef,
    ContextStore,
    Effects,
    EventBody,
    NewItem,
    SearchPage,
    Session,
    Tier,
)
from backstory.domain.access import Action, Caller
from backstory.domain.effects import Extension
from backstory.domain.errors import UnknownSession
from tests.properties import examples
from tests.search.indexing import index, index_rows

WORDS = ("lantern", "harbour", "keys", "fence", "paint", "parser", "invoice", "moor")
QUERIES = (
    "lantern",
    "harbour keys",
    "paint the fence",
    "invoice parser lantern moor",
    "alice",
    "what does carol paint?",
)

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
steps = st.lists(
    st.tuples(st.sampled_from(["said", "alice", "bob", "carol", "decided"]), texts), min_size=1, max_size=14
)


@dataclass
class Two:
    """Two sessions to which the same happens, but for the private items of alice and bob that only the first one has.
    Carol speaks in both, so that a name more would change what matters of her."""

    with_private: Session
    without: Session

    def happen(self, who: str, text: str) -> None:
        if who in ("alice", "bob"):
            self.with_private.by(who).items.save("note", text)
            return
        for session in (self.with_private, self.without):
            if who == "decided":
                session.decide(text)
            else:
                (session.by(who) if who == "carol" else session).message(text)


def two(store: ContextStore) -> Two:
    return Two(*(store.start(project=f"leak-{uuid4()}") for _ in range(2)))


def seen(page: SearchPage) -> list[Any]:
    """All of a page but the names of sessions and items, which say where something is and not what."""
    return [hit._replace(session=None, item=0, at=None) for hit in page.hits]


@examples(10)
@given(happened=st.lists(steps, min_size=1, max_size=3), indexed=st.integers(0, 3))
@example(happened=[[("said", "paint the fence"), ("carol", "moor"), ("alice", "paint")]], indexed=0)
def test_nothing_is_found_counted_or_scored(store: ContextStore, happened: list[Any], indexed: int) -> None:
    pairs = [two(store) for _ in happened]
    for pair, history in zip(pairs, happened, strict=True):
        for n, step in enumerate(history):
            pair.happen(*step)
            if n == indexed:
                index(pair.with_private)
                index(pair.without)
        if indexed == 3:
            index(pair.with_private)
    for query in QUERIES:
        for pair in pairs:
            found = pair.with_private.search(query, limit=4)
            assert seen(found) == seen(pair.without.search(query, limit=4))
            assert seen(pair.with_private.by("dora").search(query)) == seen(pair.without.search(query))
            assert (found.next is None) == (pair.without.search(query, limit=4).next is None)
        several = [[p.with_private.id for p in pairs], [p.without.id for p in pairs]]
        one, other = (store.search(query, sessions=sessions) for sessions in several)
        assert seen(one) == seen(other)


@examples(6)
@given(history=steps, elsewhere=steps)
def test_another_project_changes_nothing(store: ContextStore, history: Any, elsewhere: Any) -> None:
    pair = two(store)
    for step in history:
        pair.happen(*step)
    project = pair.without.state.labels["project"]
    before = [store.search(query, project=project) for query in QUERIES]
    for who, text in elsewhere:
        pair.with_private.message(text) if who == "said" else pair.with_private.decide(text)
    assert [store.search(query, project=project) for query in QUERIES] == before


@examples(6)
@given(history=steps, elsewhere=steps)
def test_a_caller_finds_what_there_would_be_if_its_project_were_all(
    store: ContextStore, history: Any, elsewhere: Any
) -> None:
    pair = two(store)
    for step in history:
        pair.happen(*step)
    for who, text in elsewhere:
        pair.with_private.message(text) if who == "said" else pair.with_private.decide(text)
    project = str(pair.without.state.labels["project"])
    limited = store.on_behalf_of(Caller("reader", Action.READ, frozenset({project})))
    for query in QUERIES:
        assert seen(limited.search(query)) == seen(store.search(query, sessions=[pair.without.id]))
        with pytest.raises(UnknownSession):
            limited.search(query, sessions=[pair.with_private.id])


@pytest.mark.parametrize("indexed", [False, True])
def test_an_agent_finds_its_own_and_nobody_else_s(store: ContextStore, indexed: bool) -> None:
    session = store.start()
    own = session.by("alice").items.save("note", "the lantern of alice")
    session.by("bob").items.save("note", "the lantern of bob")
    shared = session.by("bob").items.save("note", "the lantern of all", private=False)
    if indexed:
        index(session)
        assert index_rows(store, session)
    assert {hit.item for hit in session.by("alice").search("lantern").hits} == {own, shared}
    assert {hit.item for hit in session.search("lantern", agent="alice").hits} == {own, shared}
    assert {hit.item for hit in session.search("lantern").hits} == {shared}
    assert {hit.item for hit in store.search("lantern", sessions=[session.id], agent="alice").hits} == {
        own,
        shared,
    }


class Said(EventBody):
    """An event of a user's, with a text."""

    type = "search:said"
    text: ContentRef


def say(session: Session, text: str, effects: Effects) -> None:
    bundle = ContentBundle()
    session.record(Said(text=bundle.text("text", text)), effects=effects, contents=bundle)


def test_what_is_added_to_a_private_item_is_private_too(store: ContextStore) -> None:
    """Also where the two are in different segments, and in a fork."""
    session = store.start()
    private = NewItem(type="note", tokens=3, importance=0.5, tier=Tier.HOT, agent="alice", private=True)
    say(session, "the lantern", Effects(brings=private))
    item = session.version
    index(session)
    fork = session.fork()
    for one in (session, fork):
        say(one, "the harbour", Effects(extends=Extension(item=item, tokens=3)))
        for indexed in (False, True):
            if indexed:
                index(one)
            assert one.search("harbour").hits == one.search("lantern").hits == ()
            assert store.search("harbour", sessions=[one.id]).hits == ()
            assert [hit.item for hit in one.search("harbour", agent="alice").hits] == [item]
