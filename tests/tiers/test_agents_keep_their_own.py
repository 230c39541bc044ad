"""What an agent saves is its own: no other agent's context, list, count or search has it."""

from datetime import UTC, datetime, timedelta

import pytest

from backstory import InvalidInput
from backstory.domain.errors import UnknownItem

SECRET = "the wombat password is swordfish"


@pytest.fixture
def session(any_store):
    """One where coder has a private note, and everybody has a message."""
    session = any_store.start()
    session.message("hello, all of you")
    session.agent("coder").save_context_item("NOTE", SECRET, importance_score=1.0)
    return session


def test_an_agent_has_its_items_back(session):
    coder = session.agent("coder")
    (found,) = coder.load_context()
    assert (found.type, found.content, found.tier, found.agent, found.private) == (
        "note",
        SECRET,
        "HOT",
        "coder",
        True,
    )
    assert 0.99 < found.score <= 1.0


def test_what_is_wrong_has_the_name_that_it_has_there(session):
    with pytest.raises(InvalidInput) as refused:
        session.agent("coder").save_context_item("NOTE", "x", importance_score=3)
    assert refused.value.field == "importance_score"


def test_loading_is_an_access(session):
    coder = session.agent("coder")
    coder.load_context()
    assert [item.access_count for item in coder.load_context()] == [1]


def test_other_agents_do_not_load_or_list_it(session):
    other = session.by("reviewer")
    assert session.agent("reviewer").load_context("HOT") == []
    assert [item.type for item in other.items.list()] == ["message"]
    assert [item.type for item in other.tiers.items(None, live=False)] == ["message"]
    assert session.tiers.items("HOT") == []
    assert [item.type for item in session.by("coder").items.list()] == ["message", "note"]


def test_other_agents_do_not_count_it(session):
    assert session.agent("coder").context_stats()[:2] == (2, 1)
    assert session.agent("reviewer").context_stats()[:2] == (1, 0)


def test_what_is_stored_is_counted_by_tier_with_its_tokens(any_store):
    session = any_store.start(limit=10_000)
    coder = session.agent("coder")
    task = coder.save_context_item("TASK", "write the parser")
    for number in range(3):
        coder.save_context_item("NOTE", f"note {number}", importance_score=(0.2, 0.5, 0.5)[number])
    before = coder.context_stats()
    coder.flash_save()
    after = coder.context_stats()
    assert after[:8] == before[:8]
    assert (after.total_items, after.hot_count, after.warm_count, after.cold_count) == (4, 1, 2, 1)
    assert (before.stored_items, after.stored_items) == (0, 3)
    assert after.stored_tokens == after.warm_tokens + after.cold_tokens
    assert after.hot_tokens == session.state.items[task].tokens == after.total_tokens - after.stored_tokens
    assert after.total_items == sum(len(coder.load_context(tier)) for tier in ("HOT", "WARM", "COLD"))


def test_an_access_brings_what_was_stored_among_the_hot_items(any_store):
    session = any_store.start(limit=10_000)
    coder = session.agent("coder")
    note = coder.save_context_item("NOTE", "tabs, not spaces", importance_score=0.79)
    dropped = coder.save_context_item("NOTE", "spaces, not tabs", importance_score=0.79)
    assert coder.flash_save().items_archived == 0
    session.items.bring_back(dropped)
    session.items.deprecate(dropped)
    assert coder.load_context() == []
    assert [item.id for item in coder.load_context("WARM")] == [note]
    coder.update_tiers()
    assert [(item.id, item.tier) for item in coder.load_context()] == [(note, "HOT")]
    assert coder.load_context("WARM") == []
    assert note not in session.state.items


def test_other_agents_do_not_find_it_nor_see_it_in_a_context(session):
    found = session.by("reviewer").context(8_000, query="wombat password")
    assert SECRET not in str(found.messages)
    assert SECRET in str(session.by("coder").context(8_000, query="wombat password").messages)


