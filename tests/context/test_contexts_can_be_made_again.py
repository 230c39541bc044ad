"""A recorded context is made again byte for byte, whatever happened since; what was erased is named."""

import psycopg
import pytest
from hypothesis import given

from backstory.domain.effects import Effects, Revision
from backstory.domain.errors import NotFound, VerificationFailed
from backstory.domain.events import ContextAssembled
from tests.properties import examples
from tests.replay.histories import Happened, Told, World, a_store, histories


@examples(8)
@given(history=histories(40), more=histories(20))
def test_every_recorded_context_can_be_made_again(store, history, more):
    world = World(a_store(store))
    world.tell([step for one in history for step in (one, ("context", *one[1:]))])
    world.tell(more)
    # Another store has read nothing yet.
    world.go_on_in(a_store(store, snapshot_every=7))
    for told in world.told:
        every_context_is_as_it_was(told)


def every_context_is_as_it_was(told: Told) -> int:
    """How many were made again."""
    recorded = {context.version: context for context in told.contexts}
    made = 0
    for event in told.session.events(types=[ContextAssembled.type]):
        assert isinstance(event.body, ContextAssembled)
        again = told.session.reproduce(event.version)
        if again.missing:
            assert not again.ok
            assert again.context is None
            assert None not in {one.erased_at for one in again.missing}
            continue
        assert again.ok, str(again)
        assert again.context is not None
        assert again.context.sha256 == event.body.prompt_sha256
        if event.version in recorded:
            assert again.context.data == recorded[event.version].data
            assert again.context.messages == recorded[event.version].messages
        made += 1
    return made


def test_an_erased_content_is_named(store):
    session = store.start()
    session.message("keep this")
    gone = session.message("my number is 555-0100")
    goal = session.work.set_goal("call back")
    context = session.context(4_000)
    assert session.reproduce(context.version).ok
    erasure = session.version + 1
    session.erase(gone, "asked to")
    again = session.reproduce(context.version)
    assert not again.ok
    assert again.context is None
    assert [(one.item, one.section, one.erased_at) for one in again.missing] == [(gone, "history", erasure)]
    assert f"item {gone} (history), erased at version {erasure}" in str(again)
    assert again.expected == context.sha256
    session.erase(goal, "asked to")
    assert [one.item for one in session.reproduce(context.version).missing] == [gone, goal]


def test_an_erased_question_is_named_where_its_item_was_revised(store):
    session = store.start()
    question = session.work.ask("my number is 555-0100, is that right?")
    session.record(Happened(note="0"), effects=Effects(revises=Revision(item=question, tokens=3)))
    context = session.context(4_000)
    erasure = session.version + 1
    session.erase(question, "asked to")
    missing = session.reproduce(context.version).missing
    assert [(one.item, one.erased_at) for one in missing] == [(question, erasure)]


def test_what_was_erased_is_in_no_later_context(store):
    session = store.start()
    session.message("keep this")
    gone = session.message("my number is 555-0100")
    assert b"555-0100" in session.context(4_000).data
    other = store.session(session.id)
    other.erase(gone, "asked to")
    later = session.context(4_000)
    assert b"555-0100" not in later.data
    assert later.left_out["erased"] == 1


def test_a_fork_makes_its_parents_contexts_again(store):
    session = store.start()
    session.message("hello")
    context = session.context(4_000)
    session.message("more")
    fork = session.fork()
    own = fork.context(4_000)
    assert fork.reproduce(context.version).ok
    assert fork.reproduce(own.version).ok
    session.backtrack(2, "another way")
    assert session.reproduce(context.version).ok


def test_only_an_assembled_context_can_be_made_again(store):
    session = store.start()
    message = session.message("hello")
    for version in (message, 1):
        with pytest.raises(NotFound, match="not an assembled context"):
            session.reproduce(version)


def test_a_content_that_was_altered_is_noticed(store, url):
    session = store.start()
    message = session.message("the truth")
    context = session.context(4_000)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("alter table backstory.contents disable trigger all")
        connection.execute(
            "update backstory.contents set bytes = %s where stream_id = %s and version = %s",
            (b"a lie", session.id, message),
        )
        connection.execute("alter table backstory.contents enable always trigger append_only")
    with pytest.raises(VerificationFailed, match="does not match the digest"):
        session.reproduce(context.version)
