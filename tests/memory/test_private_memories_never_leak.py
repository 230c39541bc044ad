"""An agent's own memories show nowhere to others: what they find, with its scores, is what they would find if these had
never been."""

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, strategies as st

from backstory import ContextStore, Project, UnknownItem
from tests.properties import examples
from tests.search.indexing import index

WORDS = ("lantern", "harbour", "keys", "fence", "paint", "parser")
QUERIES = ("lantern", "harbour keys", "paint the fence", "who has the parser", "alice")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
steps = st.lists(st.tuples(st.sampled_from([None, None, "alice", "bob"]), texts), min_size=1, max_size=10)


def seen(page: Any) -> list[Any]:
    return [(one.memory.text, one.score) for one in page.found]


@examples(10)
@given(history=steps, indexed=st.booleans(), forgotten=st.booleans())
def test_nothing_is_found_counted_or_scored(
    store: ContextStore, history: Any, indexed: bool, forgotten: bool
) -> None:
    with_private, without = (store.project(f"leak-{uuid4()}") for _ in range(2))
    without.forget(without.remember("first"))
    with_private.forget(with_private.remember("first"))
    for agent, text in history:
        if agent is None:
            without.remember(text)
        memory = with_private.remember(text, agent=agent)
        if forgotten and agent is not None:
            with_private.forget(memory, agent=agent)
    if indexed:
        index(with_private)
    for query in QUERIES:
        expected = seen(without.recall(query))
        assert seen(with_private.recall(query)) == expected
        assert seen(with_private.recall(query, agent="dora")) == expected
        mine = store.search(query, project=with_private.name)
        other = store.search(query, project=without.name)
        assert [(h.snippet, h.score) for h in mine.hits] == [(h.snippet, h.score) for h in other.hits]
    listed = [one.text for one in with_private.memories().memories]
    assert listed == [one.text for one in without.memories().memories]


def test_its_agent_finds_it_and_nobody_else_can_touch_it(store: ContextStore, project: Project) -> None:
    own = project.by("alice").remember("the lantern is mine", agent="alice")
    assert [one.memory.id for one in project.recall("lantern", agent="alice").found] == [own]
    assert [one.memory.id for one in project.by("alice").recall("lantern").found] == [own]
    assert project.by("bob").recall("lantern", past=True).found == ()
    for wrong in (
        lambda: project.by("bob").memory(own),
        lambda: project.by("bob").forget(own),
        lambda: project.by("bob").history(own),
        lambda: project.supersede(own, "ours", agent="bob"),
        lambda: project.remember("ours", supersedes=[own]),
        lambda: project.remember("ours", agent="bob", supersedes=[own]),
    ):
        with pytest.raises(UnknownItem, match=f"memory {own} does not exist"):
            wrong()
    session = store.start(project=project.name)
    session.message("where is the lantern?")
    assert "mine" not in str(session.context(record=False).messages)
    assert "mine" not in str(session.context(record=False, agent="bob").messages)
    assert "mine" in str(session.context(record=False, agent="alice").messages)
    assert project.by("alice").forget(own)


def test_of_one_key_each_agent_has_its_own_memory(project: Project) -> None:
    shared = project.remember("we paint", key="work")
    own = project.remember("I paint", key="work", agent="alice")
    assert {one.id for one in project.memories(agent="alice").memories} == {shared, own}
    project.remember("I fence", key="work", agent="alice")
    assert {one.id for one in project.memories().memories} == {shared}
