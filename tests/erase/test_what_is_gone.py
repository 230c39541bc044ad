"""Erasing: the bytes are gone for good, every proof still holds, and what shares them or comes from here is told."""

import psycopg
import pytest

from backstory.domain.errors import ContentErased, InvalidInput, Refused

LONG = "a long and private text " * 100


def said(session):
    return [message.parts[0].data.decode() for message in session.messages()]


def test_what_an_item_said_is_gone_and_the_proof_stays(any_store):
    session = any_store.start()
    secret, other = session.message("secret"), session.message("other")
    done = session.erase(secret, "by law")
    assert done.events == {session.id: 4}
    assert [(content.version, content.part) for content in done.contents] == [(secret, 0)]
    for read in (session.text, session.items.parts):
        with pytest.raises(ContentErased, match=f"contents of version {secret} were erased"):
            read(secret)
    assert session.text(other) == "other"
    checked = session.verify()
    assert checked.problem is None
    assert checked.erased == 1


def test_no_byte_of_it_is_left_in_the_database(store, url):
    session = store.start()
    needle = "needle-in-the-haystack"
    item = session.message(needle)
    session.message(f"more about another {needle[:6]}")
    exchange = session.tool_call("t", {"q": needle}, call_id="c", text=needle)
    session.tool_result("c", needle)
    goal = session.work.set_goal(needle)
    session.work.update_goal(goal, text=f"{needle} again")
    decision = session.decide(needle, rationale=needle, alternatives_rejected=[needle], impact=[needle])
    for each in (item, exchange, goal, decision):
        session.erase(each, "by law")
    with psycopg.connect(url) as connection:
        tables = connection.execute(
            "select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'stream_id' "
            "where c.relnamespace = 'backstory'::regnamespace and c.relkind = 'r'"
        ).fetchall()
        for (table,) in tables:
            for (row,) in connection.execute(
                f"select t::text from backstory.{table} t where stream_id = %s", (session.id,)
            ):
                assert needle not in row
                assert needle.encode().hex() not in row
    assert session.verify().ok


def test_the_conversation_goes_on_without_it(any_store):
    session = any_store.start()
    session.message("one")
    secret = session.message("secret")
    session.tool_call("t", {}, call_id="c")
    session.erase(secret, "by law")
    assert said(session) == ["one", "{}"]
    session.erase(4, "by law")
    assert said(session) == ["one"]
    session.tool_result("c", "result")
    session.message("two")
    assert said(session) == ["one", "two"]
    session.window.configure(encoding="cl100k_base")
    assert session.verify().ok


def test_an_erased_item_is_live_and_can_leave_and_return(any_store):
    session = any_store.start()
    secret = session.message("secret")
    session.erase(secret, "by law")
    session.items.remove(secret)
    session.items.bring_back(secret)
    assert secret in session.state.items
    assert session.verify().ok


def test_erasing_outlasts_backtracks_and_reaches_abandoned_branches(any_store):
    session = any_store.start()
    secret = session.message("secret")
    session.backtrack(1, "another way")
    session.erase(secret, "by law")
    session.backtrack(secret, "and back")
    with pytest.raises(ContentErased):
        session.text(secret)
    assert session.verify().ok


def test_what_was_read_before_is_not_shown_again_after_a_backtrack(any_store):
    """Nobody read the session between the erasure and the backtrack, which goes back to a state that knows of none."""
    session = any_store.start()
    session.message("keep")
    secret = session.message("hunter2")
    before = session.version
    session.context(5_000)
    assert len(session.messages()) == 2
    session.erase(secret, "a secret")
    session.backtrack(before, "another way")
    assert [message.parts[0].data for message in session.messages()] == [b"keep"]
    assert "hunter2" not in str(session.context(5_000).messages)


def test_long_contents_that_share_bytes_go_together(any_store):
    session = any_store.start()
    first, second = session.message(LONG), session.items.save("log", LONG)
    done = session.erase(second, "by law")
    assert [(content.version, content.part) for content in done.contents] == [(first, 0), (second, 0)]
    for item in (first, second):
        with pytest.raises(ContentErased):
            session.text(item)
    assert session.verify().ok


