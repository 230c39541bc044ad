"""Corpora made of texts, for tests of the ranking without a database."""

from collections.abc import Iterable

from backstory.domain.search.corpus import Corpus, Document
from backstory.domain.search.marks import marks
from backstory.domain.search.ranking import rank
from backstory.domain.search.terms import terms


def corpus_of(query: str, texts: Iterable[str | tuple[int, str] | tuple[int, str, str]]) -> Corpus:
    """A corpus of texts. Each may come with the number of its session and the name of its speaker."""
    documents: dict[int, Document] = {}
    postings: dict[str, dict[int, int]] = {term: {} for term in terms(query)}
    for position, given in enumerate(texts):
        session, text, *speaker = (0, given) if isinstance(given, str) else given
        counts = terms(text)
        documents[position] = Document(
            position=position,
            id=position,
            session=session,
            speaker=speaker[0] if speaker else None,
            type="message",
            time=position,
            length=counts.total(),
            tokens=len(text.split()),
            marks=marks(text),
        )
        for term in postings:
            if counts[term]:
                postings[term][position] = counts[term]
    speakers = {one.speaker for one in documents.values() if one.speaker is not None}
    length = sum(one.length for one in documents.values())
    return Corpus(documents, postings, len(documents), length, speakers)


def order(query: str, texts: Iterable[str | tuple[int, str] | tuple[int, str, str]]) -> list[int]:
    """The positions of what a query finds, best first."""
    return [hit.position for hit in rank(query, corpus_of(query, texts))]
