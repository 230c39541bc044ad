"""Bad input: one named error, one clear sentence, nothing left behind."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from backstory.domain.errors import (
    BranchMoved,
    IdempotencyConflict,
    InvalidInput,
    InvalidMessage,
    ItemNotLive,
    NoLiveCall,
    Refused,
    UnknownEncoding,
    UnknownItem,
    UnknownSession,
    UnknownVersion,
)
from backstory.domain.messages.contents import Message, Part

HUGE = "x" * (20 * 2**20)
NAIVE = datetime(2026, 1, 1)  # noqa: DTZ001


def stale(store, session):
    """A handle from before a backtrack."""
    handle = store.session(session.id)
    other = store.session(session.id)
    other.backtrack(2, "another way")
    return handle


READS = {
    "a version from the future": (lambda s: s.at(99), UnknownVersion, "version 99 does not exist: .* 1 to 5"),
    "version 0": (lambda s: s.at(0), UnknownVersion, "version 0 does not exist"),
    "a version that is a long text": (
        lambda s: s.at(HUGE),
        InvalidInput,
        "version: must be a whole number, got 'xxx",
    ),
    "a negative version": (lambda s: s.at(-1), UnknownVersion, "version -1 does not exist"),
    "a version beyond all integers": (lambda s: s.at(10**30), UnknownVersion, "does not exist"),
    "a diff into the future": (lambda s: s.diff(1, 99), UnknownVersion, "version 99 does not exist"),
    "events up to the future": (
        lambda s: list(s.events(upto=99)),
        UnknownVersion,
        "version 99 does not exist",
    ),
    "events after a negative one": (
        lambda s: list(s.events(after=-1)),
        InvalidInput,
        "after: must not be negative",
    ),
    "an unknown item": (lambda s: s.text(99), UnknownItem, "item 99 does not exist"),
    "an item that is none": (lambda s: s.items.parts(1), UnknownItem, "version 1 brought no item"),
    "messages of the future": (lambda s: s.messages(at=99), UnknownVersion, "version 99 does not exist"),
    "an unknown format": (lambda s: s.messages(format="morse"), InvalidInput, "format: must be one of"),
}

WRITES = {
    "backtracking to 0": (
        lambda s: s.backtrack(0, "x"),
        UnknownVersion,
        "cannot backtrack to version 0: .* 1 to 5",
    ),
    "backtracking past the end": (
        lambda s: s.backtrack(6, "x"),
        UnknownVersion,
        "cannot backtrack to version 6",
    ),
    "backtracking to now": (lambda s: s.backtrack(5, "x"), InvalidInput, "to: version 5 is the current one"),
    "backtracking without a reason": (lambda s: s.backtrack(1, ""), InvalidInput, "why: must not be empty"),
    "redo of nothing": (lambda s: s.redo(), InvalidInput, "redo: there is no backtrack to take back"),
    "forking from the future": (lambda s: s.fork(99), UnknownVersion, "version 99 does not exist"),
    "forking from 0": (lambda s: s.fork(0), UnknownVersion, "version 0 does not exist"),
    "an empty message": (lambda s: s.message(""), InvalidInput, "content: must not be empty"),
    "a message of empty parts": (
        lambda s: s.message(Message("user", (Part("text", b""),))),
        InvalidInput,
        "content: must not be empty",
    ),
    "an empty message of a provider's": (
        lambda s: s.message({"role": "user", "content": ""}, format="openai"),
        InvalidInput,
        "content: must not be empty",
    ),
    "a message of 20 MB": (
        lambda s: s.message(HUGE),
        InvalidInput,
        r"content\[0\]: .* at most 16 MiB, has 20.0",
    ),
    "a result of 20 MB": (lambda s: s.tool_result("call", HUGE), InvalidInput, "must have at most 16 MiB"),
    "a decision of 20 MB": (
        lambda s: s.decide("x", rationale=HUGE),
        InvalidInput,
        "rationale: .* at most 16 MiB",
    ),
    "20 MB saved": (lambda s: s.items.save("log", HUGE.encode()), InvalidInput, "must have at most 16 MiB"),
    "NUL in a name": (
        lambda s: s.by("a\0b"),
        InvalidInput,
        r"actor: must be printable, has '\\x00' at character 1",
    ),
    "NUL in a key": (lambda s: s.once("\0"), InvalidInput, "key: must be printable"),
    "NUL in a tag": (lambda s: s.details.tag("a\0"), InvalidInput, "tags.0: must be printable"),
    "NUL in a type": (lambda s: s.items.save("a\0", "x"), InvalidInput, "type: must be printable"),
    "NUL in a window's name": (
        lambda s: s.message("x", windows=["\0"]),
        InvalidInput,
        "windows: must be printable",
    ),
    "NUL in a call's id": (
        lambda s: s.tool_call("t", {}, call_id="\0"),
        InvalidInput,
        "call_id: must be printable",
    ),
    "a lone surrogate": (
        lambda s: s.message("a\ud800"),
        InvalidMessage,
        "has a lone surrogate at character 1",
    ),
    "a lone surrogate in a result": (
        lambda s: s.tool_result("call", "\udfff"),
        InvalidMessage,
        "result: has a lone surrogate",
    ),
    "a lone surrogate in a decision": (
        lambda s: s.decide("\ud800"),
        InvalidMessage,
        "text: has a lone surrogate",
    ),
    "a lone surrogate in arguments": (
        lambda s: s.tool_call("t", {"a": "\ud800"}, call_id="c"),
        InvalidInput,
        "arguments: must be JSON",
    ),
    "a lone surrogate in a provider's message": (
        lambda s: s.message({"role": "user", "content": "\ud800"}, format="anthropic"),
        InvalidMessage,
        "lone surrogate",
    ),
    "a lone surrogate in a name": (
        lambda s: s.details.join("\ud800"),
        InvalidInput,
        "name: must be printable",
    ),
    "a naive datetime": (lambda s: s.occurred(NAIVE), InvalidInput, "occurred_at: must have a time zone"),
    "a naive due time": (
        lambda s: s.work.add_action("x", due=NAIVE),
        InvalidInput,
        "due: must have a time zone",
    ),
    "a negative limit": (
        lambda s: s.window.configure(limit=-1),
        InvalidInput,
        "limit: .* greater than or equal to 1",
    ),
    "a limit of 0": (
        lambda s: s.window.configure(limit=0),
        InvalidInput,
        "limit: .* greater than or equal to 1",
    ),
    "a limit beyond integers": (lambda s: s.window.configure(limit=2**31), InvalidInput, "limit"),
    "an unknown encoding": (
        lambda s: s.window.configure(encoding="morse"),
        UnknownEncoding,
        "encoding: .*morse",
    ),
    "a result with no live call": (
        lambda s: s.tool_result("other", "x"),
        NoLiveCall,
        "tool result 'other' answers no live call",
    ),
    "a provider's result with no live call": (
        lambda s: s.message({"role": "tool", "tool_call_id": "other", "content": "x"}, format="openai"),
        NoLiveCall,
        "answers no live call",
    ),
    "a call's id twice": (
        lambda s: s.message(
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "a", "name": "t", "input": {}}] * 2,
            },
            format="anthropic",
        ),
        InvalidMessage,
        "uses the tool call id 'a' twice",
    ),
    "an item of the future removed": (lambda s: s.items.remove(99), UnknownItem, "item 99 does not exist"),
    "what is no item removed": (lambda s: s.items.remove(1), ItemNotLive, "item 1 is not live in any window"),
    "a goal that is none": (lambda s: s.work.complete_goal(2), ItemNotLive, "goal 2 is not open"),
    "nothing touched": (lambda s: s.items.touch(), InvalidInput, "items: must name at least one item"),
    "importance over 1": (lambda s: s.message("x", importance=1.1), InvalidInput, "importance"),
    "importance of nobody knows": (
        lambda s: s.message("x", importance=float("nan")),
        InvalidInput,
        "importance",
    ),
    "an unknown role": (
        lambda s: s.message("x", role="ghost"),
        InvalidInput,
        "role: must be one of user, agent",
    ),
    "one text for a list": (lambda s: s.progress.focus("a.py"), InvalidInput, "files: must be a list"),
    "an unknown priority": (lambda s: s.work.set_goal("x", priority="P9"), InvalidInput, "priority"),
    "an unknown status": (lambda s: s.work.set_goal("x", status="done"), InvalidInput, "status"),
    "a goal changed in nothing": (
        lambda s: s.work.update_goal(4),
        InvalidInput,
        "must change the goal's text",
    ),
    "a cause that is no version": (lambda s: s.caused_by(0), InvalidInput, "cause: must be a version"),
    "erasing what says nothing": (
        lambda s: s.erase(1, "law"),
        Refused,
        "version 1 has no contents left to erase",
    ),
    "erasing without a reason": (lambda s: s.erase(2, ""), InvalidInput, "why: must not be empty"),
    "erasing from the future": (lambda s: s.erase(99, "law"), UnknownItem, "item 99 does not exist"),
    "too many contents": (
        lambda s: s.decide("x", alternatives_rejected=["y"] * 33_000),
        InvalidInput,
        "at most 32768 contents",
    ),
    "a label that is too long": (
        lambda s: s.progress.set_phase("x" * 201),
        InvalidInput,
        "phase: must have at most 200",
    ),
    "a blank label": (lambda s: s.progress.set_phase(" "), InvalidInput, "phase: must not be empty"),
    "arguments that are not JSON": (
        lambda s: s.tool_call("t", {"a": {1}}, call_id="c"),
        InvalidInput,
        "arguments",
    ),
    "no number in arguments": (
        lambda s: s.tool_call("t", {"a": float("nan")}, call_id="c"),
        InvalidInput,
        "arguments: must be JSON",
    ),
}


@pytest.fixture
def session(any_store):
    session = any_store.start()
    session.message("hello")
    session.tool_call("t", {}, call_id="call")
    session.work.set_goal("goal")
    session.checkpoints.create("here")
    return session


@pytest.mark.parametrize(("attempt", "error", "sentence"), (READS | WRITES).values(), ids=READS | WRITES)
def test_bad_input(any_traces, session, attempt, error, sentence):
    before, streams = any_traces.of(session.id), any_traces.streams()
    with pytest.raises(error, match=sentence) as raised:
        attempt(session)
    assert type(raised.value) is error
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 300
    assert any_traces.of(session.id) == before
    assert any_traces.streams() == streams


@pytest.mark.parametrize("id", [uuid4(), str(uuid4())], ids=["a UUID", "its text"])
@pytest.mark.parametrize("ask", [lambda store, id: store.session(id), lambda store, id: store.summary(id)])
def test_an_unknown_session(any_store, id, ask):
    with pytest.raises(UnknownSession, match=f"session {id} does not exist"):
        ask(any_store, id)


@pytest.mark.parametrize("id", ["nonsense", "", None, 5, b"x", [], "\0"])
def test_an_id_that_is_none(any_store, id):
    with pytest.raises(InvalidInput, match="session: must be an id"):
        any_store.session(id)
    if id is not None:
        with pytest.raises(InvalidInput, match="session: must be a UUID"):
            any_store.start(id)


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ({"limit": -1}, InvalidInput, "limit: "),
        ({"limit": "much"}, InvalidInput, "limit: "),
        ({"encoding": "morse"}, UnknownEncoding, "morse"),
        ({"encoding": 5}, InvalidInput, "encoding"),
        ({"title": ""}, InvalidInput, "title: must not be empty"),
        ({"title": "\ud800"}, InvalidMessage, "title: has a lone surrogate"),
        ({"title": HUGE}, InvalidInput, "title: must have at most 16 MiB"),
        ({"tags": "one"}, InvalidInput, "tags: must be a list"),
        ({"tags": None}, InvalidInput, "tags: must be a list"),
        ({"tags": ["\0"]}, InvalidInput, "tags.0: must be printable"),
        ({"tags": [5]}, InvalidInput, "tags.0"),
        ({"project": ""}, InvalidInput, "project: must not be empty"),
        ({"project": 5}, InvalidInput, "project"),
        ({"actor": "\0"}, InvalidInput, "actor: must be printable"),
        ({"model": ""}, InvalidInput, "model: must not be empty"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_session_that_cannot_be_started(any_store, any_traces, given, error, sentence):
    streams = any_traces.streams()
    with pytest.raises(error, match=sentence):
        any_store.start(**given)
    assert any_traces.streams() == streams


@pytest.mark.parametrize(
    "given", [{"limit": 0}, {"limit": -5}, {"limit": None}, {"limit": 2**40}, {"limit": "x"}]
)
def test_lists_have_limits(any_store, given):
    with pytest.raises(InvalidInput, match="limit: must be"):
        any_store.sessions(**given)


@pytest.mark.parametrize("given", [{"project": "\0"}, {"status": "\0"}, {"tag": "\ud800"}, {"tag": "\0"}])
def test_filters_that_nothing_can_match(any_store, given):
    with pytest.raises(InvalidInput):
        any_store.sessions(**given)


def test_a_stale_epoch(any_store, any_traces, session):
    handle = stale(any_store, session)
    before = any_traces.of(session.id)
    with pytest.raises(BranchMoved, match="was backtracked and is in epoch 1"):
        handle.message("late")
    assert any_traces.of(session.id) == before


def test_a_key_used_for_something_else(any_traces, session):
    session.once("k").message("one")
    before = any_traces.of(session.id)
    with pytest.raises(IdempotencyConflict, match="key was used for another request"):
        session.once("k").message("two")
    assert any_traces.of(session.id) == before


def test_nul_in_text_is_text(any_store):
    session = any_store.start(title="ti\0tle")
    text = "a\0b\0\0"
    said = session.message(text)
    session.tool_call("t", {"a": "\0"}, call_id="c", text="\0")
    session.tool_result("c", text)
    decided = session.decide(text, rationale=text)
    goal = session.work.set_goal(text)
    assert session.text(said) == text
    assert session.items.parts(said)[0].data == b"a\0b\0\0"
    assert session.text(decided) == f"{text}\n{text}"
    assert session.items.text_at(session.state.goals[goal].text) == text
    assert [m.parts[-1].data for m in session.messages()] == [b"a\0b\0\0", b'{"a": "\\u0000"}', b"a\0b\0\0"]
    assert any_store.summary(session.id).title == "ti\0tle"
    assert session.verify().ok


def test_sixteen_mib_are_not_too_much(store):
    session = store.start()
    data = bytes(range(256)) * (16 * 2**12)
    item = session.items.save("artifact", data, media_type="application/octet-stream")
    assert session.items.parts(item)[0].data == data
    assert session.verify().ok


def test_the_ends_of_time(any_store):
    session = any_store.start()
    moments = [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
    items = [session.occurred(moment).message("then") for moment in moments]
    assert [item.brought_at for item in session.items.list()] == moments
    session.backtrack(1, "again")
    session.redo()
    session.items.remove(*items)
    fork = session.fork()
    fork.items.bring_back(*items)
    assert [item.brought_at for item in fork.items.list()] == moments
    assert fork.verify().ok
    assert session.verify().ok
