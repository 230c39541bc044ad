"""Recorded messages as the APIs accept them: of the SDKs' request types, with no field besides."""

import json
from copy import deepcopy
from functools import reduce
from operator import or_
from typing import Any, get_args, get_type_hints

import pytest
from anthropic.types import Message, MessageParam
from anthropic.types.beta import BetaMessageParam
from openai.types.chat import ChatCompletionMessage, ChatCompletionMessageParam
from pydantic import ConfigDict, TypeAdapter
from typing_extensions import is_typeddict

from backstory.domain.messages import anthropic_requests, openai_requests, parse, requested
from tests.formats.samples import ALL_ANTHROPIC, ALL_OPENAI, PNG, call
from tests.formats.sdk_types import is_valid

EXACT = ConfigDict(extra="forbid")


def typed_dicts(root: Any) -> dict[Any, dict[str, Any]]:
    """The typed dicts below a type, each with its fields. Classes of answers, which requests take too, are left out."""
    found: dict[Any, dict[str, Any]] = {}
    waiting = [root]
    while waiting:
        one = waiting.pop()
        if not is_typeddict(one):
            waiting += get_args(one)
        elif one not in found:
            found[one] = get_type_hints(one)
            waiting += found[one].values()
    return found


def exact(root: Any) -> TypeAdapter[Any]:
    """Accepts the typed dicts that a message's content may hold and nothing else."""
    blocks = {
        one
        for fields in typed_dicts(root).values()
        if "role" in fields and "content" in fields
        for content in get_args(fields["content"])
        for union in get_args(content)
        for one in (get_args(union) or (union,))
        if is_typeddict(one)
    }
    return TypeAdapter(reduce(or_, blocks), config=EXACT)


ANTHROPIC_BLOCK, BETA_BLOCK = exact(MessageParam), exact(BetaMessageParam)
OPENAI_MESSAGE: TypeAdapter[Any] = TypeAdapter(ChatCompletionMessageParam, config=EXACT)
SAMPLES = [("openai", name) for name in ALL_OPENAI] + [("anthropic", name) for name in ALL_ANTHROPIC]


def request_of(format: str, name: str, wanted: str) -> list[dict[str, Any]]:
    sample = (ALL_OPENAI if format == "openai" else ALL_ANTHROPIC)[name]
    if name == "beyond-mcp":
        sample = deepcopy(sample)
        sample["content"][1]["content"] = [{"type": "text", "text": "echoed"}]
    return requested([parse(format, sample)], wanted)


@pytest.mark.parametrize(("format", "name"), SAMPLES)
def test_every_message_is_accepted_by_anthropic(format: str, name: str) -> None:
    block = BETA_BLOCK if name == "beyond-mcp" else ANTHROPIC_BLOCK
    for message in request_of(format, name, "anthropic"):
        assert list(message) == ["role", "content"]
        assert message["content"]
        for one in message["content"] if isinstance(message["content"], list) else ():
            if isinstance(one.get("content"), dict):
                one = one | {"content": []}  # pydantic takes the object for a list here.
            assert is_valid(block, one), one


@pytest.mark.parametrize(("format", "name"), SAMPLES)
def test_every_message_is_accepted_by_openai(format: str, name: str) -> None:
    for message in request_of(format, name, "openai"):
        assert is_valid(OPENAI_MESSAGE, message), message


@pytest.mark.parametrize(("format", "name"), SAMPLES)
def test_a_request_stays_the_same_when_it_is_recorded_and_made_again(format: str, name: str) -> None:
    for wanted in ("openai", "anthropic"):
        for message in request_of(format, name, wanted):
            assert requested([parse(wanted, message)], wanted) == [message]


