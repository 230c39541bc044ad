"""Each names the field and the rule."""

import enum
from collections.abc import Callable
from typing import Any

import pytest

from backstory.domain.errors import InvalidInput, InvalidMessage
from backstory.domain.messages import anthropic, openai, parse, render
from backstory.domain.messages.contents import Message, text_bytes
from tests.formats.samples import call

LONE = "a\ud800b"


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def assistant(**keys: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, **keys}


def circular() -> dict[str, Any]:
    message: dict[str, Any] = {"role": "user", "content": "x"}
    message["self"] = message
    return message


TEXT = {"type": "text", "text": "x"}

IN_BOTH: list[tuple[Any, str, str]] = [
    (None, "message", "must be an object"),
    ("hello", "message", "must be an object"),
    ([("role", "user")], "message", "must be an object"),
    (b"hello", "message", "must be a JSON value, not bytes"),
    (dict, "message", "must be a JSON value, not type"),
    ({}, "message.role", "is missing"),
    ({"content": "x"}, "message.role", "is missing"),
    ({"role": None, "content": "x"}, "message.role", "must be a string"),
    ({"role": "wizard", "content": "x"}, "message.role", "must be one of"),
    ({"role": "user"}, "message.content", "is missing"),
    ({"role": "user", "content": None}, "message.content", "must be a string or a list"),
    ({"role": "user", "content": 3}, "message.content", "must be a string or a list"),
    ({"role": "user", "content": {"type": "text"}}, "message.content", "must be a string or a list"),
    ({"role": "user", "content": LONE}, "message.content", "lone surrogate at character 1"),
    ({"role": "user", "content": "x", LONE: 1}, "message", "lone surrogate"),
    ({"role": "user", "content": "x", "a": {"b": ["", LONE]}}, "message.a.b[1]", "lone surrogate"),
    ({"role": "user", "content": "x", 1: 2}, "message", "key that is not a string but int"),
    ({"role": "user", "content": "x", "n": float("nan")}, "message.n", "finite number"),
    ({"role": "user", "content": "x", "n": [float("-inf")]}, "message.n[0]", "finite number"),
    ({"role": "user", "content": "x", "n": 10**5000}, "message.n", "integer of more than"),
    ({"role": "user", "content": "x", "data": b"raw"}, "message.data", "must be a JSON value, not bytes"),
    ({"role": "user", "content": "x", "data": {1, 2}}, "message.data", "must be a JSON value, not set"),
    ({"role": "user", "content": iter([TEXT])}, "message.content", "must be a JSON value"),
    ({"role": "user", "content": "x", "deep": nested(101)}, "message.deep[0]", "nested deeper than 100"),
    (circular(), "message.self", "nested deeper than 100"),
    (user(TEXT, "loose text"), "message.content[1]", "must be an object"),
    (user(TEXT, TEXT, {"text": "x"}), "message.content[2].type", "is missing"),
    (user({"type": 3}), "message.content[0].type", "must be a string"),
    (user({"type": "text"}), "message.content[0].text", "is missing"),
    (user({"type": "text", "text": None}), "message.content[0].text", "must be a string"),
    (user({"type": "text", "text": LONE}), "message.content[0].text", "lone surrogate"),
]

IN_OPENAI: list[tuple[Any, str, str]] = [
    ({"role": "tool", "content": "x"}, "message.tool_call_id", "is missing"),
    ({"role": "tool", "content": "x", "tool_call_id": None}, "message.tool_call_id", "must be a string"),
    ({"role": "tool", "content": None, "tool_call_id": "c"}, "message.content", "must be a string or a list"),
    ({"role": "tool", "tool_call_id": "c"}, "message.content", "is missing"),
    ({"role": "function", "content": "x"}, "message.name", "is missing"),
    ({"role": "function", "name": "f", "content": 1}, "message.content", "must be a string or a list"),
    (assistant(refusal=1), "message.refusal", "must be a string"),
    (assistant(audio="x"), "message.audio", "must be an object"),
    (assistant(function_call="f"), "message.function_call", "must be an object"),
    (assistant(function_call={"name": "f"}), "message.function_call.arguments", "is missing"),
    (assistant(tool_calls={}), "message.tool_calls", "must be a list"),
    (assistant(tool_calls=["x"]), "message.tool_calls[0]", "must be an object"),
    (assistant(tool_calls=[{"type": "function"}]), "message.tool_calls[0].id", "is missing"),
    (assistant(tool_calls=[{"id": "c", "type": "custom"}]), "message.tool_calls[0].custom", "is missing"),
    (
        assistant(tool_calls=[{"id": "c", "type": "function", "function": {"name": "f", "arguments": {}}}]),
        "message.tool_calls[0].function.arguments",
        "must be a string",
    ),
    (
        assistant(tool_calls=[call("c", "f", "{}"), call("d", "f", "{}"), call("c", "g", "{}")]),
        "message.tool_calls",
        "uses the tool call id 'c' twice",
    ),
    (user({"type": "image_url"}), "message.content[0].image_url", "is missing"),
    (user({"type": "image_url", "image_url": "x"}), "message.content[0].image_url", "must be an object"),
    (user({"type": "image_url", "image_url": {}}), "message.content[0].image_url.url", "is missing"),
    (user({"type": "input_audio", "input_audio": {}}), "message.content[0].input_audio.data", "is missing"),
    (user({"type": "file", "file": []}), "message.content[0].file", "must be an object"),
    (
        user({"type": "file", "file": {"file_data": 1}}),
        "message.content[0].file.file_data",
        "must be a string",
    ),
]

