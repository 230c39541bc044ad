"""Which items a prune keeps: essentials, then what is always worth it, then by points, skipping what does not fit."""

from typing import Any

import pytest
from hypothesis import given as for_all, strategies as st

from backstory.domain import events as e
from backstory.domain.commands.recovery import prune_window
from backstory.domain.effects import Effects
from backstory.domain.errors import WouldLoseContext
from backstory.domain.policies.pruning import PruningPolicy
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.state import ContextState
from backstory.domain.window.essentials import essential_items, minimal_items
from backstory.domain.window.priorities import KeepPriority
from backstory.domain.window.pruning import plan_prune
from backstory.domain.window.validation import leads_to, problems
from backstory.testing import Fact, given, item, part, text
from tests.domain.scenarios import SUMMARY
from tests.properties import examples

LATE = 10**18
"""So late that nothing is recent."""
FEW = WindowPolicy(messages_kept=1)


def saved(tokens: int, type_: str = "note", **fields: Any) -> tuple[e.EventBody, Effects]:
    return e.ItemSaved(parts=(part("x"),)), Effects(brings=item(type_, tokens=tokens, **fields))


def file(path: str, tokens: int) -> tuple[e.EventBody, Effects]:
    return e.ItemSaved(parts=(part("x"),), path=path), Effects(brings=item("code", tokens=tokens))


def message(tokens: int = 5, role: str = "agent") -> tuple[e.EventBody, Effects]:
    return e.MessageAdded(role=role, parts=(part("x"),)), Effects(
        brings=item("message", tokens=tokens, role=role)
    )


def test_a_window_below_its_target_is_left_alone() -> None:
    plan = plan_prune(given(saved(10), saved(10, "debug")).state, at=LATE, target=20)
    assert (plan.dropped, plan.tokens_after, plan.reached) == ((), 20, True)


def test_the_threshold_rises_from_its_start_by_its_step_until_the_rest_fits() -> None:
    state = given(
        saved(10, "example"),
        saved(10, "code"),
        saved(10, "decision"),
        saved(10, "code", task="T-1"),
        e.TaskStarted(task="T-1", text=text("x")),
    ).state
    # Without recency: 5, 15, 18 and 55 points, and the task. What belongs to that comes first, whatever its points.
    plan = plan_prune(state, at=LATE, target=state.tokens - 30, pruning=PruningPolicy(threshold=0))
    assert plan.threshold == 20
    assert plan.kept == (4, 5)
    tighter = plan_prune(state, at=LATE, target=state.tokens - 20, pruning=PruningPolicy(threshold=0))
    assert tighter.threshold == 15
    assert tighter.kept == (3, 4, 5)


def test_what_is_relevant_comes_before_what_has_more_points() -> None:
    state = given(saved(10, "code"), saved(10, "pull_request"), saved(10, "code")).state
    plan = plan_prune(state, at=LATE, target=10)
    assert {one.item: one.points for one in plan.ranked} == {1: 15, 2: 12, 3: 15}
    assert plan.kept == (2,)


def test_a_plan_is_carried_out_on_what_is_there_by_then() -> None:
    facts = [saved(10), saved(10), saved(10, "code")]
    planned = plan_prune(given(*facts).state, at=LATE, target=10).dropped
    assert planned == (1, 2)
    pinned = given(*facts, e.ItemPinned(item=1)).state
    assert plan_prune(pinned, at=LATE, target=20).carried_out(planned).kept == (1, 3)
    # What came since is planned for anew, if the plan is not enough.
    fuller = given(*facts, saved(10), saved(10, "code")).state
    assert plan_prune(fuller, at=LATE, target=30).carried_out(planned).kept == (3, 4, 5)
    assert plan_prune(fuller, at=LATE, target=20).carried_out(planned).kept == (3, 5)


def test_the_file_being_edited_the_newest_error_and_the_session_summary_stay_unless_only_the_barest_does() -> (
    None
):
    state = given(
        file("a.py", 40),
        e.ErrorMet(text=text("old")),
        e.ErrorMet(text=text("new")),
        SUMMARY,
        e.FilesFocused(files=("a.py",), last_edited="a.py"),
        message(role="user"),
    ).state
    assert essential_items(state) == minimal_items(state) == {1, 3, 4, 6}
    assert plan_prune(state, at=LATE, target=0).kept == (1, 3, 4, 6)
    assert plan_prune(state, at=LATE, target=0, depth="aggressive").kept == (6,)
    assert plan_prune(state, at=LATE, target=state.tokens - 1, depth="aggressive").kept == (1, 3, 4, 6)


def test_what_is_above_the_threshold_stays() -> None:
    state = given(*[saved(7, kind) for kind in ("code", "note", "example", "code", "decision")]).state
    plan = plan_prune(state, at=LATE, target=21)
    assert all(one.kept for one in plan.ranked if one.points > plan.threshold)


def test_what_does_not_fit_is_skipped_and_the_next_one_tried() -> None:
    state = given(saved(10, "code"), saved(90, "code"), saved(10, "note")).state
    plan = plan_prune(state, at=LATE, target=25)
    assert plan.dropped == (2,)
    assert plan.tokens_after == 20


def test_of_two_with_as_many_points_the_newer_one_stays() -> None:
    assert plan_prune(given(saved(10), saved(10), saved(10)).state, at=LATE, target=20).kept == (2, 3)


def test_what_is_always_pruned_leaves_even_when_it_would_fit() -> None:
    plan = plan_prune(given(saved(10, "debug"), saved(10), saved(90)).state, at=LATE, target=50)
    assert plan.kept == (2,)


