"""Words that name nothing are passed over. That must not change what is found."""

import pytest
from hypothesis import given, strategies as st

from backstory.domain.entities.lexicon import TECHNOLOGIES
from backstory.domain.entities.scanning import _walk, scan
from backstory.domain.text.tokens import DEFINING, OPENING, Tokens

PIECES = (
    "The", "the", "I", "don't", "well-known", "users'", "x'pre-commit", "iPad", "OK", "segfault", "justfile", "Redis",
    "Go", "React", "google", "cloud's", "platform", "C++", "3.11", "404", "503", "30", "Foo", "FooBar", "foo_bar",
    "foo()", "foo(bar baz)", "Foo(a_b, Redis)", "`", "`a b`", '"', "“", "@john", "a@b.org", "https://a.org/x).",
    "auth/jwt.py", "C:\\x\\y.py", "line 3, in foo-bar", "Not Found", "x" * 41, "X" * 90, "naïve", "é", "ı", "...",
    "-", "**", "\\",
)  # fmt: skip
GAPS = (
    " ", " ", " ", "\n", ", ", ". ", " - ", "\n- ", "\n1. ", " 7 ", "(", ")", "", ".", "/", "'", "’", "_", "\t", "=",
)  # fmt: skip
texts = st.lists(
    st.one_of(
        st.sampled_from(PIECES),
        st.sampled_from(sorted(DEFINING | OPENING)),
        st.sampled_from(sorted(TECHNOLOGIES)),
        st.text(max_size=5),
    ).flatmap(lambda piece: st.sampled_from(GAPS).map(lambda gap: piece + gap)),
    max_size=25,
).map("".join)


@given(texts, st.booleans())
def test_the_same_is_found_as_in_the_whole_text(text: str, in_code: bool) -> None:
    assert list(scan(text, in_code)) == list(_walk(text, [(0, len(text))], in_code))


@pytest.mark.parametrize(
    "text", ["The team meets on Monday, as usual.", "- It's late (so what).\n1. Call 2 taxis"]
)
def test_plain_prose_is_passed_over(text: str) -> None:
    assert list(Tokens(text).loud()) == []


@pytest.mark.parametrize("opening", ["returns a", "with an", "error code", "got a code", "status code an a"])
def test_words_that_make_an_error_of_a_number_are_read_with_it(opening: str) -> None:
    assert [(found.kind, found.name) for found in scan(f"It {opening} 404 there")] == [("error", "HTTP 404")]
