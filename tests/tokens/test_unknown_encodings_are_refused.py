import pytest

from backstory.domain.errors import UnknownEncoding
from backstory.infrastructure.llm.tokens import ENCODINGS, check_encoding, count_parts, count_tokens


@pytest.mark.parametrize("name", ["p50k_base", "gpt2", "gpt-4o", "O200K_BASE", "", "../ranks/o200k_base"])
def test_the_error_names_the_field_and_the_known_encodings(name: str) -> None:
    with pytest.raises(UnknownEncoding) as refused:
        check_encoding(name)
    assert refused.value.field == "encoding"
    assert all(known in refused.value.rule for known in ENCODINGS)


def test_counting_refuses_too_even_when_there_is_nothing_to_count() -> None:
    with pytest.raises(UnknownEncoding):
        count_tokens("", "r50k_base")
    with pytest.raises(UnknownEncoding):
        count_parts([], "r50k_base")


def test_the_known_encodings_are_accepted() -> None:
    for name in ENCODINGS:
        check_encoding(name)
