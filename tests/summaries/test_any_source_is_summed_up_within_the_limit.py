import pytest
from hypothesis import given, strategies as st

from backstory.domain.errors import InvalidInput
from backstory.domain.summaries.offline import (
    SummaryDocument,
    SummarySource,
    check_summary,
    summarize_offline,
)
from backstory.infrastructure.llm.tokens import count_tokens
from tests.properties import examples
from tests.summaries.sources import SAMPLE, sources

COUNTS = {"tokens": count_tokens, "characters": len, "words": lambda text: len(text.split())}


@examples(10)
@given(sources(), st.integers(0, 1200), st.sampled_from(sorted(COUNTS)))
def test_the_limit_is_kept_however_tokens_are_counted(source: SummarySource, most: int, name: str) -> None:
    document = summarize_offline(source, most_tokens=most, count=COUNTS[name])
    assert COUNTS[name](document.to_markdown()) <= most


@examples(10)
@given(sources(), st.integers(0, 1200))
def test_what_it_makes_passes_the_check_or_is_empty(source: SummarySource, most: int) -> None:
    document = summarize_offline(source, most_tokens=most, count=count_tokens)
    if document.texts():
        check_summary(document, source=source, most_tokens=most, count=count_tokens)


@examples(8)
@given(sources())
def test_what_it_makes_can_be_stored_and_read(source: SummarySource) -> None:
    document = summarize_offline(source, most_tokens=800, count=count_tokens)
    assert SummaryDocument.decode(document.encode()) == document


def test_without_a_token_nothing_is_said() -> None:
    assert summarize_offline(SAMPLE, most_tokens=0, count=count_tokens).to_markdown() == ""


def test_decisions_and_constraints_outlast_everything_else() -> None:
    for most in range(200, 0, -1):
        document = summarize_offline(SAMPLE, most_tokens=most, count=count_tokens)
        lost = len(document.decisions) < 2 or len(document.constraints) < 1
        others = (document.objective, document.progress, document.open_questions, document.files)
        assert not (lost and any(others)), most
    assert lost


@pytest.mark.parametrize("most", [-1, True, 1.5, "10", None])
def test_a_limit_that_is_none_is_refused(most: object) -> None:
    with pytest.raises(InvalidInput, match="most_tokens: must be"):
        summarize_offline(SAMPLE, most_tokens=most, count=count_tokens)  # type: ignore[arg-type]


def test_long_histories_are_summed_up_with_few_counts() -> None:
    asked = 0

    def count(text: str) -> int:
        nonlocal asked
        asked += 1
        return count_tokens(text)

    many = tuple((f"Decision number {place} about module {place}", "a reason") for place in range(2000))
    document = summarize_offline(SummarySource(decisions=many), most_tokens=1000, count=count)
    assert document.decisions[-1] == "Decision number 1999 about module 1999 (a reason)"
    assert asked < 60
