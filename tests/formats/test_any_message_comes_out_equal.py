"""Messages at random, with unknown keys at every level, come out as they went in."""

import base64
import json
from typing import Any

from hypothesis import given, strategies as st

from backstory.domain.errors import InvalidMessage
from backstory.domain.messages import FORMATS, anthropic, openai, parse, requested
from tests.properties import examples

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBER = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
BASE64 = st.binary(max_size=20).map(lambda data: base64.b64encode(data).decode()) | TEXT
MEDIA_TYPE = st.sampled_from(["image/png", "application/pdf", "application/json", "text/plain", "odd"]) | TEXT


@st.composite
def with_extras(draw: st.DrawFn, keys: dict[str, st.SearchStrategy[Any]], *optional: str) -> dict[str, Any]:
    """An object of these keys, some of them left out, with unknown ones among them, in any order."""
    chosen = {key: draw(value) for key, value in keys.items() if key not in optional or draw(st.booleans())}
    unknown = draw(
        st.dictionaries(TEXT.map("x_".__add__), JSON, max_size=2) if draw(st.booleans()) else st.just({})
    )
    pairs = list((unknown | chosen).items())
    return dict(draw(st.permutations(pairs)) if draw(st.booleans()) else pairs)


def typed(
    name: str, keys: dict[str, st.SearchStrategy[Any]], *optional: str
) -> st.SearchStrategy[dict[str, Any]]:
    return with_extras({"type": st.just(name)} | keys, *optional)


DATA_URL = st.builds("data:{};base64,{}".format, MEDIA_TYPE, BASE64)
URLS = st.just("https://example.com/a.png") | DATA_URL | TEXT
OPENAI_TEXT = typed("text", {"text": TEXT})
OPENAI_PART = st.one_of(
    OPENAI_TEXT,
    typed("refusal", {"refusal": TEXT}),
    typed("image_url", {"image_url": with_extras({"url": URLS, "detail": TEXT}, "detail")}),
    typed("input_audio", {"input_audio": with_extras({"data": BASE64, "format": st.just("mp3") | TEXT})}),
    typed(
        "file",
        {"file": with_extras({"file_data": DATA_URL | BASE64, "filename": TEXT}, "file_data", "filename")},
    ),
    typed("video", {"video": JSON}),
)
OPENAI_CONTENT = TEXT | st.lists(OPENAI_PART, max_size=3)
OPENAI_CALL = st.one_of(
    typed(
        "function",
        {"id": TEXT, "function": with_extras({"name": TEXT, "arguments": TEXT | JSON.map(json.dumps)})},
    ),
    typed("custom", {"id": TEXT, "custom": with_extras({"name": TEXT, "input": TEXT})}),
    typed("mystery", {"id": TEXT, "mystery": JSON}),
)
OPENAI_MESSAGE = st.one_of(
    with_extras(
        {"role": st.sampled_from(["system", "developer", "user"]), "content": OPENAI_CONTENT, "name": TEXT}
    ),
    with_extras(
        {
            "role": st.just("assistant"),
            "content": st.none() | OPENAI_CONTENT,
            "refusal": st.none() | TEXT,
            "audio": st.none()
            | with_extras({"id": TEXT, "data": BASE64, "transcript": TEXT}, "data", "transcript"),
            "function_call": st.none() | with_extras({"name": TEXT, "arguments": TEXT}),
            "tool_calls": st.none() | st.lists(OPENAI_CALL, max_size=3, unique_by=lambda call: call["id"]),
        },
        *("content", "refusal", "audio", "function_call", "tool_calls"),
    ),
    with_extras({"role": st.just("tool"), "tool_call_id": TEXT, "content": OPENAI_CONTENT}),
    with_extras({"role": st.just("function"), "name": TEXT, "content": st.none() | TEXT}),
)

ANTHROPIC_SOURCE = st.one_of(
    typed("base64", {"media_type": MEDIA_TYPE, "data": BASE64}),
    typed("url", {"url": TEXT}),
    typed("text", {"media_type": st.just("text/plain"), "data": TEXT}),
    typed("file", {"file_id": TEXT}),
    typed("content", {"content": JSON}),
)
ANTHROPIC_FLAT_BLOCK = st.one_of(
    typed("text", {"text": TEXT, "citations": JSON}, "citations"),
    typed("thinking", {"thinking": TEXT, "signature": TEXT}, "signature"),
    typed("redacted_thinking", {"data": TEXT}),
    typed("image", {"source": ANTHROPIC_SOURCE}),
    typed("document", {"source": ANTHROPIC_SOURCE, "title": st.none() | TEXT}, "title"),
    typed("mystery", {"data": JSON, "text": JSON}, "data", "text"),
)
ANTHROPIC_BLOCK = st.one_of(
    ANTHROPIC_FLAT_BLOCK,
    typed(
        "tool_result",
        {"tool_use_id": TEXT, "content": TEXT | st.lists(ANTHROPIC_FLAT_BLOCK, max_size=2)},
        "content",
    ),
    typed("web_search_tool_result", {"tool_use_id": TEXT, "content": JSON}, "content"),
    *(
        typed(
            name, {"id": st.uuids().map(str), "name": TEXT, "input": st.dictionaries(TEXT, JSON, max_size=3)}
        )
        for name in ("tool_use", "server_tool_use", "mcp_tool_use")
    ),
)
ANTHROPIC_MESSAGE = with_extras(
    {
        "role": st.sampled_from(["user", "assistant", "system"]),
        "content": TEXT | st.lists(ANTHROPIC_BLOCK, max_size=4),
    }
)
SETTINGS = examples(20)


@SETTINGS
@given(OPENAI_MESSAGE)
def test_openai(message: dict[str, Any]) -> None:
    parsed = openai.parse(message)
    # As text, since in Python 1 equals 1.0 and True.
    assert json.dumps(openai.render(parsed)) == json.dumps(message)
    assert json.dumps(openai.render_all(parsed)) == json.dumps([message])


@SETTINGS
@given(ANTHROPIC_MESSAGE)
def test_anthropic(message: dict[str, Any]) -> None:
    assert json.dumps(anthropic.render(anthropic.parse(message))) == json.dumps(message)


@SETTINGS
@given(OPENAI_MESSAGE)
def test_every_openai_message_can_be_said_in_anthropics_format(message: dict[str, Any]) -> None:
    rendered = anthropic.render(openai.parse(message))
    assert json.loads(json.dumps(rendered, allow_nan=False)) == rendered
    assert anthropic.render(anthropic.parse(rendered)) == rendered


@SETTINGS
@given(ANTHROPIC_MESSAGE)
def test_every_anthropic_message_can_be_said_in_openais_format(message: dict[str, Any]) -> None:
    parsed = anthropic.parse(message)
    for rendered in [openai.render(parsed), *openai.render_all(parsed)]:
        assert json.loads(json.dumps(rendered, allow_nan=False)) == rendered
        assert openai.render(openai.parse(rendered)) == rendered


@SETTINGS
@given(OPENAI_MESSAGE | ANTHROPIC_MESSAGE)
def test_a_request_of_any_message_can_be_recorded_and_made_again(message: dict[str, Any]) -> None:
    try:
        parsed = openai.parse(message)
    except InvalidMessage:
        parsed = anthropic.parse(message)
    for format in FORMATS:
        for made in requested([parsed], format):
            assert requested([parse(format, made)], format) == [made]
