"""An answer, the call that it came from and the context that the call was sent are recorded together."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from backstory import BranchMoved, BudgetTooSmall, ContextStore, IdempotencyConflict, InvalidInput
from backstory.application.context.result import Context
from backstory.application.session import Session
from backstory.domain.events import ContextAssembled, ModelCalled

USAGE = {"prompt_tokens": 56, "completion_tokens": 9}
TYPES = ["context.assembled", "model.called", "message.added"]


def a_turn(session: Session, **asked: Any) -> Context:
    session.message("Which key signs the tokens?")
    return session.context(4_000, record="with_answer", **asked)


def since(session: Session, version: int) -> list[tuple[str, int | None]]:
    """Types and causes of what came after a version."""
    return [(event.type, event.cause) for event in session.events(after=version)]


def test_they_come_in_one_append_and_lead_to_one_another(any_store: Any) -> None:
    session = any_store.start().by("coder")
    context = a_turn(session)
    before = session.version
    assert context.version is None
    assert since(session, before) == []
    said = session.answered(context, "The private one.", model="gpt-5-mini", usage=USAGE, latency_ms=310)
    first = before + 1
    assert since(session, before) == list(zip(TYPES, (None, None, first + 1), strict=True))
    assert said == first + 2
    decided = session.caused_by(said).decide("Sign with the private key")
    for version in (said, decided):
        saw = session.saw(version)
        assert (saw.message, saw.call, saw.model, saw.assembly) == (said, first + 1, "gpt-5-mini", first)
        assert saw.reproduction.ok
        assert saw.reproduction.context.data == context.data
    call = next(iter(session.events(after=first, upto=first + 1))).body
    assert isinstance(call, ModelCalled)
    assert (call.input_tokens, call.assembled_tokens, call.latency_ms) == (56, context.tokens, 310)
    assert session.state.items[said].agent == "coder"
    assert session.verify().ok


def test_the_call_need_not_be_told_of(store: ContextStore) -> None:
    session = store.start()
    context = a_turn(session)
    before = session.version
    said = session.answered(context, "The private one.")
    assert since(session, before) == [("context.assembled", None), ("message.added", before + 1)]
    saw = session.saw(said)
    assert (saw.call, saw.model, saw.assembly, saw.gap) == (None, None, before + 1, None)
    assert saw.reproduction is not None
    assert saw.reproduction.ok


@pytest.mark.parametrize("model", [None, "gpt-5-mini"])
def test_a_context_that_is_recorded_is_not_recorded_again(store: ContextStore, model: str | None) -> None:
    session = store.start()
    session.message("Which key signs the tokens?")
    context = session.context(4_000)
    before = session.version
    assert context.version == before
    session.answered(context, "The private one.", model=model)
    expected = [("message.added", before)]
    if model is not None:
        expected = [("model.called", None), ("message.added", before + 1)]
    assert since(session, before) == expected


def test_two_answers_to_one_context_have_a_record_each(store: ContextStore) -> None:
    session = store.start()
    context = a_turn(session)
    first, second = (session.answered(context, answer) for answer in ("The private one.", "The other one."))
    assert {session.saw(said).assembly for said in (first, second)} == {first - 1, second - 1}
    assert session.reproduce(first - 1).ok
    assert session.reproduce(second - 1).ok


def test_an_answer_with_tool_calls_opens_its_exchange(store: ContextStore) -> None:
    session = store.start()
    context = a_turn(session)
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    answer = {"role": "assistant", "content": None, "tool_calls": [call]}
    said = session.answered(context, answer, format="openai", model="gpt-5-mini")
    assert session.state.open_calls == {"c1": said}
    session.tool_result("c1", "The private key.")
    again = session.context(4_000, record="with_answer")
    assert said in again.items("history")
    # The id is taken as long as the call is open.
    session.answered(again, {**answer, "tool_calls": [{**call, "id": "c2"}]}, format="openai")
    before = session.version
    with pytest.raises(Exception, match="c2"):
        session.answered(again, {**answer, "tool_calls": [{**call, "id": "c2"}]}, format="openai")
    assert session.version == before
    assert session.verify().ok


def test_others_may_write_before_the_answer(store: ContextStore, url: str) -> None:
    session = store.start()
    context = a_turn(session)
    with ContextStore.open(url) as elsewhere:
        other = elsewhere.session(session.id).by("ben")
        between = other.message("By the way: RS256.")
        said = session.answered(context, "The private one.", model="gpt-5-mini")
        assert said == between + 3
        saw = other.saw(said)
        assert saw.assembly == between + 1
        assert saw.reproduction is not None
        assert saw.reproduction.ok
        assert saw.reproduction.at < between
    assert between not in context.items("history")
    assert between in session.context(4_000, record="with_answer").items("history")
    assert session.verify().ok


def test_what_others_wrote_before_the_context_is_in_it(store: ContextStore, url: str) -> None:
    session = store.start()
    session.answered(a_turn(session), "The private one.")
    with ContextStore.open(url) as elsewhere:
        for record in ("with_answer", False):
            said = elsewhere.session(session.id).message("By the way: RS256.")
            assert said in session.context(4_000, record=record).items("history")


def test_many_answer_at_once(store: ContextStore, url: str) -> None:
    session = store.start()
    session.message("Who are you?")

    def answer(name: str, mine: Session) -> None:
        for number in range(6):
            context = mine.context(4_000, record="with_answer")
            mine.answered(context, f"{name} {number}", model=name)

    with ContextStore.open(url) as elsewhere:
        names = ["ada", "ben", "cleo", "dan"]
        handles = [
            (elsewhere if place % 2 else store).session(session.id).by(name)
            for place, name in enumerate(names)
        ]
        threads = [threading.Thread(target=answer, args=pair) for pair in zip(names, handles, strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    answers = [event for event in session.events(types=["message.added"]) if event.actor]
    assert len(answers) == 24
    for event in answers:
        saw = session.saw(event.version)
        assert (saw.call, saw.assembly) == (event.version - 1, event.version - 2)
        assert saw.model == event.actor
        assert saw.reproduction is not None
        assert saw.reproduction.ok
    assert session.verify().ok


def test_asked_twice_under_a_key_it_is_recorded_once(store: ContextStore, url: str) -> None:
    session = store.start()
    context = a_turn(session)
    said = session.once("turn-1").answered(context, "The private one.", model="gpt-5-mini", usage=USAGE)
    session.message("And now?")
    before = session.version
    assert (
        session.once("turn-1").answered(context, "The private one.", model="gpt-5-mini", usage=USAGE) == said
    )
    with pytest.raises(IdempotencyConflict):
        session.once("turn-1").answered(context, "The public one.", model="gpt-5-mini", usage=USAGE)
    with pytest.raises(InvalidInput, match="key: belongs to the answer"):
        session.once("turn-2").context(4_000, record="with_answer")
    assert session.version == before


def test_a_call_that_failed_is_recorded_with_its_context(store: ContextStore) -> None:
    session = store.start()
    context = a_turn(session)
    before = session.version
    call = session.model_called(context, "gpt-5-mini", error="429: slow down")
    assert [type_ for type_, _ in since(session, before)] == TYPES[:2]
    saw = session.saw(call)
    assert (saw.assembly, saw.reproduction is not None and saw.reproduction.ok) == (before + 1, True)
    with pytest.raises(InvalidInput, match="recorded with its answer"), session.atomic() as together:
        together.model_called(context, "gpt-5-mini")
    assert session.version == before + 2


def test_what_is_due_is_noticed_and_summed_up(store: ContextStore) -> None:
    session = store.start()
    session.message("Let's use RS256 to sign access tokens.")
    for number in range(16):
        session.message(f"Part {number} is done.", role="agent" if number % 2 else "user")
    context = session.context(4_000, record="with_answer")
    assert len(session.state.candidates) == 1
    assert session.state.summary is not None
    assert context.items("summary") == (session.state.summary.item,)
    said = session.answered(context, "Good.")
    assert session.reproduce(said - 1).ok


def test_after_a_backtrack_it_answers_nothing(store: ContextStore, url: str) -> None:
    session = store.start()
    back = session.message("Hello")
    context = a_turn(session)
    with ContextStore.open(url) as elsewhere:
        elsewhere.session(session.id).backtrack(back, "another way")
    for _ in range(2):
        before = session.version
        with pytest.raises(BranchMoved):
            session.answered(context, "The private one.")
        assert session.version == before
        session.refresh()


BAD: dict[str, tuple[Callable[[Session, Context], object], str]] = {
    "no context": (lambda s, c: s.answered("hello", "Hi."), "context: must be a Context"),  # type: ignore[arg-type]
    "an empty answer": (lambda s, c: s.answered(c, ""), "content"),
    "a role": (lambda s, c: s.answered(c, "Hi.", role="nobody"), "role"),
    "usage of no call": (lambda s, c: s.answered(c, "Hi.", usage=USAGE), "usage: is told of a call"),
    "an empty model": (lambda s, c: s.answered(c, "Hi.", model=""), "model"),
    "a bad latency": (lambda s, c: s.answered(c, "Hi.", model="m", latency_ms=-1), "latency_ms"),
    "a preview": (lambda s, c: s.answered(s.context(4_000, record=False), "Hi."), "context: was a preview"),
    "when to record": (lambda s, c: s.context(4_000, record="later"), "record: must be"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_named_and_changes_nothing(store: ContextStore, name: str) -> None:
    session = store.start()
    context = a_turn(session)
    before = session.version
    ask, words = BAD[name]
    with pytest.raises(InvalidInput, match=words):
        ask(session, context)
    assert session.version == before


def test_a_context_of_another_session_is_refused(store: ContextStore) -> None:
    session, other = store.start(), store.start()
    context = a_turn(session)
    with pytest.raises(InvalidInput, match="context: must be one of this session"):
        other.answered(context, "Hi.")
    with pytest.raises(InvalidInput, match="another one"):
        other.answered(session.context(4_000), "Hi.")
    assert other.version == 1


def test_a_budget_that_is_too_small_leaves_nothing(store: ContextStore) -> None:
    session = store.start()
    session.message("Let's use RS256 to sign access tokens.")
    session.context(4_000, record=False)
    before = session.version
    for record in ("with_answer", False):
        with pytest.raises(BudgetTooSmall):
            session.context(1, record=record)
    assert session.version == before


def test_one_connection_is_enough(store: ContextStore, url: str) -> None:
    """A context is made and recorded in a store with one connection."""
    session = store.start()
    for number in range(8):
        session.message(f"Part {number}", role="agent" if number % 2 else "user")
    with ContextStore.open(url, pool_size=1, patience=5) as narrow:
        mine = narrow.session(session.id)
        for number in range(4):
            shown = mine.context(4_000, record="with_answer")
            mine.answered(shown, f"Yes {number}")
            # Nothing of it is at hand any more.
            narrow._runtime.contents.forget(session.id)
            mine.context(4_000, record=False)
    kinds = [type(event.body) for event in session.events()]
    assert kinds.count(ContextAssembled) == 4
    assert session.verify().ok
