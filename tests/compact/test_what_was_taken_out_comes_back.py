"""Expanding a summary, and taking compactions back."""

import pytest

from backstory import ContextStore
from backstory.domain.errors import Refused, UnknownItem
from backstory.domain.window.validation import state_problems
from tests.compact.conversations import a_session, live, talk, use_tools


def test_undo_brings_back_exactly_what_left(store: ContextStore) -> None:
    session = a_session(store)
    use_tools(session, 3)
    talk(session, 25)
    before = session.state
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    arrived = session.message("meanwhile")
    session.window.undo_compaction()
    after = session.state
    assert live(session) == {item.id for item in before.live()} | {arrived}
    assert [(i.id, i.versions, i.role, i.tokens) for i in after.live()][:-1] == [
        (i.id, i.versions, i.role, i.tokens) for i in before.live()
    ]
    assert done.summary not in live(session)
    assert state_problems(after) == []
    assert session.verify().ok


def test_compactions_are_taken_back_one_after_the_other(store: ContextStore) -> None:
    session = a_session(store)
    talk(session, 25)
    before = live(session)
    first = session.window.compact("preserve_summarize_discard", threshold=0)
    talk(session, 15, start=25)
    between = live(session)
    second = session.window.compact("preserve_summarize_discard", threshold=0)
    assert session.state.compactions == [*first.events, *second.events]
    with pytest.raises(Refused, match="what took it out comes first"):
        session.window.undo_compaction(first.events[0])
    session.window.undo_compaction()
    assert live(session) == between
    session.window.undo_compaction()
    assert before <= live(session)
    with pytest.raises(Refused, match="no compaction"):
        session.window.undo_compaction()


def test_only_compactions_are_taken_back(store: ContextStore) -> None:
    session = a_session(store)
    (said,) = talk(session, 1)
    talk(session, 25, start=1)
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    with pytest.raises(UnknownItem, match="no compaction"):
        session.window.undo_compaction(said)
    session.window.undo_compaction(done.events[0])
    with pytest.raises(Refused, match="does not stand"):
        session.window.undo_compaction(done.events[0])


def test_what_is_back_already_is_not_brought_twice(store: ContextStore) -> None:
    session = a_session(store)
    said = talk(session, 25)
    before = session.state.tokens
    session.window.compact("preserve_summarize_discard", threshold=0)
    session.items.bring_back(said[0])
    session.window.undo_compaction()
    assert session.state.tokens == before
    assert set(said) <= live(session)


def test_a_fork_takes_back_what_was_compacted_before_it(store: ContextStore) -> None:
    session = a_session(store)
    said = talk(session, 25)
    session.window.compact("preserve_summarize_discard", threshold=0)
    fork = session.fork()
    fork.window.undo_compaction()
    assert set(said) <= live(fork)
    assert fork.verify().ok


def test_expand_gives_the_originals_and_counts_an_access(store: ContextStore) -> None:
    session = a_session(store)
    exchanges = use_tools(session, 2)
    said = talk(session, 20)
    first = session.window.compact("preserve_summarize_discard", threshold=0)
    more = talk(session, 15, start=20)
    second = session.window.compact("preserve_summarize_discard", threshold=0)
    assert second.summary is not None
    expanded = session.window.expand(second.summary)
    gone = {*exchanges, *said, *more} - live(session)
    assert [one.id for one in expanded] == sorted(gone)
    assert first.summary not in {one.id for one in expanded}
    by_id = {one.id: one for one in expanded}
    assert b"some line of code" in by_id[exchanges[0]].messages[1].parts[0].data
    assert by_id[said[0]].messages[0].parts[0].data.startswith(b"0: ")
    accessed = {item.id: item.accesses for item in session.items.list()}
    assert all(accessed[item] == 1 for item in (*gone, second.summary))


def test_what_was_erased_is_expanded_without_words(store: ContextStore) -> None:
    session = a_session(store)
    said = talk(session, 25)
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    session.erase(said[0], "asked for")
    assert done.summary is not None
    expanded = session.window.expand(done.summary)
    assert expanded[0].id == said[0]
    assert expanded[0].messages == ()
    assert expanded[1].messages


def test_only_compactions_are_expanded(store: ContextStore) -> None:
    session = a_session(store)
    (said,) = talk(session, 1)
    for wrong in (said, 10_000):
        with pytest.raises(UnknownItem):
            session.window.expand(wrong)


def test_the_reason_is_recorded(any_store: ContextStore) -> None:
    session = a_session(any_store)
    talk(session, 25)
    session.window.compact("preserve_summarize_discard", threshold=0)
    done = session.window.undo_compaction(why="the summary lost the numbers")
    assert session.items.text_at((done, 0)) == "the summary lost the numbers"
    (event,) = session.events(after=done - 1)
    assert b"the numbers" not in event.body.encode()
