"""An erasure follows what was made from the item: what a summary quotes is not gone while the summary is there."""

import pytest

from backstory import ContentBundle, ContentErased, ContextStore, EventBody
from backstory.domain.log.ranges import from_ranges
from backstory.domain.log.references import ContentRef

SECRET = "We decided to use the codename Bluebird because Ana lives in Lisbon."
DECIDES = "We decided to use RS256 in auth/jwt.py because it is safer."


class Extracted(EventBody):
    """A user's own event that quotes a message."""

    type = "derived:extracted"
    text: ContentRef
    message: int

    def derived_from(self) -> tuple[int, ...]:
        return (self.message,)


def is_gone(session, version: int) -> bool:
    try:
        session.items.text_at((version, 0))
    except ContentErased:
        return True
    return False


def test_a_decision_that_was_noticed_in_it(any_store):
    session = any_store.start()
    said = session.message(DECIDES)
    session.context(5_000)
    (noticed,) = [candidate.id for candidate in session.state.candidates]
    planned = session.erase(said, "asked to", dry_run=True)
    assert {one.version for one in planned.contents} == {said, noticed}
    assert {one.version for one in planned.derived} == {noticed}
    assert not is_gone(session, noticed)
    done = session.erase(said, "asked to")
    assert done.contents == planned.contents
    assert is_gone(session, noticed)
    assert session.verify().ok


def test_unless_it_is_to_be_kept(any_store):
    session = any_store.start()
    said = session.message(DECIDES)
    session.context(5_000)
    (noticed,) = [candidate.id for candidate in session.state.candidates]
    done = session.erase(said, "asked to", keep_derived=True)
    assert {one.version for one in done.contents} == {said}
    assert done.derived == ()
    assert not is_gone(session, noticed)


def test_summaries_and_those_that_build_on_them(any_store):
    session = any_store.start()
    said = session.message(SECRET)
    for number in range(4):
        session.message(
            f"We decided to keep module {number} because src/core/part_{number}.py depends on it."
        )
    first = session.summarize()
    session.message("Next we will move the tests to src/tests because they are slow.")
    second = session.summarize()
    assert first is not None
    assert second is not None
    summaries = list(session.events(types=["summary.made"]))
    assert said in from_ranges(summaries[0].body.sources)
    assert summaries[1].body.replaces == summaries[0].version
    done = session.erase(said, "asked to")
    assert {one.version for one in done.derived} >= {event.version for event in summaries}
    assert all(is_gone(session, event.version) for event in summaries)
    # The session goes on without them.
    session.message("We decided to ship on Friday because everything works.")
    assert session.context(8_000).version is not None
    session.summarize()
    assert "Bluebird" not in str(session.views.summary())
    assert session.verify().ok


def test_compactions(any_store):
    session = any_store.start(limit=4_000)
    said = session.message(SECRET)
    for number in range(25):
        session.message(f"Step {number}: the parser in src/core/parser_{number}.py was changed. " * 3)
    session.window.compact("everything")
    (compacted,) = list(session.events(types=["items.compacted"]))
    assert said in from_ranges(compacted.body.summarized)
    done = session.erase(said, "asked to")
    assert compacted.version in {one.version for one in done.derived}
    session.message("and on")
    session.context(3_000)
    session.window.undo_compaction()
    assert session.verify().ok


def test_in_forks_too(any_store):
    session = any_store.start()
    said = session.message(SECRET)
    fork = session.fork()
    for number in range(3):
        fork.message(f"We decided to keep module {number} because src/core/part_{number}.py depends on it.")
    fork.summarize()
    (summary,) = [event.version for event in fork.events(types=["summary.made"])]
    later = session.fork(at=1)
    later.message("has never heard of it")
    done = session.erase(said, "asked to")
    assert set(done.events) == {session.id, fork.id}
    assert {(one.stream, one.version) for one in done.derived} == {(fork.id, summary)}
    assert is_gone(fork, summary)
    for each in (session, fork, later):
        assert each.verify().ok


def test_the_same_version_of_another_branch_is_another_item(any_store):
    """The fork's own item has the number of one that its parent brought later."""
    session = any_store.start()
    fork = session.fork()
    mine = session.message("of the parent")
    fork.message("of the fork")
    assert session.version < fork.version
    while session.version < fork.version:
        mine = session.message("of the parent")
    theirs = fork.message(DECIDES)
    mine = session.message("of the parent")
    assert mine == theirs
    fork.context(5_000)
    (noticed,) = [candidate.id for candidate in fork.state.candidates]
    session.erase(mine, "asked to")
    assert not is_gone(fork, noticed)
    assert not is_gone(fork, theirs)


def test_events_of_a_users_own_say_what_they_were_made_from(store: ContextStore):
    session = store.start()
    said = session.message("Ana lives in Lisbon")
    draft = ContentBundle()
    made = session.record(Extracted(text=draft.text("text", "Ana: Lisbon"), message=said), contents=draft)
    done = session.erase(said, "asked to")
    assert {one.version for one in done.derived} == {made}
    with pytest.raises(ContentErased):
        session.items.text_at((made, 0))


def test_what_was_erased_already_is_not_erased_again(any_store):
    session = any_store.start()
    said = session.message(DECIDES)
    session.context(5_000)
    (noticed,) = [candidate.id for candidate in session.state.candidates]
    session.erase(noticed, "first")
    done = session.erase(said, "then")
    assert {one.version for one in done.contents} == {said}
    assert session.verify().ok
