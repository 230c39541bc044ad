"""The laws of a context, whatever the session, the format and the budget: never over it, essentials first, sums that
are exact, the newest instruction as it was said, and every item shown or counted."""

import hashlib
from typing import Any

import pytest
from hypothesis import given, strategies as st

from backstory.application.context.result import Context
from backstory.application.session import Session
from backstory.domain.context.history import is_visible
from backstory.domain.effects import Effects, Recount
from backstory.domain.errors import BudgetTooSmall, ContentErased
from backstory.domain.log.ranges import from_ranges
from backstory.domain.policies.assembly import DEFAULT_ASSEMBLY
from tests.context.prompts import calls_and_results, counted, texts
from tests.properties import examples
from tests.replay.histories import FORMATS, POLICIES, WINDOWS, Happened, World, a_store, histories

asked = st.fixed_dictionaries(
    {
        "budget": st.one_of(st.integers(0, 2_000), st.integers(0, 200_000)),
        "format": st.sampled_from(FORMATS),
        "policy": st.sampled_from(POLICIES),
        "query": st.sampled_from((None, "short ünï")),
        "window": st.sampled_from(WINDOWS),
        "agent": st.sampled_from((None, "agent-0", "someone")),
        "reserve": st.sampled_from((None, 0, 100)),
    }
)


@examples(8)
@given(history=histories(50, without="backtrack"), wishes=st.lists(asked, min_size=6, max_size=12))
def test_no_context_is_over_its_budget(store, history, wishes):
    world = World(a_store(store))
    world.tell(history)
    for number, wish in enumerate(wishes):
        session = world.told[number % len(world.told)].session
        window = wish["window"] if wish["window"] in session.state.windows else "main"
        holds(session, **{**wish, "window": window})


def holds(session: Session, budget: int, **wanted: Any) -> None:
    def ask(budget: int) -> Context:
        return session.context(budget, record=False, **wanted)

    refused = None
    try:
        context = ask(budget)
    except BudgetTooSmall as error:
        refused = error
    if refused is not None:
        assert refused.needed > budget
        assert str(refused.needed) in str(refused)
        with pytest.raises(BudgetTooSmall):
            ask(refused.needed - 1)
        budget = refused.needed
        context = ask(budget)
    state = session.state
    encoding = state.windows[wanted["window"]].encoding or "o200k_base"
    assert counted(context, encoding) <= context.tokens
    assert context.tokens + context.reserve <= budget
    assert sum(section.tokens for section in context.sections) == context.tokens
    assert hashlib.sha256(context.data).hexdigest() == context.sha256
    essentials_are_there(session, context, wanted)
    the_instruction_is_there(session, context, wanted["window"], wanted["agent"])
    the_task_is_there(session, context)
    nothing_is_passed_over(session, context, wanted["window"], wanted["agent"])
    only_what_may_be_seen(session, context, wanted["window"], wanted["agent"])
    if context.format in ("openai", "anthropic"):
        calls, results = calls_and_results(context)
        assert sorted(calls) == sorted(results)


def essentials_are_there(session: Session, context: Context, wanted: dict[str, Any]) -> None:
    state = session.state
    said = "\n".join(texts(context))
    for constraint in state.constraints:
        _assert_told(session, constraint, said)
    for note in state.decisions[-wanted["policy"].decisions :]:
        _assert_told(session, note.id, said)
    prompt = state.items.get(state.system_prompt or 0)
    # One that was removed may have been brought back into another window.
    if prompt is not None and wanted["window"] in prompt.windows:
        _assert_told(session, prompt.id, said)


def the_instruction_is_there(session: Session, context: Context, window: str, agent: str | None) -> None:
    """The user's newest message, verbatim, as a message of its own. What an agent says itself is not the user's."""
    state = session.state
    for item in reversed(state.live(window)):
        if item.type == "message" and item.role == "user" and is_visible(item, window, agent):
            try:
                text = session.text(item.id)
            except ContentErased:
                continue
            if item.agent is not None and (item.agent == agent or item.agent in state.agents):
                continue
            assert item.id in context.items("history")
            # Of a message without any part there is nothing to show.
            assert not session.items.parts(item.id) or stands_alone(context, text, item.agent)
            return


