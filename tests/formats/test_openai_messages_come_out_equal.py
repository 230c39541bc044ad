import json
from copy import deepcopy
from typing import Any

import pytest
from openai.types.chat import ChatCompletion, ChatCompletionMessage, ChatCompletionMessageParam
from pydantic import TypeAdapter

from backstory.domain.messages.openai import parse, render, render_all
from tests.formats.samples import ALL_OPENAI, OPENAI, WAV
from tests.formats.sdk_types import is_valid

PARAM: TypeAdapter[Any] = TypeAdapter(ChatCompletionMessageParam)


@pytest.mark.parametrize("name", OPENAI)
def test_the_sample_is_of_the_sdks_type(name: str) -> None:
    assert is_valid(PARAM, OPENAI[name])


@pytest.mark.parametrize("name", ALL_OPENAI)
def test_a_message_comes_out_equal_in_values_types_and_order(name: str) -> None:
    given = deepcopy(ALL_OPENAI[name])
    assert json.dumps(render(parse(given))) == json.dumps(ALL_OPENAI[name])
    assert given == ALL_OPENAI[name], "the caller's message was changed"


@pytest.mark.parametrize("name", ALL_OPENAI)
def test_a_message_of_its_own_format_is_one_message(name: str) -> None:
    assert render_all(parse(ALL_OPENAI[name])) == [ALL_OPENAI[name]]


ANSWERS: dict[str, dict[str, Any]] = {
    "text": {"role": "assistant", "content": "Hi.", "refusal": None, "annotations": []},
    "citations": {
        "role": "assistant",
        "content": "See there.",
        "annotations": [
            {
                "type": "url_citation",
                "url_citation": {
                    "start_index": 0,
                    "end_index": 3,
                    "title": "T",
                    "url": "https://example.com",
                },
            }
        ],
    },
    "calls": {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}},
            {"id": "call_2", "type": "custom", "custom": {"name": "sh", "input": "ls"}},
        ],
    },
    "audio": {
        "role": "assistant",
        "content": None,
        "audio": {"id": "audio_1", "data": WAV, "expires_at": 1729018505, "transcript": "Hi."},
    },
    "unknown": {"role": "assistant", "content": "Hi.", "reasoning_content": "Hm.", "odd": {"x": [1, None]}},
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_of_the_sdk_comes_out_as_the_api_sent_it(name: str) -> None:
    answer = ChatCompletionMessage.model_validate(ANSWERS[name])
    assert render(parse(answer)) == ANSWERS[name]


def test_a_message_inside_a_completion_comes_out_as_the_api_sent_it() -> None:
    completion = ChatCompletion.model_validate(
        {
            "id": "c",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop", "logprobs": None, "message": ANSWERS["calls"]}],
        }
    )
    assert render(parse(completion.choices[0].message)) == ANSWERS["calls"]


def test_sdk_objects_inside_a_plain_message_are_read_too() -> None:
    answer = ChatCompletionMessage.model_validate(ANSWERS["calls"])
    message = {"role": "assistant", "content": None, "tool_calls": answer.tool_calls}
    expected = {key: ANSWERS["calls"][key] for key in ("role", "content", "tool_calls")}
    assert render(parse(message)) == expected


def test_tuples_are_lists() -> None:
    message = {"role": "user", "content": ({"type": "text", "text": "a"},)}
    assert render(parse(message)) == {"role": "user", "content": [{"type": "text", "text": "a"}]}
