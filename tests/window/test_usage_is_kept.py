"""How full a window was after each version, with what happened to it."""

import pytest

from backstory import ContextStore
from backstory.domain.errors import InvalidInput, UnknownVersion
from tests.compact.conversations import a_session, talk, use_tools


def test_every_version_has_its_usage(store: ContextStore) -> None:
    session = a_session(store, limit=3_000)
    use_tools(session, 3)
    talk(session, 25)
    session.window.compact("stubs")
    session.window.compact("preserve_summarize_discard", threshold=0)
    session.window.undo_compaction()
    session.checkpoints.create("before")
    there = session.version
    talk(session, 2)
    session.backtrack(there, "wrong way")
    session.before_call(next_tokens=2_000)
    points = session.window.usage()
    assert [point.version for point in points] == list(range(1, session.version + 1))
    assert all(point.tokens == session.at(point.version).tokens for point in points)
    assert {point.limit for point in points} == {3_000}
    assert points[-1].ratio == points[-1].tokens / 3_000
    marks = [(point.mark, point.note) for point in points if point.mark]
    assert marks[:5] == [
        ("stubs", None),
        ("compaction", "preserve_summarize_discard"),
        ("undo", str(points[-1].version and session.state.counters and marks and marks[2][1])),
        ("checkpoint", "before"),
        ("backtrack", str(there)),
    ]
    assert "alert" in {mark for mark, _ in marks}


def test_a_part_of_it(store: ContextStore) -> None:
    session = a_session(store)
    talk(session, 10)
    every = session.window.usage()
    assert session.window.usage(after=5, upto=9) == every[5:9]
    assert session.window.usage(after=session.version) == []


def test_a_fork_begins_with_its_parents(store: ContextStore) -> None:
    session = a_session(store)
    talk(session, 5)
    fork = session.fork()
    talk(fork, 3)
    assert [p.tokens for p in fork.window.usage()] == [fork.at(v).tokens for v in range(1, fork.version + 1)]


def test_a_window_that_came_later(store: ContextStore) -> None:
    session = a_session(store)
    session.window.configure("small", limit=500)
    session.message("hello", windows=("small",))
    points = session.window.usage("small")
    assert points[0].tokens == 0
    assert points[0].limit is None
    assert points[0].ratio is None
    assert points[-1].limit == 500
    assert points[-1].tokens > 0


def test_what_is_wrong_is_named(store: ContextStore) -> None:
    session = a_session(store)
    with pytest.raises(InvalidInput, match="after"):
        session.window.usage(after=-1)
    with pytest.raises(UnknownVersion):
        session.window.usage(upto=10_000)
