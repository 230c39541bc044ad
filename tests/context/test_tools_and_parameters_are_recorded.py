"""Definitions of tools are recorded with the context, and parameters with the call."""

import pytest
from openai.types.chat import ChatCompletionFunctionToolParam

from backstory import BudgetTooSmall
from backstory.domain.errors import InvalidInput

TOOLS: list[ChatCompletionFunctionToolParam] = [
    {
        "type": "function",
        "function": {
            "name": "grep",
            "description": "Finds lines.",
            "parameters": {"type": "object", "properties": {"pattern": {"type": "string"}}},
        },
    }
]
PARAMETERS = {"temperature": 0.2, "max_tokens": 1_000, "stop": ["\n\n"]}


@pytest.mark.parametrize("record", [True, "with_answer"])
def test_saw_and_reproduce_show_both(any_store, record):
    session = any_store.start(limit=8_000)
    session.message("How are tokens signed?")
    context = session.context(tools=TOOLS, record=record)
    assert context.tools == TOOLS
    answer = session.answered(context, "With RS256.", model="gpt-5-mini", parameters=PARAMETERS)
    decision = session.caused_by(answer).decide("Keep RS256")

    seen = session.saw(decision)
    assert seen.parameters == PARAMETERS
    assert seen.reproduction.tools == seen.reproduction.context.tools == TOOLS
    made = session.reproduce(seen.assembly)
    assert made.tools == TOOLS
    assert [(call.version, call.model, call.parameters) for call in made.calls] == [
        (seen.call, "gpt-5-mini", PARAMETERS)
    ]


def test_each_attempt_has_its_own_parameters(store):
    session = store.start(limit=8_000)
    session.message("Hello")
    context = session.context()
    first = session.model_called(context, "m", parameters={"temperature": 1}, error="429")
    session.model_called(session.context(), "m", parameters={"temperature": 0.5})
    third = session.model_called(context, "other")
    made = session.reproduce(context.version)
    assert [(call.version, call.parameters) for call in made.calls] == [
        (first, {"temperature": 1}),
        (third, None),
    ]
    assert made.tools is None


def test_parameters_are_shown_where_no_context_is_named(store):
    session = store.start()
    call = session.model_called(None, "m", parameters=PARAMETERS)
    assert session.saw(call).parameters == PARAMETERS


def test_tools_count_towards_the_budget(store):
    session = store.start(limit=8_000)
    session.message("Hello")
    many = TOOLS * 40
    plain, full = session.context(record=False), session.context(tools=many, record=False)
    (section,) = [one for one in full.sections if one.name == "tools"]
    assert full.tokens == plain.tokens + section.tokens
    assert section.tokens > 40 * 25
    with pytest.raises(BudgetTooSmall, match="the tools"):
        session.context(section.tokens, reserve=0, tools=many)


def test_the_same_tools_are_stored_once(store):
    session = store.start(limit=8_000)
    session.message("Hello")
    for _ in range(3):
        session.context(tools=TOOLS * 10)
    rows = session._runtime.database.read(
        lambda c: c.execute(
            "select count(*) from backstory.contents where stream_id = %s and octet_length(bytes) > 1000",
            [session.id],
        ).fetchone()
    )
    assert rows[0] == 1


@pytest.mark.parametrize("tools", ["grep", [1], {"name": "grep"}, [{"name": float("nan")}]])
def test_tools_that_are_none_are_refused(store, tools):
    session = store.start(limit=8_000)
    with pytest.raises(InvalidInput, match="tools"):
        session.context(tools=tools)
    assert session.version == 1


@pytest.mark.parametrize("parameters", ["temperature 1", [1], {"temperature": float("inf")}])
def test_parameters_that_are_none_are_refused(store, parameters):
    session = store.start()
    with pytest.raises(InvalidInput, match="parameters"):
        session.model_called(None, "m", parameters=parameters)
    assert session.version == 1