def test_the_tables_have_the_fields_of_anthropics_types() -> None:
    ours = anthropic_requests.BLOCKS | anthropic_requests.INNER
    theirs: dict[str, set[str]] = {}
    for fields in typed_dicts(BetaMessageParam).values():
        for kind in get_args(fields.get("type")):
            if isinstance(kind, str):
                theirs.setdefault(kind, set()).update(set(fields) - {"type"})
    for kind in ("text", "tool_reference"):  # Sources and definitions of tools have these names too.
        theirs[kind] &= set(ours[kind])
    for kind in ("code_execution_20250825", "code_execution_20260120"):
        theirs[kind] &= {"tool_id"}
    assert {kind: set(fields) for kind, fields in ours.items()} == {kind: theirs[kind] for kind in ours}
    stable = {
        kind
        for one in get_args(exact(MessageParam)._type)
        for kind in get_args(typed_dicts(one)[one]["type"])
    }
    assert stable <= set(ours)


def test_the_tables_have_the_fields_of_openais_types() -> None:
    theirs = typed_dicts(ChatCompletionMessageParam)
    messages = {
        get_args(fields["role"])[0]: set(fields) - {"role"} for fields in theirs.values() if "role" in fields
    }
    assert {role: set(fields) for role, fields in openai_requests.MESSAGES.items()} == messages
    parts = {get_args(f["type"])[0]: f for f in theirs.values() if "type" in f and "id" not in f}
    for kind, fields in openai_requests.PARTS.items():
        assert set(fields) == set(parts[kind]) - {"type"}
        for name, inner in fields.items():
            assert set(inner) == (
                set(theirs[parts[kind][name]]) if is_typeddict(parts[kind][name]) else set()
            )


ANSWER: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-x",
    "content": [
        {"type": "thinking", "thinking": "Hm.", "signature": "sig=="},
        {
            "type": "text",
            "text": "Looking.",
            "citations": [
                {
                    "type": "char_location",
                    "cited_text": "x",
                    "document_index": 0,
                    "document_title": None,
                    "file_id": "file_1",
                    "start_char_index": 0,
                    "end_char_index": 1,
                }
            ],
        },
        {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"type": "text", "anything": 1}},
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 10, "output_tokens": 5},
}


def test_an_answer_of_anthropics_sdk_keeps_its_blocks_and_loses_what_only_answers_have() -> None:
    (message,) = requested([parse("anthropic", Message.model_validate(ANSWER))], "anthropic")
    expected = deepcopy(ANSWER["content"])
    del expected[1]["citations"][0]["file_id"]
    assert message == {"role": "assistant", "content": expected}


def test_an_answer_of_openais_sdk_loses_what_only_answers_have() -> None:
    answer = ChatCompletionMessage.model_validate(
        {
            "role": "assistant",
            "content": "Looking.",
            "refusal": None,
            "annotations": [],
            "reasoning_content": "Hm.",
            "tool_calls": [call("call_1", "f", "{}") | {"index": 0}],
        }
    )
    (message,) = requested([parse("openai", answer)], "openai")
    assert message == {"role": "assistant", "content": "Looking.", "tool_calls": [call("call_1", "f", "{}")]}


@pytest.mark.parametrize("format", ["openai", "anthropic"])
def test_a_message_with_nothing_to_say_is_left_out(format: str) -> None:
    thought = {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}]}
    assert requested([parse("anthropic", thought)], format) == []
    assert requested([parse("openai", {"role": "assistant", "content": ""})], format) == []


def test_what_anthropic_does_not_know_is_put_into_words() -> None:
    given = {
        "role": "user",
        "content": [
            {"type": "hologram", "depth": 3},
            {"type": "image", "source": {"type": "base64", "media_type": "image/tiff", "data": PNG}},
        ],
    }
    (message,) = requested([parse("anthropic", given)], "anthropic")
    first, second = message["content"]
    assert json.loads(first["text"]) == {"type": "hologram", "depth": 3}
    assert second["text"].startswith("[image image/tiff")


def test_results_of_parallel_calls_are_one_message_of_anthropics() -> None:
    calls = parse("openai", ALL_OPENAI["assistant-calls"])
    results = [
        parse("openai", {"role": "tool", "tool_call_id": f"call_{n}", "content": str(n)}) for n in (1, 2, 3)
    ]
    _, answered = requested([calls, *results], "anthropic")
    assert [block["tool_use_id"] for block in answered["content"]] == ["call_1", "call_2", "call_3"]
