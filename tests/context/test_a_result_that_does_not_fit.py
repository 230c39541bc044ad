"""The newest tool exchange is in every context. Where its results are too large for one, they are cut."""

import json
from typing import Any

import pytest

from backstory import BudgetTooSmall, ContextStore
from backstory.domain.context.composition import FORMATS
from tests.context.prompts import counted, texts

LINES = [f"{n}: def step_{n}(value): return helper_{n}(value)" for n in range(3_000)]
RESULT = "\n".join(LINES)


@pytest.mark.parametrize("format", FORMATS)
def test_its_beginning_and_end_are_shown_with_its_call(format: Any, store: ContextStore) -> None:
    session = store.start()
    session.message("Earlier words of mine.")
    session.message("Read the steps.")
    session.tool_call("read", {"path": "steps.py"}, call_id="c1")
    session.tool_result("c1", RESULT)
    context = session.context(2_000, format=format)
    assert context.tokens + context.reserve <= 2_000
    assert counted(context) <= context.tokens
    text = "\n".join(texts(context))
    for shown in ("Earlier words of mine.", "steps.py", LINES[0], LINES[-1]):
        assert shown in text
    assert LINES[1_500] not in text
    assert "characters left out" in text
    assert session.reproduce(context.version).ok
    # Nothing was changed: where there is room, it is whole.
    assert LINES[1_500] in "\n".join(texts(session.context(200_000, format=format)))


def test_a_provider_gets_the_result_of_each_call(store: ContextStore) -> None:
    session = store.start()
    session.message("Read both.")
    session.message(
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": f"c{n}", "name": "read", "input": {"path": f"{n}.py"}}
                for n in (1, 2)
            ],
        },
        format="anthropic",
    )
    results = [{"type": "tool_result", "tool_use_id": f"c{n}", "content": RESULT} for n in (1, 2)]
    session.message({"role": "user", "content": results}, format="anthropic")
    context = session.context(3_000, format="anthropic")
    assert context.tokens + context.reserve <= 3_000
    blocks = [block for message in context.messages[1:3] for block in message["content"]]
    assert [block["type"] for block in blocks] == ["tool_use"] * 2 + ["tool_result"] * 2
    assert [block["tool_use_id"] for block in blocks[2:]] == ["c1", "c2"]
    for block in blocks[2:]:
        assert LINES[0] in json.dumps(block)
        assert LINES[-1] in json.dumps(block)
    assert session.reproduce(context.version).ok


def test_what_is_left_out_is_counted_and_named(store: ContextStore) -> None:
    session = store.start()
    session.message("Read the log.")
    session.tool_call("read", {}, call_id="c1")
    session.tool_result("c1", "x " * 10_000 + "src/orders/parser.py failed " + "y " * 10_000)
    context = session.context(2_000, format="markdown", record=False)
    assert context.text is not None
    assert "item 3 has them" in context.text
    assert "src/orders/parser.py" in context.text


def test_arguments_are_never_cut(store: ContextStore) -> None:
    session = store.start()
    session.message("Write the steps.")
    session.tool_call("write", {"text": RESULT}, call_id="c1")
    session.tool_result("c1", "done")
    with pytest.raises(BudgetTooSmall, match="the newest tool exchange"):
        session.context(2_000)


def test_where_not_even_a_little_fits_the_budget_is_refused(store: ContextStore) -> None:
    session = store.start()
    session.message("word " * 1_000)
    session.tool_call("read", {}, call_id="c1")
    session.tool_result("c1", RESULT)
    with pytest.raises(BudgetTooSmall) as refused:
        session.context(1_000)
    needed = refused.value.needed
    assert needed < 3_000
    context = session.context(needed)
    assert context.tokens + context.reserve <= needed