def test_other_agents_do_not_hear_of_it_in_a_diff(session):
    assert session.agent("reviewer").context_diff({}).load == []
    assert [item.content for item in session.agent("coder").context_diff({}).load] == [SECRET]


def test_other_agents_cannot_read_it(session):
    (note,) = [item.id for item in session.items.list() if item.private]
    assert session.by("coder").text(note) == session.text(note) == SECRET
    for read in (session.by("reviewer").text, session.by("reviewer").items.parts):
        with pytest.raises(UnknownItem, match="another agent's own"):
            read(note)


def test_other_agents_do_not_get_it_from_a_summary(any_store):
    session = any_store.start(limit=100_000)
    note = session.agent("coder").save_context_item("NOTE", SECRET * 3)
    for number in range(30):
        session.message(f"{number}: the parser in src/parser.py fails on empty input")
    summary = session.window.compact("everything").summary
    assert note in [item.id for item in session.window.expand(summary)]
    assert note in [item.id for item in session.by("coder").window.expand(summary)]
    assert note not in [item.id for item in session.by("reviewer").window.expand(summary)]


def test_a_flash_save_leaves_other_agents_alone(any_store):
    session = any_store.start(limit=10_000)
    shared = session.items.save("note", "everybody's", importance=0.2)
    coder, tester = session.agent("coder"), session.agent("tester")
    own = coder.save_context_item("NOTE", "mine", importance_score=0.2)
    hot = tester.save_context_item("TASK", "theirs")
    cold = tester.save_context_item("NOTE", "theirs too", importance_score=0.2)
    result = coder.flash_save()
    assert (result.items_archived, result.hot_items_retained) == (1, 0)
    assert own not in session.state.items
    assert {shared, hot, cold} <= set(session.state.items)


def test_items_of_a_tier_that_have_left_the_window_can_be_loaded(session):
    coder = session.agent("coder")
    note = coder.save_context_item("NOTE", "tabs, not spaces")
    session.items.remove(note)
    assert [item.id for item in coder.load_context("WARM") if item.type == "note"] == [note]
    assert note not in [item.id for item in session.by("coder").items.load("WARM")]
    assert note in [item.id for item in session.by("coder").items.load("WARM", live=False)]


@pytest.mark.parametrize("tier", ["LUKEWARM", "", None])
def test_a_tier_that_does_not_exist_is_refused(session, tier):
    with pytest.raises(InvalidInput, match="tier"):
        session.items.load(tier)


@pytest.mark.parametrize(("kind", "content"), [("", "x"), ("CODE", ""), (None, "x"), ("CODE", None)])
def test_an_item_without_type_or_content_is_refused(session, kind, content):
    before = session.version
    with pytest.raises(InvalidInput):
        session.agent("coder").save_context_item(kind, content)
    assert session.version == before


def test_an_update_counts_the_agents_own_moves(any_store):
    session = any_store.start()
    for name in ("coder", "tester", "tester"):
        session.agent(name).save_context_item("TASK", f"a task of {name}")
    session.message("hello")
    moved = session.agent("tester").update_tiers(datetime.now(UTC) + timedelta(days=30))
    assert (moved.items_updated, moved.hot_count, moved.cold_count) == (2, 0, 3)


def test_an_update_says_how_many_are_where(session):
    result = session.agent("coder").update_tiers()
    assert result == (0, 1, 1, 0)


def test_a_flash_save_keeps_what_is_hot(any_store):
    session = any_store.start(limit=10_000)
    coder = session.agent("coder")
    task = coder.save_context_item("TASK", "write the parser")
    for number in range(30):
        coder.save_context_item("NOTE", f"note {number}", importance_score=0.2)
    result = coder.flash_save()
    assert result.items_archived == 30
    assert result.hot_items_retained >= 1
    assert task in session.state.items
    assert result.checkpoint_id in [checkpoint.version for checkpoint in session.checkpoints.list()]
    assert len(coder.load_context("COLD")) == 30
