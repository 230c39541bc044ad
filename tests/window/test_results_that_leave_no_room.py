"""A result that is too large for its window is shown as a stub, so that nothing else has to leave for it."""

import pytest

from backstory import ContextStore, WindowPolicy
from backstory.application.session import Session
from backstory.domain.events import ResultsStubbed
from tests.compact.conversations import a_session, live, talk

LIMIT = 4_000


def _exchange(session: Session, name: str, lines: int) -> int:
    call = session.tool_call("read_file", {"path": f"logs/{name}.log"}, call_id=name)
    session.tool_result(name, f"{name}: verify_token failed in core/signer.py\n" * lines)
    return call


@pytest.fixture
def session(store: ContextStore) -> Session:
    session = a_session(store, limit=LIMIT)
    talk(session, 6)
    return session


def test_larger_than_the_window(session: Session) -> None:
    small = _exchange(session, "small", 10)
    huge = _exchange(session, "huge", 1_000)
    before = live(session)
    checked = session.before_call()
    assert checked.zone_before == "critical"
    assert checked.actions == ("checkpoint", "alert", "stubs")
    assert checked.zone == "safe"
    assert live(session) == before
    assert set(session.state.stubs) == {huge}
    shown = session.messages(format="openai")
    told = {message["tool_call_id"]: message["content"] for message in shown if message["role"] == "tool"}
    assert "verify_token" in told["huge"]
    assert len(told["huge"]) < 500
    assert told["small"] == session.text(small)


def test_it_is_whole_again_where_there_is_room(session: Session) -> None:
    huge = _exchange(session, "huge", 1_000)
    tokens = session.state.tokens
    session.before_call()
    session.window.configure(limit=100_000)
    session.window.restore_results(huge)
    assert session.state.tokens == tokens
    assert session.before_call().actions == ()


def test_the_newest_is_whole_where_the_others_are_enough(session: Session) -> None:
    older = [_exchange(session, f"older-{number}", 100) for number in range(3)]
    newest = _exchange(session, "newest", 60)
    before = live(session)
    checked = session.before_call()
    assert "stubs" in checked.actions
    assert newest not in session.state.stubs
    assert 0 < len(session.state.stubs) < len(older) + 1
    assert live(session) == before


def test_with_the_next_call(session: Session) -> None:
    large = _exchange(session, "large", 150)
    usage = session.state.tokens / LIMIT
    assert usage < 0.7
    assert session.before_call().actions == ()
    checked = session.before_call(next_tokens=int(LIMIT * (0.97 - usage)))
    assert "stubs" in checked.actions
    assert set(session.state.stubs) == {large}
    assert checked.tokens + checked.next_tokens < LIMIT * 0.85


def test_what_is_pinned_is_shown_whole(session: Session) -> None:
    pinned = _exchange(session, "pinned", 100)
    session.items.pin(pinned)
    large = _exchange(session, "large", 250)
    talk(session, 1)
    session.before_call()
    assert set(session.state.stubs) == {large}


def test_of_messages_that_leave_no_room_the_newest_result_stays_whole(store: ContextStore) -> None:
    """A stub would not help: the messages have to leave in any case, and then the result has room."""
    session = store.start(limit=LIMIT)
    for _ in range(8):
        session.message("some words of a very long message " * 100)
    newest = _exchange(session, "newest", 40)
    checked = session.before_call()
    assert checked.actions[-1] == "recover:minimal"
    assert not session.state.stubs
    assert newest in live(session)


def test_where_only_the_least_has_room_the_newest_is_a_stub(store: ContextStore) -> None:
    session = store.start(limit=LIMIT)
    for _ in range(8):
        session.message("some words of a very long message " * 100)
    huge = _exchange(session, "huge", 1_000)
    checked = session.before_call()
    assert checked.actions[-1] == "recover:minimal"
    assert set(session.state.stubs) == {huge}
    assert huge in live(session)


def test_a_recovery_by_hand(session: Session) -> None:
    huge = _exchange(session, "huge", 1_000)
    before = live(session)
    recovered = session.window.recover()
    assert recovered.way == "stubs"
    assert recovered.tokens_after == session.state.tokens < LIMIT
    assert set(session.state.stubs) == {huge}
    assert live(session) == before
    (event,) = session.events(after=recovered.events[-1] - 1)
    assert isinstance(event.body, ResultsStubbed)
    assert event.body.trigger == "context_overflow"
    session.checkpoints.restore(recovered.emergency)
    assert not session.state.stubs


def test_a_window_of_another_encoding(store: ContextStore) -> None:
    session = store.start(limit=1_000_000)
    session.window.configure("small", limit=LIMIT, encoding="cl100k_base")
    session.message("Why does it fail?", windows=("main", "small"))
    session.message(
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "type": "function", "function": {"name": "read", "arguments": "{}"}}],
        },
        format="openai",
        windows=("main", "small"),
    )
    session.tool_result("c", "verify_token failed in core/signer.py\n" * 1_000)
    checked = session.before_call(window="small", policy=WindowPolicy(name="other"))
    assert "stubs" in checked.actions
    assert checked.tokens == session.state.windows["small"].tokens < LIMIT