def the_task_is_there(session: Session, context: Context) -> None:
    state = session.state
    if state.current_task is None:
        return
    place = state.tasks[state.current_task].text
    try:
        text = _first_line(session.text(place[0]))
    except ContentErased:
        return
    assert context.items("task") == (state.tasks[state.current_task].item,)
    if context.format in ("openai", "anthropic"):
        said = [message["content"] for message in context.messages if message["role"] == "user"]
        assert any(text in one and one.startswith("Current task [") for one in said)
    elif context.format == "parts":
        assert any(one["section"] == "task" and text in one["text"] for one in context.messages)
    else:
        assert text in (context.text or "")


def stands_alone(context: Context, text: str, speaker: str | None) -> bool:
    if context.format == "markdown":
        return text in (context.text or "")
    if context.format == "parts":
        return [text] in [[part["text"] for part in one.get("parts", ())] for one in context.messages]
    said = [message for message in context.messages if message["role"] == "user"]
    if speaker is None:
        return {"role": "user", "content": text} in said
    # The speaker's name stands in front where the format has no field for it.
    return any(str(message["content"]).endswith(text) for message in said)


def nothing_is_passed_over(session: Session, context: Context, window: str, agent: str | None) -> None:
    """Every item that the caller could see is in a section or counted among those left out."""
    visible = {item.id for item in session.state.items.values() if is_visible(item, window, agent)}
    shown = {item for one in context.sections if one.name != "entities" for item in from_ranges(one.items)}
    left_out = sum(count for reason, count in context.left_out.items() if reason != "files_over_share")
    assert len(visible - shown) == left_out


def _assert_told(session: Session, item: int, said: str) -> None:
    try:
        text = session.text(item)
    except ContentErased:
        return
    assert _first_line(text) in said


def _first_line(text: str) -> str:
    """Without the blanks around it, which a list of rules does not show."""
    return text.strip().splitlines()[0].strip() if text.strip() else ""


def only_what_may_be_seen(session: Session, context: Context, window: str, agent: str | None) -> None:
    """Of live items; tests/search hold what a query may find of those that left."""
    state = session.state
    for section in ("system", "pins", "history", "entities", "older", "earlier"):
        for item in context.items(section):
            assert item in state.items or section == "older"
            assert item not in state.items or is_visible(state.items[item], window, agent)


def test_a_count_of_ones_own_that_is_too_small_does_not_let_a_context_grow_over_its_budget(store):
    session = store.start()
    session.message("A long message. " * 50)
    newest = session.message("The newest. " * 50)
    count = Effects(counts=Recount(encoding="o200k_base", tokens={newest: 6}))
    session.record(Happened(note="counted"), effects=count)
    holds(session, 0, format="openai", window="main", agent=None, reserve=0, policy=DEFAULT_ASSEMBLY)


@pytest.mark.parametrize("format", FORMATS)
def test_essentials_that_do_not_fit_are_an_error_with_the_number_that_is_needed(store, format):
    session = store.start()
    session.set_system_prompt("You are careful. " * 50)
    session.message("hello")
    before = session.version
    with pytest.raises(BudgetTooSmall) as refused:
        session.context(100, format=format)
    assert session.version == before
    assert "system prompt" in str(refused.value)
    assert session.context(refused.value.needed, format=format).tokens <= refused.value.needed


def test_unused_shares_pass_on(store):
    """A session of nothing but notes: what history and state do not need is theirs."""
    session = store.start()
    for number in range(100):
        session.items.save("note", f"note {number}: " + "words " * 60)
    context = session.context(8_000)
    assert context.tokens > 0.9 * (8_000 - context.reserve)


def test_with_a_query_the_history_has_no_more_than_its_own_share(store):
    """What pins and summary leave goes to what is found."""
    session = store.start()
    for number in range(60):
        session.message(f"message {number} " + "word " * 100)
    session.window.compact("archive")
    for number in range(60):
        session.message(f"message {number} " + "word " * 100)
    context = session.context(8_000, query="message 7", summary=None, reserve=0)
    tokens = {section.name: section.tokens for section in context.sections}
    assert tokens["history"] <= 0.12 * 8_000
    assert tokens["older"] > 0.7 * 8_000
