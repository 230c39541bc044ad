"""Contents that were read lately are cached up to a size, and no more."""

from uuid import uuid4

from backstory.application.contents.cache import ContentCache
from backstory.application.contents.items import ItemReader


def test_the_entries_used_last_are_kept():
    cache, stream = ContentCache(most_bytes=20_000), uuid4()
    for name in ("a", "b", "c"):
        cache.put(stream, 0, name, name, 6_000)
    assert cache.get(stream, 0, "a") == "a"
    cache.put(uuid4(), 0, "d", "d", 6_000)
    assert cache.get_all(stream, 0, ["a", "b", "c"]) == ["a", None, "c"]


def test_a_value_larger_than_the_cache_is_not_kept():
    cache, stream = ContentCache(most_bytes=10_000), uuid4()
    cache.put(stream, 0, "a", "a", 20_000)
    assert cache.get(stream, 0, "a") is None
    cache.put(stream, 0, "b", "b", 5_000)
    assert cache.get(stream, 0, "b") == "b"


def test_after_an_erasure_nothing_from_before_is_found():
    cache, stream = ContentCache(), uuid4()
    cache.put(stream, 0, "a", "value", 0)
    assert cache.get(stream, 0, "a") == "value"
    assert cache.get(stream, 7, "a") is None


def test_a_session_that_is_forgotten_leaves_room_for_others():
    cache, stream, other = ContentCache(most_bytes=20_000), uuid4(), uuid4()
    for number in range(2):
        cache.put(stream, 0, number, "value", 6_000)
    cache.put(other, 0, 0, "value", 6_000)
    cache.forget(stream)
    assert cache.get_all(stream, 0, [0, 1]) == [None, None]
    cache.put(other, 0, 1, "value", 6_000)
    cache.put(other, 0, 2, "value", 6_000)
    assert cache.get_all(other, 0, [0, 1, 2]) == ["value"] * 3


def test_a_value_is_derived_once(store):
    session = store.start()
    item = session.message("kept")
    state = session.state
    made = []
    for _ in range(2):
        reader = ItemReader.of_newest(session._runtime, session.id, state)
        assert reader.derive([state.items[item]], "made", lambda item: made.append(item) or "once") == {
            item: "once"
        }
    assert len(made) == 1


def test_nothing_that_a_fork_inherits_is_cached(store):
    session = store.start()
    item = session.message("inherited")
    fork = session.fork()
    state = fork.state
    made = []
    for _ in range(2):
        reader = ItemReader.of_newest(fork._runtime, fork.id, state)
        reader.derive([state.items[item]], "made", lambda item: made.append(item) or "again")
    assert len(made) == 2
