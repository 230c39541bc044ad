"""tiktoken alone panics or slows down on some of these."""

import pytest
from hypothesis import given, strategies as st

from backstory.infrastructure.llm import tokens
from backstory.infrastructure.llm.tokens import CHUNK_CHARACTERS, ENCODINGS, count_tokens
from tests.properties import examples, usually

MEGA = usually(200_000, 1_000_000)
HOSTILE = {
    "letter": "a" * MEGA,
    "capital": "A" * MEGA,
    "blanks": " " * MEGA,
    "tabs": "\t" * MEGA,
    "blanks-then-word": " " * MEGA + "word",
    "lines": "\n" * MEGA,
    "blank-lines": " \n" * (MEGA // 2),
    "digits": "1" * MEGA,
    "marks": "!" * MEGA,
    "slashes": "\n/" * (MEGA // 2),
    "NUL": "\0" * MEGA,
    "emoji": "😀" * MEGA,
    "accents": "e" + "\u0301" * MEGA,
    "ideographs": "漢字" * (MEGA // 2),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", HOSTILE)
def test_very_many_characters_of_one_kind_are_counted_in_bounded_time(name: str) -> None:
    text = HOSTILE[name]
    for encoding in ENCODINGS:
        assert 0 < count_tokens(text, encoding) <= len(text.encode())


@pytest.mark.timeout(60)
def test_megabytes_of_prose_are_counted_exactly() -> None:
    line = "It was the best of times, it was the worst of times; 1859 by Charles Dickens.\n"
    lines = usually(4_000_000, 20_000_000) // len(line)
    assert count_tokens(line * lines) == count_tokens(line) * lines


def test_a_long_line_without_a_place_to_cut_is_off_by_little() -> None:
    text = "x1" * (CHUNK_CHARACTERS * 2)
    exact = len(tokens._encoding("o200k_base").encode_ordinary(text))
    assert abs(count_tokens(text) - exact) <= 2 * 4


def test_the_count_is_the_same_every_time() -> None:
    text = HOSTILE["blanks"] + HOSTILE["letter"]
    assert count_tokens(text) == count_tokens(text)


@examples(20)
@given(st.data())
def test_chunks_cut_between_words_or_lines_give_the_exact_count(data: st.DataObject) -> None:
    piece = st.sampled_from(
        ["word", "It's", " ", "  ", "\n", "\n\n", "\r\n", "/", "!", "7", "é", "漢", "\t", "DON'T"]
    )
    text = "".join(data.draw(st.lists(piece | st.text(max_size=3), max_size=60)))
    encoding = data.draw(st.sampled_from(ENCODINGS))
    encode = tokens._encoding(encoding).encode_ordinary
    for cut in tokens._CUT.finditer(text):
        assert len(encode(text[: cut.end()])) + len(encode(text[cut.end() :])) == len(encode(text))
