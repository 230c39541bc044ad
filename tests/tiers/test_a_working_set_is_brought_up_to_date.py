"""A diff says what an agent has to load and unload, by digest."""

from datetime import UTC, datetime, timedelta

import pytest

from backstory import InvalidInput

NOON = datetime(2026, 11, 9, 12, tzinfo=UTC)


def known(items):
    return {item.id: item.digest for item in items}


@pytest.fixture
def coder(any_store):
    session = any_store.start()
    session.occurred(NOON).by("coder").items.save("task", "one")
    session.occurred(NOON).by("coder").items.save("task", "two")
    return session.agent("coder")


def test_nothing_is_loaded_twice(coder):
    first = coder.context_diff({})
    assert [item.content for item in first.load] == ["one", "two"]
    again = coder.context_diff(known(first.load))
    assert (again.load, again.unload, again.digest) == ([], (), first.digest)


def test_what_is_new_is_loaded_and_what_cooled_is_unloaded(coder):
    have = known(coder.load_context())
    coder.update_tiers(datetime.now(UTC) + timedelta(days=1))
    new = coder.save_context_item("TASK", "three")
    diff = coder.context_diff(have)
    assert [item.id for item in diff.load] == [new]
    assert diff.unload == tuple(have)


def test_what_says_something_else_is_loaded_again(any_store):
    session = any_store.start()
    goal = session.work.set_goal("ship it")
    agent = session.agent("coder")
    have = known(agent.load_context())
    session.work.update_goal(goal, text="ship it today")
    diff = agent.context_diff(have)
    assert [(item.id, item.content) for item in diff.load] == [(goal, "ship it today")]
    assert diff.unload == ()


def test_what_was_erased_is_unloaded(any_store):
    session = any_store.start()
    agent = session.agent("coder")
    gone, kept = (agent.save_context_item("TASK", text) for text in ("one", "two"))
    have = known(agent.load_context())
    session.erase(gone, "the law")
    diff = agent.context_diff(have)
    assert (diff.load, diff.unload) == ([], (gone,))
    assert [item.id for item in agent.context_diff({}).load] == [kept]


def test_what_is_unknown_is_unloaded(coder):
    assert coder.context_diff({99: "x"}).unload == (99,)


def test_a_list_is_no_map_of_digests(coder):
    with pytest.raises(InvalidInput, match="known"):
        coder.context_diff([1, 2])