def test_what_is_said_again_after_it_was_erased_is_there(any_store):
    session = any_store.start()
    session.erase(session.message(LONG), "by law")
    again = session.message(LONG)
    assert session.text(again) == LONG
    assert session.verify().ok


def test_short_contents_that_are_equal_stay_unless_everywhere_is_asked_for(any_store):
    session = any_store.start()
    first, second = session.message("secret"), session.message("secret")
    session.erase(first, "by law")
    assert session.text(second) == "secret"
    third = session.message("secret")
    done = session.erase(second, "by law", everywhere=True)
    assert [content.version for content in done.contents] == [second, third]
    with pytest.raises(ContentErased):
        session.text(third)
    assert session.verify().ok


def test_the_reason_may_say_what_was_erased_and_is_kept(any_store):
    session = any_store.start()
    for text in (LONG, "short"):
        item = session.message(text)
        version = session.erase(item, text).events[session.id]
        assert session.items.text_at((version, 0)) == text
    assert session.verify().ok


def test_a_dry_run_says_what_would_go_and_erases_nothing(any_store):
    session = any_store.start()
    first, second = session.message(LONG), session.message(LONG)
    done = session.erase(first, "by law", dry_run=True)
    assert done.events == {}
    assert [content.version for content in done.contents] == [first, second]
    assert session.version == 3
    assert session.text(second) == LONG


def test_erasing_twice_is_refused(any_store):
    session = any_store.start()
    item = session.message("secret")
    session.erase(item, "by law")
    with pytest.raises(Refused, match="no contents left to erase"):
        session.erase(item, "by law")
    assert session.version == 3


def test_an_erasure_has_no_key(any_store):
    session = any_store.start()
    item = session.message("secret")
    with pytest.raises(InvalidInput, match="key: "):
        session.once("k").erase(item, "by law")
    assert session.text(item) == "secret"


def test_a_fork_loses_what_it_inherited(any_store):
    session = any_store.start()
    secret = session.message("secret")
    fork = session.fork()
    grandchild = fork.fork()
    own = fork.message("secret")
    session.erase(secret, "by law")
    for one in (fork, grandchild):
        with pytest.raises(ContentErased):
            one.text(secret)
        assert one.verify().ok
    assert fork.text(own) == "secret"
    assert said(grandchild) == []


def test_a_fork_erases_what_it_inherited_where_it_is(any_store):
    session = any_store.start()
    secret = session.message("secret")
    fork = session.fork().fork()
    done = fork.erase(secret, "by law")
    assert done.events == {session.id: 3}
    with pytest.raises(ContentErased):
        session.text(secret)
    assert session.verify().ok
    assert fork.verify().ok


def test_a_tool_exchange_that_a_fork_went_on_with_goes_in_both(any_store):
    session = any_store.start()
    exchange = session.tool_call("t", {"secret": 1}, call_id="c")
    fork = session.fork()
    fork.tool_result("c", "secret in the fork")
    session.tool_result("c", "secret in the parent")
    done = fork.erase(exchange, "by law")
    assert set(done.events) == {session.id, fork.id}
    for one in (session, fork):
        with pytest.raises(ContentErased):
            one.items.parts(exchange)
        assert one.verify().ok


def test_texts_that_are_no_items_can_be_erased(any_store):
    session = any_store.start(title="a private title")
    command = session.progress.command_executed("a private command")
    session.erase(1, "by law")
    session.erase(command, "by law")
    assert any_store.summary(session.id).title is None
    assert session.verify().ok


def test_a_goals_texts_go_with_all_its_changes(any_store):
    session = any_store.start()
    goal = session.work.set_goal("secret")
    session.work.update_goal(goal, text="another secret")
    done = session.erase(goal, "by law")
    assert [content.version for content in done.contents] == [goal, goal + 1]
    session.work.complete_goal(goal)
    assert session.verify().ok