def test_the_essentials_stay_when_they_alone_are_too_much() -> None:
    state = given(*[message(50) for _ in range(12)]).state
    plan = plan_prune(state, at=LATE, target=100)
    assert plan.kept == tuple(range(3, 13))
    assert not plan.reached


def test_the_minimal_context_keeps_the_last_message_and_question_and_the_barest_the_question() -> None:
    facts = [
        e.SystemPromptSet(text=text("be brief")),
        e.ConstraintAdded(text=text("no network")),
        e.GoalSet(text=text("ship it")),
        e.DecisionRecorded(text=text("use Postgres")),
        message(role="user"),
        message(),
        message(),
    ]
    state = given(*facts).state
    assert plan_prune(state, at=LATE, target=0, depth="minimal").kept == (1, 2, 3, 4, 5, 7)
    assert plan_prune(state, at=LATE, target=0, depth="aggressive").kept == (1, 4, 5)
    roomy = plan_prune(state, at=LATE, target=state.tokens, depth="aggressive")
    assert roomy.kept == (1, 2, 3, 4, 5, 7)


def test_of_the_open_tasks_the_barest_context_needs_the_current_one() -> None:
    state = given(*[e.TaskStarted(task=name, text=text(name)) for name in ("T", "U")]).state
    assert plan_prune(state, at=LATE, target=0, depth="minimal").kept == (1, 2)
    assert plan_prune(state, at=LATE, target=0, depth="aggressive").kept == (2,)


def test_an_open_call_stays_in_the_barest_context() -> None:
    call = part("{}", kind="tool_use", call_id="c", name="grep")
    state = given(
        message(role="user"), e.ToolCalled(role="agent", parts=(call,), calls=("c",)), message(), message()
    ).state
    assert plan_prune(state, at=LATE, target=0, depth="aggressive").kept == (1, 2)


def test_a_plan_of_another_state_is_not_carried_out() -> None:
    """As a hostile or stale plan would be: the last messages are among what it drops."""
    plan = plan_prune(given(*[message() for _ in range(12)]).state, at=LATE, target=0)
    hostile = plan._replace(ranked=tuple(one._replace(kept=False) for one in plan.ranked))
    state = given(*[message() for _ in range(12)]).state
    with pytest.raises(WouldLoseContext, match="item 3, one of the last 10 messages, would leave the window"):
        prune_window(state, plan=hostile)


KINDS = st.sampled_from(
    [
        "user",
        "agent",
        "code",
        "debug",
        "example",
        "decision",
        "goal",
        "constraint",
        "task",
        "done",
        "pin",
        "call",
        "error",
        "file",
        "pull_request",
    ]
)


def _fact(number: int, kind: str, tokens: int, state: ContextState) -> Fact | None:
    if kind in ("user", "agent"):
        return message(tokens, kind)
    if kind == "decision":
        return e.DecisionRecorded(text=text("x")), Effects(brings=item("decision", tokens=tokens))
    if kind == "goal":
        return e.GoalSet(text=text("x")), Effects(brings=item("goal", tokens=tokens))
    if kind == "constraint":
        return e.ConstraintAdded(text=text("x")), Effects(brings=item("constraint", tokens=tokens))
    if kind == "task":
        return e.TaskStarted(task=f"T-{number}", text=text("x"))
    if kind == "done":
        return e.TaskCompleted(task=state.current_task) if state.current_task else None
    if kind == "pin":
        return e.ItemPinned(item=max(state.items)) if state.items else None
    if kind == "error":
        return e.ErrorMet(text=text("x")), Effects(brings=item("error", tokens=tokens))
    if kind == "file":
        return file(f"{tokens % 3}.py", tokens)
    if kind == "call":
        call = part("{}", kind="tool_use", call_id=f"c{number}", name="grep")
        return e.ToolCalled(role="agent", parts=(call,), calls=(f"c{number}",))
    return saved(tokens, kind, task=state.current_task)


@for_all(
    st.lists(st.tuples(KINDS, st.integers(0, 60)), min_size=1, max_size=60),
    st.integers(0, 600),
    st.sampled_from(["essentials", "minimal", "aggressive"]),
    st.integers(1, 12),
    st.integers(0, 5),
)
@examples(12)
def test_a_prune_never_breaks_an_invariant(
    steps: list[tuple[str, int]], target: int, depth: Any, messages: int, decisions: int
) -> None:
    history = given()
    for number, (kind, tokens) in enumerate(steps):
        fact = _fact(number, kind, tokens, history.state)
        if fact is not None:
            history._happen(fact)
    history._happen(e.FilesFocused(files=("1.py",), last_edited="1.py"))
    state = history.state
    policy = WindowPolicy(messages_kept=messages, decisions_kept=decisions)
    # As if contents with as many tokens were equal.
    digests = {one.id: str(one.tokens) for one in state.live()}
    plan = plan_prune(state, at=LATE, target=target, depth=depth, policy=policy, digests=digests)
    assert set(plan.kept) | set(plan.dropped) == {one.id for one in state.live()}
    essential = {"essentials": essential_items, "minimal": minimal_items}.get(depth)
    if essential is not None:
        assert essential(state, "main", policy) <= set(plan.kept)
    optional = [one for one in plan.ranked if one.kept and not one.essential]
    assert plan.reached or not optional
    if plan.dropped and depth == "essentials":
        assert all(one.priority != KeepPriority.ALWAYS_PRUNE for one in optional)
    if plan.dropped:
        decided = prune_window(state, plan=plan, policy=policy)
        after = leads_to(state, decided.change)
        assert problems(state, after, policy=policy, depth=depth, change=decided.change) == []
        assert after.tokens == plan.tokens_after
