"""Counts that OpenAI publishes, and laws that hold whatever the text."""

import pytest
from hypothesis import given, strategies as st

from backstory.infrastructure.llm.tokens import ENCODINGS, count_lines, count_tokens

PUBLISHED = [
    ("antidisestablishmentarianism", "cl100k_base", 6),
    ("antidisestablishmentarianism", "o200k_base", 6),
    ("2 + 2 = 4", "cl100k_base", 7),
    ("2 + 2 = 4", "o200k_base", 7),
    ("お誕生日おめでとう", "cl100k_base", 9),
    ("お誕生日おめでとう", "o200k_base", 8),
    ("tiktoken is great!", "cl100k_base", 6),
    ("tiktoken is great!", "o200k_base", 6),
    ("today\n \n", "cl100k_base", 2),
    ("'rer", "cl100k_base", 2),
    ("hello world", "o200k_base", 2),
    ("hello world", "o200k_harmony", 2),
]


@pytest.mark.parametrize(("text", "encoding", "count"), PUBLISHED)
def test_counts_are_those_that_openai_publishes(text: str, encoding: str, count: int) -> None:
    assert count_tokens(text, encoding) == count


def test_o200k_base_is_the_default() -> None:
    text = "お誕生日おめでとう"
    assert count_tokens(text) == count_tokens(text, "o200k_base")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_empty_text_has_no_tokens(encoding: str) -> None:
    assert count_tokens("", encoding) == 0


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("text", ["<|endoftext|>", "<|endofprompt|>", "<|start|>", "a<|fim_prefix|>b"])
def test_what_looks_like_a_special_token_is_counted_as_text(text: str, encoding: str) -> None:
    assert count_tokens(text, encoding) > 1


@given(st.text())
def test_no_text_has_more_tokens_than_bytes(text: str) -> None:
    size = len(text.encode())
    assert (size > 0) <= count_tokens(text) <= size


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(
    text=st.lists(
        st.sampled_from(
            ["\n", "\r", " ", "/", "-", "##", "- a", "1. ", "word", "'s", "…", "\u2028", "é", "7"]
        )
    ).map("".join)
)
def test_lines_have_as_many_tokens_as_the_whole_text(encoding: str, text: str) -> None:
    assert count_lines(text, encoding) == count_tokens(text, encoding)
