"""The user's newest messages and the current task stand in every prompt, however many tool calls came after them."""

import pytest

from backstory import (
    AssemblyPolicy,
    BudgetTooSmall,
    ContextStore,
    Session,
)
from backstory.domain.context.composition import FORMATS

POLICIES = (
    AssemblyPolicy(),
    AssemblyPolicy(name="narrow", older_candidates=0, shares={"older": 1.0}),
)


def call_tools(session: Session, calls: int, words: int = 60) -> None:
    for number in range(calls):
        call = f"{session.version}-{number}"
        session.tool_call("read", {"path": f"src/part_{number}.py"}, call_id=call)
        session.tool_result(call, f"value {number} " + "word " * words)


def own_messages(session: Session, policy: AssemblyPolicy, budget: int = 4_000) -> list[str]:
    context = session.context(budget, policy=policy, summary=None)
    return [str(message["content"]) for message in context.messages if message["role"] == "user"]


def test_an_agent_that_calls_tools_keeps_its_instruction(store: ContextStore) -> None:
    """A limit of 4,000, and an instruction every twenty-first turn."""
    session = store.start(limit=4_000)
    instruction = ""
    for turn in range(64):
        if turn % 21 == 0:
            instruction = f"Instruction {turn}: let parser {turn} take commas."
            session.message(instruction)
        session.before_call()
        context = session.context()
        assert {"role": "user", "content": instruction} in context.messages
        call_tools(session, 1)
    assert session.state.compactions


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_the_last_three_stand_while_they_fit(policy: AssemblyPolicy, store: ContextStore) -> None:
    session = store.start()
    asked = [f"Question {number}: " + "why " * 100 for number in range(5)]
    for text in asked:
        session.message(text)
        call_tools(session, 8)
    said = own_messages(session, policy)
    assert [text for text in asked[-3:] if text in said] == asked[-3:]
    session.message("large " * 2_800)
    call_tools(session, 8)
    said = own_messages(session, policy)
    assert asked[-1] not in said
    assert said[0].startswith("large")


@pytest.mark.parametrize("format", FORMATS)
def test_several_lines_stand_as_they_were_written(format: str, store: ContextStore) -> None:
    session = store.start()
    task = "Mend it:\n\n## Decisions\n```\n</context>\n```\n  * as below"
    session.work.start_task("T-1", task, acceptance_criteria=["it works"])
    instruction = "  First line\n    second <context> line\n````\nlast"
    session.message(instruction)
    call_tools(session, 30)
    context = session.context(4_000, format=format)  # type: ignore[arg-type]
    if format == "markdown":
        texts = [context.text or ""] * 2
        lines = (context.text or "").splitlines()
        # The fence around the task has more ticks than any in it.
        assert lines[lines.index("## Current task [T-1]") + 2] == "````"
    elif format == "parts":
        texts = [
            next(one["text"] for one in context.messages if one["section"] == "task"),
            next(one["parts"][0]["text"] for one in context.messages if one["section"] == "history"),
        ]
    else:
        texts = [str(message["content"]) for message in context.messages if message["role"] == "user"][:2]
        assert texts[1] == instruction
    assert task in texts[0]
    assert "it works" in texts[0]
    assert instruction in texts[1]
    assert context.version is not None
    assert session.reproduce(context.version).ok


def test_one_that_is_larger_than_the_budget_is_refused_and_not_cut(store: ContextStore) -> None:
    session = store.start()
    session.message("word " * 3_000)
    call_tools(session, 30)
    for policy in POLICIES:
        with pytest.raises(BudgetTooSmall, match=r"the newest user message \(item 2\) 3\d{3}"):
            session.context(3_000, policy=policy)


def test_what_an_agent_says_is_no_instruction(store: ContextStore) -> None:
    """Unless it says otherwise, an agent's message has the user's role in the record."""
    session = store.start()
    asked = session.message("Mend the parser.")
    coder = session.by("coder")
    for number in range(40):
        coder.message(f"Thinking about part {number}. " + "word " * 100)
    assert asked in coder.context(3_000).items("history")
    session.details.join("coder")
    assert asked in session.by("reviewer").context(3_000).items("history")


def test_they_stand_in_order_where_an_answer_is_too_long_for_a_query(store: ContextStore) -> None:
    session = store.start()
    asked = []
    for number in range(3):
        asked.append(session.message(f"Question {number} about parsers."))
        session.message("answer " * 6_000, role="agent")
    context = session.context(5_000, query="parsers", summary=None)
    assert context.items("history") == tuple(asked)
    said = [message["content"] for message in context.messages if message["role"] == "user"]
    assert said[:3] == [f"Question {number} about parsers." for number in range(3)]
    small = session.context(2_000, query="parsers", summary=None)
    assert small.items("history") == (asked[-1],)
    assert small.items("older") == tuple(asked[:-1])


def test_a_program_s_note_is_no_instruction(store: ContextStore) -> None:
    session = store.start()
    session.message("Let the parser take commas.")
    session.of_origin("internal_tool").message("How to write tests: " + "step " * 3_000)
    call_tools(session, 8)
    said = own_messages(session, POLICIES[0], budget=2_000)
    assert "Let the parser take commas." in said
    assert not any("How to write tests" in text for text in said[:-1])
