"""What each kind of content is, once it belongs to no provider."""

import base64
import json
from dataclasses import replace

import pytest

from backstory.domain.messages import anthropic, inner_parts, openai
from backstory.domain.messages.contents import PART_KINDS, Part
from tests.formats.samples import ALL_ANTHROPIC, ALL_OPENAI, PDF, PNG, WAV

JSON = "application/json"


def test_plain_messages_need_no_extras() -> None:
    for format in (openai, anthropic):
        message = format.parse({"role": "user", "content": "Hello"})
        assert (message.role, message.parts, message.extras) == ("user", (Part("text", b"Hello"),), None)
        assert message.format == format.FORMAT


@pytest.mark.parametrize(
    "name", ["assistant-calls", "assistant-text-and-calls", "assistant-function-call", "tool"]
)
def test_usual_openai_messages_need_no_extras(name: str) -> None:
    message = openai.parse(ALL_OPENAI[name])
    assert {message.extras, *(part.extras for part in message.parts)} == {None}


def test_a_usual_anthropic_tool_exchange_needs_no_extras() -> None:
    use = {"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "ok"}
    for message in (
        anthropic.parse({"role": "assistant", "content": [{"type": "text", "text": "Looking."}, use]}),
        anthropic.parse({"role": "user", "content": [result]}),
    ):
        assert {message.extras, *(part.extras for part in message.parts)} == {None}


@pytest.mark.parametrize(
    ("role", "neutral"),
    [("system", "system"), ("developer", "system"), ("user", "user"), ("assistant", "agent")],
)
def test_openais_roles(role: str, neutral: str) -> None:
    assert openai.parse({"role": role, "content": "x"}).role == neutral


def test_results_have_the_role_tool_in_both_formats() -> None:
    assert openai.parse(ALL_OPENAI["tool"]).role == "tool"
    assert openai.parse(ALL_OPENAI["function"]).role == "tool"
    assert anthropic.parse(ALL_ANTHROPIC["results"]).role == "tool"
    assert anthropic.parse(ALL_ANTHROPIC["result-and-text"]).role == "user"
    assert anthropic.parse(ALL_ANTHROPIC["user-no-blocks"]).role == "user"


def test_all_kinds_are_known() -> None:
    messages = [openai.parse(m) for m in ALL_OPENAI.values()]
    messages += [anthropic.parse(m) for m in ALL_ANTHROPIC.values()]
    assert {part.kind for message in messages for part in message.parts} == set(PART_KINDS)


def test_extras_are_json() -> None:
    messages = [openai.parse(m) for m in ALL_OPENAI.values()]
    messages += [anthropic.parse(m) for m in ALL_ANTHROPIC.values()]
    for message in messages:
        for extras in (message.extras, *(part.extras for part in message.parts)):
            assert extras is None or isinstance(json.loads(extras), dict)


def test_openai_arguments_are_kept_as_the_model_wrote_them() -> None:
    parts = openai.parse(ALL_OPENAI["assistant-calls"]).parts
    assert parts == (
        Part("tool_use", b'{"city": "Oslo",  "days":3}', JSON, "call_1", "weather"),
        Part("tool_use", b"{not json", JSON, "call_2", "weather"),
        Part("tool_use", b"ls -l", "text/plain", "call_3", "shell"),
    )


def test_anthropic_input_is_compact_json_in_its_own_order() -> None:
    part = anthropic.parse(ALL_ANTHROPIC["assistant-blocks"]).parts[3]
    assert part == Part("tool_use", '{"z":1,"a":[1.0,null,"ü"]}'.encode(), JSON, "toolu_1", "weather")


def test_thinking_keeps_its_signature_apart_from_its_text() -> None:
    thinking, redacted = anthropic.parse(ALL_ANTHROPIC["assistant-blocks"]).parts[:2]
    assert (thinking.kind, thinking.data) == ("thinking", "Hm, ünsure.".encode())
    assert json.loads(thinking.extras or b"")["signature"] == "EqQBCgIYAhIM+/=="
    assert (redacted.kind, redacted.media_type) == ("thinking", "application/octet-stream")


def test_results_are_text_or_json_paired_by_the_calls_id() -> None:
    plain, blocks, nothing = anthropic.parse(ALL_ANTHROPIC["results"]).parts
    assert plain == Part("tool_result", "3 °C".encode(), "text/plain", "toolu_1")
    assert (blocks.media_type, blocks.call_id) == (JSON, "toolu_2")
    assert (nothing.data, nothing.call_id) == (b"", "toolu_3")
    assert openai.parse(ALL_OPENAI["tool"]).parts == (
        Part("tool_result", "3 °C".encode(), "text/plain", "call_1"),
    )


def test_images_files_and_audio_are_raw_bytes_with_their_media_type() -> None:
    theirs = {(part.media_type, part.data) for part in openai.parse(ALL_OPENAI["user-parts"]).parts}
    ours = {(part.media_type, part.data) for part in anthropic.parse(ALL_ANTHROPIC["user-blocks"]).parts}
    assert ("image/png", base64.b64decode(PNG)) in theirs & ours
    assert ("application/pdf", base64.b64decode(PDF)) in theirs & ours
    assert {("audio/wav", base64.b64decode(WAV)), ("audio/mpeg", base64.b64decode(WAV))} <= theirs
    assert ("text/uri-list", b"https://example.com/a.png") in ours


def test_base64_that_would_not_come_back_the_same_is_kept_whole() -> None:
    block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG + "\n"}}
    (part,) = anthropic.parse({"role": "user", "content": [block]}).parts
    assert (part.kind, part.media_type, json.loads(part.data)) == ("image", JSON, block)


def test_the_parts_inside_a_result_can_be_had() -> None:
    plain, blocks, _ = anthropic.parse(ALL_ANTHROPIC["results"]).parts
    assert inner_parts(plain) == (Part("text", "3 °C".encode()),)
    assert [(part.kind, part.media_type) for part in inner_parts(blocks)] == [
        ("text", "text/plain"),
        ("image", "image/png"),
    ]


def test_a_message_whose_parts_were_replaced_is_still_rendered() -> None:
    stub = Part("text", b"[left out]")
    for format, samples in ((openai, ALL_OPENAI), (anthropic, ALL_ANTHROPIC)):
        for sample in samples.values():
            message = format.parse(sample)
            for parts in ((), (stub,), (*message.parts, stub)):
                rendered = format.render(replace(message, parts=parts))
                assert format.render(format.parse(rendered)) == rendered
