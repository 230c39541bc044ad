import pytest

from backstory.domain.errors import InvalidInput
from backstory.domain.summaries.offline import SummaryDocument

FULL = SummaryDocument(objective="Ship it", decisions=("Use RS256", "ä 漢"), tools={"grep": 2, "edit": 1})


def test_a_document_is_read_as_it_was_written() -> None:
    assert SummaryDocument.decode(FULL.encode()) == FULL
    assert SummaryDocument.decode(SummaryDocument().encode()) == SummaryDocument()


def test_equal_documents_are_the_same_bytes() -> None:
    other = SummaryDocument(tools={"edit": 1, "grep": 2}, decisions=FULL.decisions, objective="Ship it")
    assert other.encode() == FULL.encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"not json",
        b"\xff\xfe",
        FULL.encode() + b" ",
        b" " + FULL.encode(),
        FULL.encode().replace(b'"grep":2', b'"grep":"2"'),
        FULL.encode().replace(b'"grep":2', b'"grep":2.0'),
        FULL.encode().replace(b'"grep":2', b'"grep":true'),
        FULL.encode().replace(b'"Ship it"', b'"Ship\\u0020it"'),
        FULL.encode().replace(b'"objective":"Ship it"', b'"objective":"x","objective":"Ship it"'),
        FULL.encode().replace(b'"objective":"Ship it"', b'"objective":null'),
        FULL.encode().replace(b'"objective"', b'"aim"'),
        FULL.encode()[:-1] + b',"more":1}',
    ],
)
def test_any_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput):
        SummaryDocument.decode(data)
