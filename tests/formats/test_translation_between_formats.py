"""A message of one provider, said in the other's format, is of that SDK's type and says the same."""

import json
import re
from typing import Any

import pytest
from anthropic.types import MessageParam
from openai.types.chat import ChatCompletionMessageParam
from pydantic import TypeAdapter

from backstory.domain.messages import anthropic, openai
from backstory.domain.messages.contents import Message, Part
from tests.formats.samples import ALL_ANTHROPIC, ALL_OPENAI, PDF, PNG, WAV, call
from tests.formats.sdk_types import is_valid

OPENAI_PARAM: TypeAdapter[Any] = TypeAdapter(ChatCompletionMessageParam)
ANTHROPIC_PARAM: TypeAdapter[Any] = TypeAdapter(MessageParam)


def to_anthropic(message: dict[str, Any]) -> dict[str, Any]:
    return anthropic.render(openai.parse(message))


def to_openai(message: dict[str, Any]) -> dict[str, Any]:
    return openai.render(anthropic.parse(message))


@pytest.mark.parametrize("name", ALL_OPENAI)
def test_every_openai_message_becomes_one_of_anthropics_type(name: str) -> None:
    assert is_valid(ANTHROPIC_PARAM, to_anthropic(ALL_OPENAI[name]))


@pytest.mark.parametrize("name", ALL_ANTHROPIC)
def test_every_anthropic_message_becomes_one_of_openais_type(name: str) -> None:
    assert is_valid(OPENAI_PARAM, to_openai(ALL_ANTHROPIC[name]))
    for message in openai.render_all(anthropic.parse(ALL_ANTHROPIC[name])):
        assert is_valid(OPENAI_PARAM, message)


@pytest.mark.parametrize("role", ["user", "assistant", "system"])
def test_plain_text_is_the_same_in_both(role: str) -> None:
    message = {"role": role, "content": "Hello"}
    assert to_anthropic(message) == to_openai(message) == message


def test_a_developers_message_is_a_system_message() -> None:
    assert to_anthropic({"role": "developer", "content": "Be brief."}) == {
        "role": "system",
        "content": "Be brief.",
    }


def test_calls_become_tool_uses() -> None:
    assert to_anthropic(ALL_OPENAI["assistant-calls"]) == {
        "role": "assistant",
        "content": [
            {"type": "tool_use", "id": "call_1", "name": "weather", "input": {"city": "Oslo", "days": 3}},
            {"type": "tool_use", "id": "call_2", "name": "weather", "input": {"input": "{not json"}},
            {"type": "tool_use", "id": "call_3", "name": "shell", "input": {"input": "ls -l"}},
        ],
    }


@pytest.mark.parametrize(
    "arguments", ["[1]", "null", '{"a": NaN}', '{"a": 1e999}', '{"a": "\\ud800"}', "[" * 99_999]
)
def test_arguments_that_are_no_json_object_are_wrapped(arguments: str) -> None:
    message = {"role": "assistant", "content": None, "tool_calls": [call("c", "f", arguments)]}
    assert to_anthropic(message)["content"][0]["input"] == {"input": arguments}


def test_tool_uses_become_calls_and_thinking_is_left_out() -> None:
    blocks = ALL_ANTHROPIC["assistant-blocks"]["content"][:5]
    assert to_openai({"role": "assistant", "content": blocks}) == {
        "role": "assistant",
        "content": "It rains.",
        "tool_calls": [
            call("toolu_1", "weather", '{"z":1,"a":[1.0,null,"ü"]}'),
            call("toolu_2", "weather", "{}"),
        ],
    }


def test_calls_that_the_provider_ran_are_told_as_text() -> None:
    said = to_openai({"role": "assistant", "content": ALL_ANTHROPIC["assistant-blocks"]["content"][5:7]})
    assert "tool_calls" not in said
    assert "web_search" in json.dumps(said)
    assert "https://example.com" in json.dumps(said)


def test_a_result_is_paired_with_its_call_in_both() -> None:
    assert to_anthropic(ALL_OPENAI["tool"]) == {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "3 °C"}],
    }
    assert to_openai(ALL_ANTHROPIC["one-result"]) == {
        "role": "tool",
        "tool_call_id": "toolu_1",
        "content": "3 °C",
    }


def test_an_old_function_call_and_its_result_stay_paired() -> None:
    use = to_anthropic(ALL_OPENAI["assistant-function-call"])["content"][0]
    result = to_anthropic(ALL_OPENAI["function"])["content"][0]
    assert use["id"] == result["tool_use_id"]