USE = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
IN_ANTHROPIC: list[tuple[Any, str, str]] = [
    ({"role": "tool", "content": "x"}, "message.role", "must be one of user, assistant, system"),
    ({"role": "assistant", "content": None}, "message.content", "must be a string or a list"),
    (user({"type": "thinking"}), "message.content[0].thinking", "is missing"),
    (user({"type": "redacted_thinking", "data": 1}), "message.content[0].data", "must be a string"),
    (user({"type": "image"}), "message.content[0].source", "is missing"),
    (user({"type": "image", "source": "x"}), "message.content[0].source", "must be an object"),
    (user({"type": "image", "source": {}}), "message.content[0].source.type", "is missing"),
    (user({"type": "image", "source": {"type": "url"}}), "message.content[0].source.url", "is missing"),
    (
        user({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": b"x"}}),
        "message.content[0].source.data",
        "must be a JSON value, not bytes",
    ),
    (user({"type": "tool_use", "name": "f", "input": {}}), "message.content[0].id", "is missing"),
    (user(USE | {"input": "{}"}), "message.content[0].input", "must be an object"),
    (user(USE | {"input": {"x": float("inf")}}), "message.content[0].input.x", "finite number"),
    (user(USE, USE), "message.content", "uses the tool call id 't' twice"),
    (user(USE, USE | {"type": "server_tool_use"}), "message.content", "uses the tool call id 't' twice"),
    (user({"type": "tool_result"}), "message.content[0].tool_use_id", "is missing"),
    (
        user({"type": "tool_result", "tool_use_id": "t", "content": 3}),
        "message.content[0].content",
        "must be",
    ),
]


def check(parse_one: Callable[[Any], Message], message: Any, field: str, rule: str) -> None:
    with pytest.raises(InvalidMessage) as refused:
        parse_one(message)
    assert rule in refused.value.rule
    # A circular message is refused somewhere inside; where is only told by where it began.
    assert refused.value.field.startswith(field) if "nested" in rule else refused.value.field == field
    str(refused.value).encode()


@pytest.mark.parametrize(("message", "field", "rule"), IN_BOTH + IN_OPENAI)
def test_openai(message: Any, field: str, rule: str) -> None:
    check(openai.parse, message, field, rule)


@pytest.mark.parametrize(("message", "field", "rule"), IN_BOTH + IN_ANTHROPIC)
def test_anthropic(message: Any, field: str, rule: str) -> None:
    check(anthropic.parse, message, field, rule)


@pytest.mark.parametrize("format", ["openai", "anthropic"])
def test_the_caller_may_say_what_the_message_is_called(format: str) -> None:
    with pytest.raises(InvalidMessage, match=r"^messages\[3\]\.content\[0\]\.text: must be a string$"):
        parse(format, user({"type": "text", "text": 5}), "messages[3]")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(InvalidInput, match="^format: must be one of openai, anthropic"):
        parse("gemini", {"role": "user", "content": "x"})
    with pytest.raises(InvalidInput, match="^format: must be one of openai, anthropic"):
        render(Message("user", ()))


def test_enums_of_strings_are_strings() -> None:
    class Role(enum.StrEnum):
        USER = "user"

    assert render(parse("openai", {"role": Role.USER, "content": "x"})) == {"role": "user", "content": "x"}


def test_text_bytes_keeps_nul_and_refuses_half_a_pair() -> None:
    assert text_bytes("text", "a\0ü") == b"a\x00\xc3\xbc"
    with pytest.raises(InvalidMessage, match="^text: has a lone surrogate at character 1$"):
        text_bytes("text", LONE)
