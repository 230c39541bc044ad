"""Goals, files, actions and the role stand in every prompt up to 1,000 tokens and a quarter of the budget."""

import pytest

from backstory import BudgetTooSmall, ContextStore, Session
from backstory.application.context.result import Context


def work_on(session: Session, goals: int = 3, words: int = 8) -> None:
    for number in range(goals):
        session.work.set_goal(f"goal {number} " + "word " * words, priority="low")
        session.work.add_action(f"action {number} " + "word " * words)
    session.progress.focus([f"src/part_{number}.py" for number in range(5)])


def talk(session: Session, messages: int = 80) -> None:
    for number in range(messages):
        session.message(f"message {number} " + "word " * 100, role=("user", "agent")[number % 2])


def tokens(context: Context, *names: str) -> int:
    return sum(section.tokens for section in context.sections if section.name in names)


@pytest.mark.parametrize("budget", [1_500, 4_000, 8_000])
def test_it_is_whole_however_much_was_said(budget: int, store: ContextStore) -> None:
    session = store.start()
    work_on(session)
    talk(session)
    context = session.context(budget, summary=None)
    state = session.state
    assert set(context.items("state")) == {*state.goals, *state.actions}
    assert all(f"src/part_{number}.py" in str(context.messages[-1]) for number in range(5))
    assert "state_over_share" not in context.left_out


def test_beyond_its_tokens_the_most_urgent_stay(store: ContextStore) -> None:
    """Cut by priority, and questions before all else. In a large budget there is room for more."""
    session = store.start()
    work_on(session, goals=60, words=20)
    urgent = session.work.set_goal("the urgent one", priority="critical")
    asked = session.work.ask("what about this?", priority="critical")
    talk(session)
    context = session.context(8_000, summary=None)
    assert 900 <= tokens(context, "role", "state") <= 1_000
    assert urgent in context.items("state")
    assert asked not in context.items("state")
    live = {*session.state.goals, *session.state.actions, *session.state.questions}
    assert context.left_out["state_over_share"] == len(live - set(context.items("state")))
    small = session.context(2_000, summary=None)
    assert urgent in small.items("state")
    assert tokens(small, "role", "state") <= 500
    assert set(session.context(64_000, summary=None).items("state")) == live


def test_it_counts_among_what_a_budget_must_hold(store: ContextStore) -> None:
    session = store.start()
    work_on(session)
    session.message("word " * 1_000)
    with pytest.raises(BudgetTooSmall, match="goals, files and actions") as refused:
        session.context(1_100, reserve=0)
    context = session.context(refused.value.needed, reserve=0)
    assert "state_over_share" not in context.left_out


def test_the_role_is_told_as_far_as_it_is_known(store: ContextStore) -> None:
    session = store.start(project="forge")
    session.message("Go on.")
    session.by("coder").details.join("coder", mode="architect", capabilities=["design", "review"])
    session.progress.set_layer(2)
    session.progress.set_clarity(85)
    context = session.by("coder").context(4_000)
    told = str(context.messages[-1]["content"])
    for fact in (
        "agent: coder (mode architect; can design, review)",
        "project: forge",
        "layer: 2 (DOMAIN)",
        "85 %",
    ):
        assert fact in told
    assert session.reproduce(context.version or 0).ok
    assert "role" not in {section.name for section in store.start().context(4_000).sections}


def test_hot_items_are_there_however_many_are_important(store: ContextStore) -> None:
    """The tier that was assigned counts, with a query too, and not what another item is worth by now."""
    session = store.start()
    hot = session.items.save("note", "the hot one", importance=0.9)
    for number in range(60):
        session.items.save("note", f"note {number} about kafka " + "word " * 60, importance=0.79)
    talk(session)
    for query in (None, "kafka"):
        context = session.context(8_000, query=query, summary=None)
        assert hot in context.items("older")
