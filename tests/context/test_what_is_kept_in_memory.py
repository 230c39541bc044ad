"""What was read lately is kept up to a size, and no more."""

from uuid import uuid4

from backstory.application.contents.cache import ContentCache
from backstory.application.contents.items import ItemReader


def test_the_shelves_used_last_are_kept():
    recent = ContentCache(most_bytes=10_000)
    first, second = recent.shelf(uuid4()), recent.shelf(uuid4())
    recent.put(first, "a", "value", 6_000)
    recent.put(second, "b", "value", 6_000)
    assert dict(first) == {}
    assert dict(second) == {"b": "value"}


def test_a_shelf_that_was_cleared_away_takes_no_more():
    """Somebody may be reading from it still; what he put there would be counted for ever."""
    recent = ContentCache(most_bytes=10_000)
    stream = uuid4()
    old = recent.shelf(uuid4())
    recent.put(old, "a", "value", 6_000)
    recent.put(recent.shelf(stream), "b", "value", 6_000)
    for number in range(100):
        recent.put(old, number, "value", 6_000)
    assert dict(old) == {}
    assert recent.shelf(stream)["b"] == "value"


def test_of_a_session_that_goes_on_the_newest_is_kept():
    """What has left its window is not looked for again, and what others keep does not suffer."""
    recent = ContentCache(most_bytes=100_000, most_of_one=10_000)
    other, long = recent.shelf(uuid4()), recent.shelf(uuid4())
    recent.put(other, "a", "value", 0)
    for number in range(1_000):
        recent.put(long, number, "value", 800)
    assert list(long) == list(range(990, 1_000))
    assert dict(other) == {"a": "value"}


def test_what_a_call_has_found_it_keeps(store):
    """Other calls fill the shelf while this one counts on what it has seen there."""
    session = store.start()
    item = session.message("kept")
    state = session.state
    item_reader = ItemReader(session._runtime, session.id, state, erasure=0)
    item_reader.kept(state.items[item], "made", lambda: "once")
    assert item_reader.keeps(state.items[item], "made")
    item_reader._shelf.clear()
    assert item_reader.kept(state.items[item], "made", lambda: "twice") == "once"


def test_an_erasure_begins_another_shelf():
    recent, stream = ContentCache(), uuid4()
    recent.put(recent.shelf(stream, 0), "a", "value", 0)
    assert "a" in recent.shelf(stream, 0)
    assert "a" not in recent.shelf(stream, 7)
