"""Whole conversations in providers' own types: what went in through `message` comes out of `messages`, equal."""

import base64
import json
import os
from typing import Any

import pytest
from anthropic.types import Message as AnthropicMessage
from openai.types.chat import ChatCompletionMessage

from backstory.domain.errors import InvalidInput, InvalidMessage, NoLiveCall
from tests.formats.samples import ALL_ANTHROPIC, ALL_OPENAI, call

IMAGE = os.urandom(3000)
IMAGE_64 = base64.b64encode(IMAGE).decode()

OPENAI_TALK: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    {"role": "developer", "content": "Be kind.", "name": "rules"},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "What is on this picture? ünïcödé \0 漢字"},
            {
                "type": "image_url",
                "image_url": {"url": f"data:image/png;base64,{IMAGE_64}", "detail": "high"},
            },
        ],
    },
    {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "annotations": [],
        "reasoning_content": "I should look at it.",
        "tool_calls": [call("call_1", "look", '{"at":  "picture"}'), call("call_2", "think", "{not json")],
    },
    {"role": "tool", "tool_call_id": "call_2", "content": "thought \0 about it"},
    {"role": "tool", "tool_call_id": "call_1", "content": [{"type": "text", "text": "a cat"}]},
    {"role": "assistant", "content": "A cat.", "refusal": None},
    {"role": "user", "content": "Thanks.", "unheard_of": {"x": [1, 2.5, None]}},
]

ANTHROPIC_TALK: list[dict[str, Any]] = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "What is on this picture?", "cache_control": {"type": "ephemeral"}},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": IMAGE_64}},
        ],
    },
    {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": [
            {"type": "thinking", "thinking": "Hm, a picture.", "signature": "EqQBCgIYAhIM+/=="},
            {"type": "redacted_thinking", "data": "EmwKAhgBEgy3"},
            {"type": "text", "text": "Looking."},
            {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"z": 1, "a": [1.0, None]}},
            {"type": "tool_use", "id": "toolu_2", "name": "think", "input": {}},
            {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "cats"}},
            {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    },
    {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "tool_use_id": "toolu_2",
                "content": "thought \0 about it",
                "is_error": True,
            },
            {
                "type": "tool_result",
                "tool_use_id": "toolu_1",
                "content": [
                    {"type": "text", "text": "a cat"},
                    {
                        "type": "image",
                        "source": {"type": "base64", "media_type": "image/png", "data": IMAGE_64},
                    },
                ],
            },
            {"type": "text", "text": "And now?"},
        ],
    },
    {"role": "assistant", "content": "A cat.", "a_new_key": True},
]

REFUSED = {
    **dict.fromkeys(
        ("user-empty", "user-no-blocks", "assistant-null", "assistant-bare"), "must not be empty"
    ),
    "results": "one assistant message",
}
"""What says nothing, and the results of calls that were made in several messages."""

TALKS = {"openai": OPENAI_TALK, "anthropic": ANTHROPIC_TALK}


def as_sdk_type(message: dict[str, Any], format: str) -> Any:
    """An answer is an object of the SDK's; what a caller sends is a dictionary in both SDKs."""
    if format == "openai" and message["role"] == "assistant":
        return ChatCompletionMessage.model_validate(message)
    if format == "anthropic" and message.get("type") == "message":
        return AnthropicMessage.model_validate(message)
    return message


@pytest.mark.parametrize("format", TALKS)
def test_a_talk_comes_out_as_it_went_in(any_store, format):
    session = any_store.start()
    for message in TALKS[format]:
        session.message(as_sdk_type(message, format), format=format)
    assert session.messages(format=format) == TALKS[format]
    assert session.state.open_calls == {}
    assert session.verify().ok


@pytest.mark.parametrize("format", TALKS)
def test_a_talk_comes_out_as_it_was_at_every_version(any_store, format):
    session = any_store.start()
    versions = [session.message(message, format=format) for message in TALKS[format]]
    session.backtrack(1, "all over")
    assert session.messages(format=format) == []
    for count, version in enumerate(versions, 1):
        assert same(session.messages(format=format, at=version), TALKS[format][:count])
    fork = session.fork(versions[-1])
    assert same(fork.messages(format=format), TALKS[format])


@pytest.mark.parametrize("format", TALKS)
def test_a_talk_can_be_said_in_the_other_format(any_store, format):
    session = any_store.start()
    for message in TALKS[format]:
        session.message(message, format=format)
    (other,) = set(TALKS) - {format}
    said = session.messages(format=other)
    again = any_store.start()
    for message in said:
        again.message(message, format=other)
    assert same(again.messages(format=other), said)
    assert "A cat." in json.dumps(said)


