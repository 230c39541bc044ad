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


def test_the_same_content_saved_again_is_not_loaded_again(any_store):
    session = any_store.start()
    agent = session.agent("coder")
    first = agent.save_context_item("TASK", "write the parser")
    have = known(agent.load_context())
    before = agent.context_diff(have).digest
    session.items.deprecate(first)
    second = agent.save_context_item("TASK", "write the parser")
    diff = agent.context_diff(have)
    assert (diff.load, diff.unload, diff.digest) == ([], (), before)
    session.items.deprecate(second)
    assert agent.context_diff(have).unload == (first,)


def test_the_set_that_was_kept_is_the_next_one_to_compare_with(coder):
    assert [item.content for item in coder.context_diff().load] == ["one", "two"]
    first = coder.context_diff(keep=True)
    assert [item.content for item in first.load] == ["one", "two"]
    new = coder.save_context_item("TASK", "three")
    assert [item.id for item in coder.context_diff(keep=True).load] == [new]
    again = coder.context_diff()
    assert (again.load, again.unload) == ([], ())
    assert again.digest != first.digest
    coder.update_tiers(datetime.now(UTC) + timedelta(days=30))
    assert len(coder.context_diff().unload) == 3


def test_each_agent_and_tier_has_a_kept_set_of_its_own(any_store):
    session = any_store.start()
    session.items.save("task", "everybody's", importance=1.0)
    coder, tester = session.agent("coder"), session.agent("tester")
    coder.context_diff(keep=True)
    assert len(tester.context_diff().load) == 1
    coder.context_diff(tier="WARM", keep=True)
    assert coder.context_diff().load == []
    session.verify().require()


def test_an_erased_content_leaves_no_digest(any_store):
    session = any_store.start()
    agent = session.agent("coder")
    gone, kept = (agent.save_context_item("TASK", text) for text in ("pin 1234", "two"))
    agent.context_diff(keep=True)
    version = session.version
    session.erase(gone, "the law")
    assert version in {
        place for event in session.events(types=("content.erased",)) for place, _ in event.body.erased
    }
    assert [item.id for item in agent.context_diff().load] == [kept]


@pytest.mark.parametrize("have", [[1, 2], {"1": "x"}, {0: "x"}, {1: None}])
def test_what_is_no_map_of_digests_is_refused(coder, have):
    with pytest.raises(InvalidInput, match="known"):
        coder.context_diff(have)