@pytest.mark.parametrize("call_id", ["", "a:1", "ü", "x" * 41])
def test_ids_that_a_provider_refuses_are_replaced_and_stay_paired(call_id: str) -> None:
    use = to_anthropic({"role": "assistant", "content": None, "tool_calls": [call(call_id, "f", "{}")]})
    result = to_anthropic({"role": "tool", "tool_call_id": call_id, "content": "ok"})
    assert use["content"][0]["id"] == result["content"][0]["tool_use_id"]
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,40}", use["content"][0]["id"])


def test_several_results_become_a_tool_message_each_and_their_images_follow() -> None:
    first, second, third, rest = openai.render_all(anthropic.parse(ALL_ANTHROPIC["results"]))
    assert first == {"role": "tool", "tool_call_id": "toolu_1", "content": "3 °C"}
    assert second["tool_call_id"] == "toolu_2"
    assert second["content"].startswith("[error] see:\n[image image/png")
    assert third == {"role": "tool", "tool_call_id": "toolu_3", "content": ""}
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    assert rest == {"role": "user", "content": [image]}


def test_several_results_in_one_message_are_quoted() -> None:
    said = to_openai(ALL_ANTHROPIC["results"])
    assert said["role"] == "user"
    assert said["content"][0] == {"type": "text", "text": "[result of toolu_1] 3 °C"}


def test_a_result_and_text_become_two_messages() -> None:
    assert openai.render_all(anthropic.parse(ALL_ANTHROPIC["result-and-text"])) == [
        {"role": "tool", "tool_call_id": "toolu_1", "content": ""},
        {"role": "user", "content": "Go on."},
    ]


def test_images_documents_and_audio() -> None:
    ours = to_anthropic(ALL_OPENAI["user-parts"])["content"]
    assert ours[1] == {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    assert ours[3] == {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png?x=ü"}}
    assert ours[7] == {"type": "text", "text": "[audio audio/wav, 16 bytes]"}
    pdf = {"type": "base64", "media_type": "application/pdf", "data": PDF}
    assert ours[10] == {"type": "document", "source": pdf, "title": "a.pdf"}

    theirs = to_openai(ALL_ANTHROPIC["user-blocks"])["content"]
    assert theirs[2] == {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    file = {"file_data": f"data:application/pdf;base64,{PDF}", "filename": "A"}
    assert theirs[7] == {"type": "file", "file": file}
    assert [block.get("text") for block in theirs[8:11]] == ["Text.", "Inside.", "Inside."]


def test_a_spoken_answer_is_told_by_its_transcript() -> None:
    assert to_anthropic(ALL_OPENAI["beyond-audio-with-transcript"]) == {"role": "assistant", "content": "Hi."}


def test_a_refusal_is_text() -> None:
    assert to_anthropic(ALL_OPENAI["assistant-refusal"]) == {"role": "assistant", "content": "I cannot."}


def test_empty_texts_are_left_out_for_anthropic() -> None:
    message = {"role": "assistant", "content": "", "tool_calls": [call("c", "f", "{}")]}
    assert [block["type"] for block in to_anthropic(message)["content"]] == ["tool_use"]


@pytest.mark.parametrize("format", [openai, anthropic])
@pytest.mark.parametrize("role", ["user", "agent", "system", "tool"])
def test_a_message_of_no_format_can_be_said_in_either(format: Any, role: str) -> None:
    parts = (
        Part("text", b"Hello"),
        Part("json", b"{broken", "application/json"),
        Part("thinking", b"Hm."),
        Part("tool_use", b"\xff", "application/json", None, "f"),
        Part("tool_result", b"\xff", "application/json", None, "f"),
        Part("tool_result", b"ok", call_id="c"),
        Part("image", b"\x89PNG", "image/png"),
        Part("image", b"x", "image/tiff"),
        Part("document", b"Text."),
        Part("document", b"{}", "application/json"),
        Part("document", b"x", "application/zip"),
        Part("audio", WAV.encode(), "audio/wav"),
    )
    for chosen in (parts, (), *((part,) for part in parts)):
        rendered = format.render(Message(role, chosen))
        assert is_valid(OPENAI_PARAM if format is openai else ANTHROPIC_PARAM, rendered)
        assert format.render(format.parse(rendered)) == rendered
