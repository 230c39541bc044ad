import json
from copy import deepcopy
from typing import Any

import pytest
from anthropic.types import Message, MessageParam
from anthropic.types.beta import BetaMessageParam
from pydantic import TypeAdapter

from backstory.domain.messages.anthropic import parse, render
from tests.formats.samples import ALL_ANTHROPIC, ANTHROPIC, ANTHROPIC_BEYOND_ITS_TYPES
from tests.formats.sdk_types import is_valid

PARAM: TypeAdapter[Any] = TypeAdapter(MessageParam)
BETA_PARAM: TypeAdapter[Any] = TypeAdapter(BetaMessageParam)


@pytest.mark.parametrize("name", ANTHROPIC)
def test_the_sample_is_of_the_sdks_type(name: str) -> None:
    assert is_valid(PARAM, ANTHROPIC[name])


@pytest.mark.parametrize("name", ALL_ANTHROPIC)
def test_a_message_comes_out_equal_in_values_types_and_order(name: str) -> None:
    given = deepcopy(ALL_ANTHROPIC[name])
    assert json.dumps(render(parse(given))) == json.dumps(ALL_ANTHROPIC[name])
    assert given == ALL_ANTHROPIC[name], "the caller's message was changed"


ANSWER: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-x",
    "content": [
        {"type": "thinking", "thinking": "Hm.", "signature": "sig=="},
        {"type": "redacted_thinking", "data": "opaque"},
        {"type": "text", "text": "Looking.", "citations": None},
        {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Oslo"}},
        {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "Oslo"}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "srv_1",
            "content": [
                {
                    "type": "web_search_result",
                    "url": "https://example.com",
                    "title": "T",
                    "encrypted_content": "abc",
                    "page_age": None,
                }
            ],
        },
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 10, "output_tokens": 5, "new_kind_of_tokens": 7},
    "a_new_key": {"x": 1.5},
}


def test_an_answer_of_the_sdk_comes_out_as_the_api_sent_it() -> None:
    assert render(parse(Message.model_validate(ANSWER))) == ANSWER


def test_an_unknown_block_in_an_answer_of_the_sdk_is_kept() -> None:
    block = {"type": "hologram", "depth": 3}
    answer = Message.construct(**(ANSWER | {"content": [block]}))
    assert render(parse(answer))["content"] == [block]


def test_an_answers_blocks_can_be_sent_back_inside_a_plain_message() -> None:
    answer = Message.model_validate(ANSWER)
    assert render(parse({"role": "assistant", "content": answer.content})) == {
        "role": "assistant",
        "content": ANSWER["content"],
    }
    assert render(parse(answer.to_param())) == {"role": "assistant", "content": ANSWER["content"]}


def test_what_came_from_an_answer_is_still_of_the_sdks_type() -> None:
    rendered = render(parse(Message.model_validate(ANSWER)))
    assert Message.model_validate(rendered).model_dump() == Message.model_validate(ANSWER).model_dump()
    assert is_valid(PARAM, {"role": rendered["role"], "content": rendered["content"]})


def test_mcp_blocks_are_of_the_sdks_beta_type() -> None:
    sample = deepcopy(ANTHROPIC_BEYOND_ITS_TYPES["mcp"])
    sample["content"][1]["content"] = "echoed"
    assert is_valid(BETA_PARAM, sample)
    assert render(parse(sample)) == sample
