"""Validation finds whatever a change of a window would break, before it is recorded."""

from typing import Any

import pytest

from backstory.domain import events as e
from backstory.domain.commands.contexts import compact_items
from backstory.domain.effects import Effects, Removal
from backstory.domain.errors import ContextInvalid, WouldLoseContext
from backstory.domain.events.base import Change
from backstory.domain.log.guards import Decided
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.records import Window
from backstory.domain.state import ContextState
from backstory.domain.window.validation import leads_to, problems, require_valid, state_problems
from backstory.testing import Fact, given, part, text

CALL = part("{}", kind="tool_use", call_id="c", name="grep")
HELLO = e.MessageAdded(role="user", parts=(part("hello"),))
SYSTEM = e.MessageAdded(role="system", parts=(part("be brief"),))
DECISION = e.DecisionRecorded(text=text("use Postgres"))
MESSAGES = [HELLO] * 12


def taking(state: ContextState, *items: int) -> Decided:
    return compact_items(
        state, item=None, summary=None, summarized=(), dropped=items, algorithm="by hand", window="main"
    )


LOSSES: dict[str, tuple[list[Fact], int, str]] = {
    "the system prompt": ([e.SystemPromptSet(text=text("x"))], 1, "the system prompt"),
    "a leading system message": ([SYSTEM], 1, "a system message that the conversation begins with"),
    "the current task": ([e.TaskStarted(task="T", text=text("x"))], 1, "the current task"),
    "another open task": (
        [e.TaskStarted(task="T", text=text("x")), e.TaskStarted(task="U", text=text("y"))],
        1,
        "an open task",
    ),
    "one of the last three decisions": ([DECISION] * 4, 2, "one of the last 3 decisions"),
    "one of the last ten messages": ([HELLO], 4, "one of the last 10 messages"),
    "a constraint": ([e.ConstraintAdded(text=text("x"))], 1, "a constraint"),
    "an open goal": ([e.GoalSet(text=text("x"))], 1, "an open goal"),
    "a pinned item": ([HELLO, e.ItemPinned(item=1)], 1, "a pinned item"),
    "an open call": ([e.ToolCalled(role="agent", parts=(CALL,), calls=("c",))], 1, "a tool call that waits"),
}


@pytest.mark.parametrize("name", LOSSES)
def test_what_must_stay_cannot_leave(name: str) -> None:
    facts, item, what = LOSSES[name]
    state = given(*facts, *MESSAGES).state
    with pytest.raises(
        WouldLoseContext, match=f"item {item}, {what}.*, would leave the window; nothing was changed"
    ):
        require_valid(state, taking(state, item))


@pytest.mark.parametrize(
    ("facts", "item"),
    [
        ([DECISION] * 4, 1),
        ([HELLO], 1),
        ([e.ErrorMet(text=text("x"))] * 2, 1),
        ([e.QuestionAsked(text=text("x"))], 1),
    ],
)
def test_what_may_leave_can(facts: list[Fact], item: int) -> None:
    state = given(*facts, *MESSAGES).state
    decided = taking(state, item)
    assert require_valid(state, decided) == decided


@pytest.mark.parametrize(
    ("depth", "allowed"),
    [("essentials", {1, 2}), ("minimal", set(range(1, 12))), ("aggressive", set(range(1, 12)))],
)
def test_messages_by_depth(depth: Any, allowed: set[int]) -> None:
    state = given(*MESSAGES).state
    for item in range(1, 13):
        found = problems(state, leads_to(state, taking(state, item).change), depth=depth)
        assert (found == []) == (item in allowed), item


def test_the_barest_context_may_lose_goals_constraints_and_pins() -> None:
    state = given(
        e.GoalSet(text=text("x")), e.ConstraintAdded(text=text("x")), HELLO, e.ItemPinned(item=3), HELLO
    ).state
    assert problems(state, leads_to(state, taking(state, 1, 2, 3).change), depth="aggressive") == []
    assert len(problems(state, leads_to(state, taking(state, 1, 2, 3).change), depth="minimal")) == 3


def test_the_numbers_are_the_policys() -> None:
    state = given(*MESSAGES).state
    after = leads_to(state, taking(state, 9).change)
    assert problems(state, after, policy=WindowPolicy(messages_kept=3)) == []
    assert problems(state, after, policy=WindowPolicy(messages_kept=4)) != []


def test_a_lost_decision() -> None:
    before, after = given(DECISION, DECISION).state, given(DECISION, HELLO).state
    assert "item 2 would no longer be a decision of the record" in problems(before, after)


def test_what_leaves_has_to_be_named() -> None:
    state = given(*MESSAGES).state
    change = Change(
        e.ItemsCompacted(dropped="1", algorithm="x"),
        Effects(removes=(Removal(items=(1, 2), disposition="dropped", window="main"),)),
    )
    named = Change(change.body, Effects(removes=(Removal(items=(1,), disposition="dropped", window="main"),)))
    found = problems(state, leads_to(state, change), change=named)
    assert found == ["item 2 would leave without being named, so nothing could bring it back"]


def test_an_exchange_that_loses_its_result() -> None:
    answer = e.ToolAnswered(
        role="tool", parts=(part("x", kind="tool_result", call_id="c"),), exchange=1, answers=("c",)
    )
    state = given(e.ToolCalled(role="agent", parts=(CALL,), calls=("c",)), answer).state
    torn = state.copy()
    torn.items[1] = torn.items[1]._replace(versions=(1,))
    assert problems(state, torn) == ["tool exchange 1 would keep only part of its calls and results"]


def test_a_context_that_is_invalid_is_not_compacted() -> None:
    state = given(HELLO, HELLO, *MESSAGES).state
    decided = taking(state, 1)
    state.windows["main"] = Window(items=14, tokens=99)
    with pytest.raises(ContextInvalid, match="context_window.used_tokens: is 99"):
        require_valid(state, decided)


def test_tokens_that_are_not_the_sum() -> None:
    state = given(HELLO).state
    assert state_problems(state) == []
    state.windows["main"] = Window(items=1, tokens=99)
    assert state_problems(state) == ["window 'main' counts 1 items and 99 tokens, and holds 1 with 2"]


def test_a_current_task_that_is_not_open() -> None:
    state = given(HELLO).state
    state.current_task = "T"
    assert state_problems(state) == ["the current task 'T' is not an open one"]


def test_trying_a_change_out_leaves_the_state_as_it_is() -> None:
    state = given(*MESSAGES).state
    digest = state.digest()
    leads_to(state, taking(state, 1, 2).change)
    assert state.digest() == digest