@pytest.mark.parametrize(
    ("format", "name"),
    [("openai", name) for name in ALL_OPENAI] + [("anthropic", name) for name in ALL_ANTHROPIC],
)
def test_every_kind_of_message(store, format, name):
    message = (ALL_OPENAI if format == "openai" else ALL_ANTHROPIC)[name]
    session = store.start()
    if message["role"] != "assistant":
        for number in range(1, 4):
            for id in (f"call_{number}", f"toolu_{number}"):
                session.tool_call("t", {}, call_id=id)
    before = session.version
    if name in REFUSED:
        with pytest.raises(InvalidInput, match=REFUSED[name]):
            session.message(message, format=format)
        assert session.version == before
        return
    session.message(message, format=format)
    found = session.messages(format=format)
    assert message in found
    assert session.verify().ok


def same(found: list[Any], expected: list[Any]) -> bool:
    """Equal in values, types and order of keys."""
    assert [json.dumps(message) for message in found] == [json.dumps(message) for message in expected]
    return True


def test_an_images_bytes_are_kept_exactly(any_store):
    session = any_store.start()
    item = session.message(ANTHROPIC_TALK[0], format="anthropic")
    (part,) = [part for part in session.items.parts(item) if part.kind == "image"]
    assert part.data == IMAGE
    assert part.media_type == "image/png"


def test_parallel_calls_are_one_item_that_their_results_extend(any_store):
    session = any_store.start()
    calls = session.message(OPENAI_TALK[3], format="openai")
    assert set(session.state.open_calls) == {"call_1", "call_2"}
    second = session.message(OPENAI_TALK[4], format="openai")
    assert set(session.state.open_calls) == {"call_1"}
    with pytest.raises(NoLiveCall):
        session.message(OPENAI_TALK[4], format="openai")
    first = session.message(OPENAI_TALK[5], format="openai")
    assert session.state.open_calls == {}
    assert list(session.state.items) == [calls]
    assert session.state.items[calls].versions == (calls, second, first)
    session.items.remove(calls)
    assert session.messages() == []
    session.items.bring_back(calls)
    assert same(session.messages(format="openai"), OPENAI_TALK[3:6])


def test_results_of_two_exchanges_do_not_come_in_one_message(any_store):
    session = any_store.start()
    for id in ("toolu_1", "toolu_2"):
        session.tool_call("t", {}, call_id=id)
    with pytest.raises(InvalidInput, match="calls of one assistant message"):
        session.message(ANTHROPIC_TALK[2], format="anthropic")


def test_what_the_provider_itself_has_answered_is_not_open(any_store):
    session = any_store.start()
    session.message(
        {
            "role": "assistant",
            "content": [
                {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "cats"}},
                {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []},
                {"type": "text", "text": "Cats."},
            ],
        },
        format="anthropic",
    )
    assert session.state.open_calls == {}


def test_a_providers_result_that_comes_in_a_later_message_of_its_own(any_store):
    session = any_store.start()
    talk = [
        {
            "role": "assistant",
            "content": [
                {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "x"}}
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []},
                {"type": "text", "text": "Cats."},
            ],
        },
    ]
    for message in talk:
        session.message(message, format="anthropic")
    assert same(session.messages(format="anthropic"), talk)
    assert session.state.open_calls == {}


def test_messages_are_in_the_windows_that_they_went_to(any_store):
    session = any_store.start()
    session.message("for all", windows=("main", "reviewer"))
    session.message("for one", windows=("reviewer",))
    session.message("for the other")
    said = {
        window: [message.parts[0].data.decode() for message in session.messages(window=window)]
        for window in ("main", "reviewer", "nobody's")
    }
    assert said == {"main": ["for all", "for the other"], "reviewer": ["for all", "for one"], "nobody's": []}
    session.items.remove(2, window="reviewer")
    assert [message.parts[0].data for message in session.messages(window="reviewer")] == [b"for one"]
    assert session.state.windows["reviewer"].items == 1


def test_five_megabytes_in_one_message(any_store):
    session = any_store.start()
    text = "0123456789abcde\0" * (5 * 2**16)
    session.message({"role": "user", "content": text}, format="openai")
    assert session.messages(format="openai") == [{"role": "user", "content": text}]


@pytest.mark.parametrize(
    ("message", "format"),
    [
        ({}, "openai"),
        ({"role": "user"}, "openai"),
        ({"role": "ghost", "content": "x"}, "openai"),
        ({"role": "user", "content": 5}, "openai"),
        ({"role": "user", "content": [5]}, "anthropic"),
        ({"role": "user", "content": [{"type": "text"}]}, "anthropic"),
        ({"role": "assistant", "tool_calls": "none"}, "openai"),
        ({"role": "assistant", "tool_calls": [{"id": 5}]}, "openai"),
        ({"role": "user", "content": "x"}, "morse"),
        ({"role": "user", "content": "x"}, None),
        ("text", "openai"),
    ],
    ids=str,
)
def test_a_message_that_is_none_is_refused(any_store, message, format):
    session = any_store.start()
    with pytest.raises(InvalidInput) as raised:
        session.message(message, format=format)
    assert isinstance(raised.value, InvalidMessage) or raised.value.field in ("format", "role", "content")
    assert session.version == 1
