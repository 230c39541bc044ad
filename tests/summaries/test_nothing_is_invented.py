"""Every text of an offline summary is in its source, up to blanks and to … where it was cut."""

import re

from hypothesis import given

from backstory.domain.summaries.offline import SummaryDocument, SummarySource, summarize_offline
from backstory.infrastructure.llm.tokens import count_tokens
from tests.properties import examples
from tests.summaries.sources import SAMPLE, sources


def plain(text: str) -> str:
    text = text.replace("**", "")
    return " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]", " ", text).split())


def pieces(document: SummaryDocument) -> list[str]:
    """Its texts without what may be added: marks, brackets around a rationale, semicolons between goals, … for what
    is left out between two sentences."""
    found = re.split("; | … ", document.objective)
    for text in document.progress:
        found.append(re.sub(r"^[✅🔄⏳] ", "", text))
    for text in document.said:
        found += text.split(": ", 1)
    for text in document.decisions:
        found += text.removesuffix(")").split(" (")
    found += document.open_questions + document.constraints + document.files
    found += document.entities + document.next_steps + tuple(document.tools)
    return [piece.removesuffix("…") for piece in found if piece]


def assert_all_from(document: SummaryDocument, source: SummarySource) -> None:
    given = [plain(text) for text in (*source.texts(), *(message.speaker for message in source.messages))]
    for piece in pieces(document):
        assert any(plain(piece) in text for text in given), piece


@examples(12)
@given(sources())
def test_every_text_is_in_the_source(source: SummarySource) -> None:
    assert_all_from(summarize_offline(source, most_tokens=1000, count=count_tokens), source)


@examples(8)
@given(sources(previous=summarize_offline(SAMPLE, most_tokens=1000, count=count_tokens)))
def test_every_text_is_in_the_source_or_in_the_summary_before(source: SummarySource) -> None:
    assert_all_from(summarize_offline(source, most_tokens=300, count=count_tokens), source)


@examples(8)
@given(sources())
def test_tools_are_counted_exactly(source: SummarySource) -> None:
    document = summarize_offline(source, most_tokens=100_000, count=count_tokens)
    called = [plain(name) for message in source.messages for name in message.tools]
    assert all(called.count(name) == calls for name, calls in document.tools.items())
