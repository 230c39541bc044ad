"""The same call again under its key answers with the first result; another call under that key is refused."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest

from backstory.application.identifiers import new_session_id
from backstory.domain.effects import Effects, NewItem
from backstory.domain.errors import IdempotencyConflict, InvalidInput, ItemNotLive, NoLiveCall, SessionNotOpen
from backstory.domain.events import EventBody


class Counted(EventBody):
    type = "idempotency:counted"
    number: int


NEW = NewItem(type="note", tokens=1, importance=0.5, tier="WARM")

WRITES = {
    "message": (lambda s, on: s.message("a"), lambda s, on: s.message("b")),
    "long message": (lambda s, on: s.message("a" * 5000), lambda s, on: s.message("a" * 5001)),
    "role": (lambda s, on: s.message("a"), lambda s, on: s.message("a", role="system")),
    "provider's": (
        lambda s, on: s.message({"role": "user", "content": "a"}, format="openai"),
        lambda s, on: s.message({"role": "user", "content": "a"}, format="anthropic"),
    ),
    "save": (
        lambda s, on: s.items.save("code", "a"),
        lambda s, on: s.items.save("code", "a", media_type="text/x-python"),
    ),
    "tool_call": (
        lambda s, on: s.tool_call("t", {"a": 1}, call_id="c"),
        lambda s, on: s.tool_call("t", {"a": 2}, call_id="c"),
    ),
    "tool_result": (
        lambda s, on: s.tool_result("open", "a"),
        lambda s, on: s.tool_result("open", "a", is_error=True),
    ),
    "touch": (lambda s, on: s.items.touch(on["item"]), lambda s, on: s.items.touch(on["goal"])),
    "remove": (lambda s, on: s.items.remove(on["item"]), lambda s, on: s.items.remove(on["goal"])),
    "remove, why": (
        lambda s, on: s.items.remove(on["item"], why="a"),
        lambda s, on: s.items.remove(on["item"], why="b"),
    ),
    "bring_back": (
        lambda s, on: s.items.bring_back(on["gone"]),
        lambda s, on: s.items.bring_back(on["gone too"]),
    ),
    "bring_back elsewhere": (
        lambda s, on: s.items.bring_back(on["gone"]),
        lambda s, on: s.items.bring_back(on["gone"], window="other"),
    ),
    "deprecate": (
        lambda s, on: s.items.deprecate(on["item"]),
        lambda s, on: s.items.deprecate(on["item"], by=on["goal"]),
    ),
    "error": (lambda s, on: s.progress.error("a"), lambda s, on: s.progress.error("a", name="b")),
    "decide": (
        lambda s, on: s.decide("a", rationale="b", impact=["c", "d"]),
        lambda s, on: s.decide("a", rationale="b", impact=["d", "c"]),
    ),
    "set_goal": (lambda s, on: s.work.set_goal("a"), lambda s, on: s.work.set_goal("b")),
    "sub-goal": (lambda s, on: s.work.set_goal("a", parent=on["goal"]), lambda s, on: s.work.set_goal("a")),
    "update_goal": (
        lambda s, on: s.work.update_goal(on["goal"], text="a"),
        lambda s, on: s.work.update_goal(on["goal"], text="b"),
    ),
    "complete_goal": (
        lambda s, on: s.work.complete_goal(on["goal"]),
        lambda s, on: s.work.complete_goal(on["item"]),
    ),
    "action": (
        lambda s, on: s.work.add_action("a", due=datetime(2026, 1, 1, tzinfo=UTC)),
        lambda s, on: s.work.add_action("a", due=datetime(2026, 1, 2, tzinfo=UTC)),
    ),
    "answer": (
        lambda s, on: s.work.answer(on["question"], "a"),
        lambda s, on: s.work.answer(on["question"], "b"),
    ),
    "start_task": (lambda s, on: s.work.start_task("a", "x"), lambda s, on: s.work.start_task("b", "x")),
    "checkpoint": (lambda s, on: s.checkpoints.create("a"), lambda s, on: s.checkpoints.create("b")),
    "end": (lambda s, on: s.end("a"), lambda s, on: s.end()),
    "rename": (lambda s, on: s.details.rename("a"), lambda s, on: s.details.rename("b")),
    "custom": (
        lambda s, on: s.record(Counted(number=1), effects=Effects(brings=NEW)),
        lambda s, on: s.record(Counted(number=1), effects=Effects(touches=(on["item"],))),
    ),
    "window": (lambda s, on: s.window.configure(limit=5), lambda s, on: s.window.configure(limit=6)),
    "encoding": (
        lambda s, on: s.window.configure(encoding="cl100k_base"),
        lambda s, on: s.window.configure("other", encoding="cl100k_base"),
    ),
    "backtrack": (lambda s, on: s.backtrack(2, "a"), lambda s, on: s.backtrack(2, "b")),
    "backtrack elsewhere": (lambda s, on: s.backtrack(2, "a"), lambda s, on: s.backtrack(3, "a")),
    "atomic": (
        lambda s, on: (
            s.atomically(lambda tx: (tx.message("a"), tx.work.complete_goal(on["goal"]))) and s.version
        ),
        lambda s, on: s.atomically(lambda tx: (tx.work.complete_goal(on["goal"]), tx.message("a"))),
    ),
    "blind atomic": (
        lambda s, on: s.atomically(lambda tx: (tx.message("a"), tx.message("b"))) and s.version,
        lambda s, on: s.atomically(lambda tx: tx.message("a")),
    ),
    "actor": (lambda s, on: s.by("a").message("x"), lambda s, on: s.by("b").message("x")),
    "time": (
        lambda s, on: s.occurred(datetime(2026, 1, 1, tzinfo=UTC)).message("x"),
        lambda s, on: s.occurred(datetime(2026, 1, 2, tzinfo=UTC)).message("x"),
    ),
    "cause": (lambda s, on: s.caused_by(1).message("x"), lambda s, on: s.caused_by(2).message("x")),
}


def prepared(store):
    session = store.start()
    on = {
        "item": session.message("hello"),
        "goal": session.work.set_goal("goal"),
        "question": session.work.ask("question"),
        "gone": session.message("gone"),
        "gone too": session.message("gone too"),
    }
    session.tool_call("t", {}, call_id="open")
    session.items.remove(on["gone"], on["gone too"])
    return session, on


@pytest.mark.parametrize(("write", "other"), WRITES.values(), ids=WRITES)
def test_every_kind_of_write(any_store, write, other):
    session, on = prepared(any_store)
    first = write(session.once("k"), on)
    newest = session.version
    state = session.state
    assert write(session.once("k"), on) == first
    assert write(any_store.session(session.id).once("k"), on) == first
    with pytest.raises(IdempotencyConflict, match="used for another request"):
        other(session.once("k"), on)
    assert session.version == newest
    assert session.state == state
    assert session.verify().ok


@pytest.mark.parametrize(("write", "other"), WRITES.values(), ids=WRITES)
def test_without_the_key_or_under_another_it_is_another_request(store, write, other):
    session, on = prepared(store)
    write(session.once("k"), on)
    newest = session.version
    with suppress(InvalidInput, ItemNotLive, NoLiveCall, SessionNotOpen):
        write(session.once("another"), on)
        assert session.version > newest
        return
    assert session.version == newest


def test_the_answer_is_the_first_result_also_when_the_session_has_moved_on(any_store):
    session, on = prepared(any_store)
    first = session.once("k").work.complete_goal(on["goal"])
    session.message("more")
    session.backtrack(2, "away with it")
    assert session.once("k").work.complete_goal(on["goal"]) == first
    session.end()
    assert session.once("k").work.complete_goal(on["goal"]) == first


def test_a_writer_who_missed_a_backtrack_still_gets_his_first_result(any_store):
    session = any_store.start()
    late = any_store.session(session.id)
    first = late.once("k").message("hello")
    session.backtrack(1, "again")
    assert late.once("k").message("hello") == first


def test_a_refused_request_does_not_use_up_its_key(any_store):
    session, on = prepared(any_store)
    session.items.remove(on["item"])
    with pytest.raises(ItemNotLive):
        session.once("k").items.remove(on["item"])
    assert session.once("k").message("something else") == session.version


def test_keys_belong_to_their_session(any_store):
    one, two = any_store.start(), any_store.start()
    assert one.once("k").message("a") == two.once("k").message("b") == 2


def test_a_fork_does_not_inherit_keys(any_store):
    session = any_store.start()
    session.once("k").message("a")
    fork = session.fork()
    assert fork.once("k").message("b") == 4


def test_starting_is_idempotent_by_id(any_store):
    id = new_session_id()
    first = any_store.start(id, title="one")
    first.message("hello")
    again = any_store.start(id, title="one")
    assert again.version == 2
    assert any_store.summary(id).title == "one"
    assert again.message("on it goes") == 3


def test_a_session_that_was_backtracked_is_found_as_it_is(any_store):
    id = new_session_id()
    session = any_store.start(id)
    session.message("hello")
    session.backtrack(1, "again")
    again = any_store.start(id)
    assert (again.version, again.epoch) == (3, 1)
    assert again.message("on it goes") == 4


def test_forking_is_idempotent_by_id(any_store):
    session = any_store.start()
    session.message("one")
    id = new_session_id()
    fork = session.fork(2, id=id)
    fork.message("in the fork")
    fork.backtrack(2, "again")
    session.message("two")
    for again in (session.fork(2, id=id), session.fork(id=id)):
        assert again.id == id
        again.message("more")
    with pytest.raises(InvalidInput, match="is another session already"):
        session.fork(1, id=id)
    assert fork.version == 7
    assert fork.verify().ok


def test_a_fork_cannot_be_what_is_already_there(any_store):
    session, other = any_store.start(), any_store.start()
    session.message("one")
    session.backtrack(1, "again")
    for id in (session.id, other.id):
        with pytest.raises(InvalidInput, match="is another session already"):
            session.fork(id=id)
    assert (session.version, other.version) == (3, 1)
