"""One test for each row of the table in `backstory.infrastructure.llm.tokens`."""

import base64
import json
import struct

import pytest

from backstory.domain.messages import anthropic, openai
from backstory.domain.messages.contents import Part
from backstory.infrastructure.llm.tokens import count_parts, count_tokens


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"\x08\x02\0\0\0"


def jpeg(width: int, height: int) -> bytes:
    exif = b"\xff\xe1" + struct.pack(">H", 6) + b"Exif"
    return b"\xff\xd8" + exif + b"\xff\xc2" + struct.pack(">HBHH", 11, 8, height, width) + b"\x01\x01\x11\0"


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0"


def webp_lossy(width: int, height: int) -> bytes:
    frame = b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height)
    return b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0" + frame


def webp_lossless(width: int, height: int) -> bytes:
    return b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + struct.pack("<I", width - 1 | height - 1 << 14)


def webp_extended(width: int, height: int) -> bytes:
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0" + size


def image_block(data: bytes) -> dict[str, object]:
    text = base64.b64encode(data).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": text}}


def test_text_thinking_and_json_count_their_text() -> None:
    for kind in ("text", "thinking", "json"):
        assert count_parts([Part(kind, b"hello world")]) == 2


def test_parts_are_summed_in_the_encoding_asked_for() -> None:
    text = "お誕生日おめでとう".encode()
    parts = [Part("text", text), Part("text", text)]
    assert (count_parts(parts), count_parts(parts, "cl100k_base")) == (16, 18)


def test_redacted_thinking_counts_a_token_per_four_bytes() -> None:
    assert count_parts([Part("thinking", b"A" * 401, "application/octet-stream")]) == 101


def test_a_tool_use_counts_its_name_and_arguments() -> None:
    part = Part("tool_use", b'{"city":"Oslo"}', "application/json", "call_with_a_long_id", "get_weather")
    assert count_parts([part]) == count_tokens("get_weather") + count_tokens('{"city":"Oslo"}')


def test_a_tool_result_of_blocks_counts_each_block_and_not_its_base64() -> None:
    blocks = [{"type": "text", "text": "hello world"}, image_block(png(512, 512) + b"\0" * 30_000)]
    part = Part("tool_result", json.dumps(blocks).encode(), "application/json", "call_1")
    assert count_parts([part]) == 2 + 255


def test_a_result_of_a_tool_that_the_provider_ran_counts_sealed_text_by_its_size() -> None:
    found = {"type": "web_search_result", "title": "Oslo"}
    sealed = found | {"encrypted_content": "A" * 4_000}
    parse = [
        anthropic.parse(
            {
                "role": "assistant",
                "content": [{"type": "web_search_tool_result", "tool_use_id": "s", "content": [result]}],
            }
        )
        for result in (found, sealed)
    ]
    assert count_parts(parse[1].parts) == count_parts(parse[0].parts) + 1_000


def test_a_document_of_text_counts_its_title_context_and_text() -> None:
    source = {"type": "text", "media_type": "text/plain", "data": "hello world"}
    block = {"type": "document", "source": source, "title": "hello", "context": "hello world"}
    message = anthropic.parse({"role": "user", "content": [block]})
    assert count_parts(message.parts) == 5


def test_a_document_of_blocks_counts_its_blocks() -> None:
    content = [{"type": "text", "text": "hello world"}, image_block(png(512, 512))]
    block = {"type": "document", "source": {"type": "content", "content": content}, "title": "hello"}
    message = anthropic.parse({"role": "user", "content": [block]})
    assert count_parts(message.parts) == 1 + 2 + 255


@pytest.mark.parametrize(("size", "count"), [(0, 0), (1, 1), (16_000, 1_000), (20_000_000, 100_000)])
def test_a_document_of_other_bytes_counts_by_its_size(size: int, count: int) -> None:
    assert count_parts([Part("document", bytes(size), "application/pdf")]) == count


@pytest.mark.parametrize("draw", [png, jpeg, gif, webp_lossy, webp_lossless, webp_extended])
@pytest.mark.parametrize(
    ("size", "tiles"),
    [((1, 1), 1), ((512, 512), 1), ((513, 512), 2), ((1024, 1024), 4), ((2048, 4096), 6), ((16, 8000), 4)],
)
def test_an_image_counts_its_tiles(draw: object, size: tuple[int, int], tiles: int) -> None:
    assert callable(draw)
    assert count_parts([Part("image", draw(*size), "image/png")]) == 85 + 170 * tiles


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8",
        b"\xff\xd8\xff\xff\xff",
        b"RIFF\0\0\0\0WEBP",
        png(0, 5),
        b"<svg/>",
    ],
)
def test_an_image_of_unknown_size_counts_as_a_usual_one(data: bytes) -> None:
    assert count_parts([Part("image", data, "image/png")]) == 765


def test_an_image_by_reference_counts_as_a_usual_one() -> None:
    assert count_parts([Part("image", b"https://example.com/a.png", "text/uri-list")]) == 765


def test_audio_counts_by_its_size() -> None:
    assert count_parts([Part("audio", bytes(16_000), "audio/mpeg")]) == 10


def test_signatures_citations_and_cache_marks_count_nothing() -> None:
    plain = [{"type": "text", "text": "hello world"}, {"type": "thinking", "thinking": "hello world"}]
    marks = {
        "cache_control": {"type": "ephemeral"},
        "citations": [{"cited_text": "x" * 900}],
        "signature": "s" * 900,
    }
    marked = [block | marks for block in plain]
    counts = [
        count_parts(anthropic.parse({"role": "assistant", "content": c}).parts) for c in (plain, marked)
    ]
    assert counts == [4, 4]


def test_both_formats_of_one_message_count_the_same() -> None:
    picture = png(900, 700)
    url = "data:image/png;base64," + base64.b64encode(picture).decode()
    ours = anthropic.parse(
        {"role": "user", "content": [image_block(picture), {"type": "text", "text": "What?"}]}
    )
    theirs = openai.parse(
        {
            "role": "user",
            "content": [{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": "What?"}],
        }
    )
    assert count_parts(ours.parts) == count_parts(theirs.parts)


def test_bytes_that_are_not_utf_8_are_counted() -> None:
    assert count_parts([Part("text", b"\xff\xfe hello")]) > 1


@pytest.mark.parametrize(
    "data", [b"", b"{", b"null", b"[1, null]", b'"text"', b"[[[", b'{"encrypted_x":1', b"7"]
)
@pytest.mark.parametrize("kind", ["tool_result", "document", "json", "image", "audio", "tool_use"])
def test_data_that_only_claims_to_be_json_is_counted_too(kind: str, data: bytes) -> None:
    assert count_parts([Part(kind, data, "application/json")]) >= 0
