"""The features that documents are ranked by: numbers between -1 and 1 for each document that a query may mean."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from heapq import nlargest
from operator import itemgetter
from statistics import fmean, pstdev
from typing import NamedTuple

from backstory.domain.search.corpus import REACH, Corpus, Document
from backstory.domain.search.marks import Mark
from backstory.domain.search.terms import terms
from backstory.domain.values import from_microseconds

K1, B = 1.2, 0.75
"""The usual numbers of BM25: how soon repetition stops to count, and how much length does."""
NEIGHBOURS = (1.0, 0.65, 0.32, 0.16)
"""The weight of a document's own score, and of the scores of those 1, 2 and 3 places away in its session."""

ECHOES = frozenset({"tool_exchange", "summary"})
"""Types of items that nobody says."""

_WHEN = re.compile(r"\b(?:when|(?:what|which) (?:date|day|month|year|time)|how long)\b", re.IGNORECASE)
_WHO = re.compile(r"\b(?:who|whom|whose|which|where|name)\b", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# "May" is a verb in lower case and where a question begins.
_MONTH = re.compile(
    r"\b(?i:january|february|march|april|june|july|august|september|october|november|december)\b|(?<=\s)May\b"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


Likeness = Callable[[Collection[int]], Mapping[int, float]]
"""How much documents are like the query in meaning, for those at some positions of which that is known."""


class Features(NamedTuple):
    """The features of a document, or the weight of each. They tell documents of one query apart, in one corpus."""

    window: float
    """BM25 of the document and, with falling weights, of those around it, as a share of the best in the corpus."""
    coverage: float
    """The share of the query's words that occur in the document or around it, each weighted by its rarity."""
    asked: float
    """1 where a person whom the query names speaks, -1 where another one does."""
    question: float
    """1 where the document ends with a question: it asks and does not tell."""
    answer: float
    """1 where the document before it does."""
    when: float
    """1 where the query asks for a time and the document has one."""
    who: float
    """1 where the query asks for a person, a thing or a place, and the document has a name."""
    dated: float
    """1 where the document is from a month that the query names."""
    own: float = 0.0
    """BM25 of the document without those around it, as a share of the best in the corpus."""
    meaning: float = 0.0
    """How much more than others it is like the query in meaning, in standard deviations; 0 where that is not known."""
    told: float = 0.0
    """1 where somebody says it: no call of a tool with its result, and no summary."""


@dataclass(frozen=True)
class _Query:
    rarity: Mapping[str, float]
    """The rarity of each of its words that occurs somewhere, without the names of those who speak."""
    weight: float
    """The sum of these."""
    people: bool
    """Whether several persons speak: then it matters who does, and questions are what one asks the other."""
    asked: frozenset[str]
    """Those of them whom the query names."""
    when: bool
    who: bool
    months: frozenset[int]
    years: frozenset[int]


def features(
    query: str,
    corpus: Corpus,
    most: int,
    *,
    among: Collection[int] | None = None,
    unmatched: bool = False,
    likeness: Likeness | None = None,
) -> dict[int, Features]:
    """The features of the documents that match a query best or stand beside one that does, at most so many; with
    `among`, only of those. With `unmatched`, the newest of the others take the places that are left: of all that the
    corpus holds."""
    asked = _read(query, corpus)
    own = own_scores(asked.rarity, corpus)
    if among is None:
        # Whatever the size of the corpus, no more than this is looked at closely.
        scores = _window_scores(nlargest(2 * most, own.items(), key=itemgetter(1, 0)), corpus)
    else:
        near = {position + distance for position in among for distance in range(-REACH, REACH + 1)}
        scores = _window_scores([(place, score) for place, score in own.items() if place in near], corpus)
        scores = {position: score for position, score in scores.items() if position in among}
    best = nlargest(most, scores.items(), key=itemgetter(1, 0))
    highest = best[0][1] if best else 1.0
    if unmatched and len(best) < most:
        others = nlargest(most - len(best), corpus.documents.keys() - scores.keys())
        best += [(position, 0.0) for position in others]
    highest_own = max(own.values(), default=1.0)
    found = {
        position: _features(position, score / highest, own.get(position, 0.0) / highest_own, asked, corpus)
        for position, score in best
    }
    if likeness is not None:
        for position, meaning in _meanings(likeness(found.keys()), corpus).items():
            found[position] = found[position]._replace(meaning=meaning)
    return found


def _read(query: str, corpus: Corpus) -> _Query:
    words = terms(query)
    # Where only one is named, it is an agent at work: everything is about it, and nobody asks for it.
    people = corpus.speakers if len(corpus.speakers) > 1 else ()
    names = {person: words.keys() & terms(person).keys() for person in people}
    named = {word for parts in names.values() for word in parts}
    months = frozenset(_MONTHS.index(name[:3].lower()) + 1 for name in _MONTH.findall(query))
    # A name is looked for in the texts only where nothing else is to be found.
    rarity = rarities(words.keys() - named, corpus) or rarities(named, corpus)
    return _Query(
        rarity=rarity,
        weight=sum(rarity.values()) or 1.0,
        people=bool(names),
        asked=frozenset(person for person, parts in names.items() if parts),
        when=_WHEN.search(query) is not None,
        who=_WHO.search(query) is not None,
        months=months,
        years=frozenset(map(int, _YEAR.findall(query))) if months else frozenset(),
    )


def rarities(words: Iterable[str], corpus: Corpus) -> dict[str, float]:
    """BM25's weight of each word that occurs somewhere. Sorted, so that sums do not depend on the order of a set."""
    found = {}
    for word in sorted(words):
        if having := len(corpus.postings.get(word, ())):
            found[word] = word_rarity(having, corpus.count)
    return found


def word_rarity(having: int, count: int) -> float:
    """BM25's weight of a word that so many of the documents have."""
    return math.log(1 + (count - having + 0.5) / (having + 0.5))


def own_scores(rarity: Mapping[str, float], corpus: Corpus) -> dict[int, float]:
    """The BM25 score of each document that a word of the query occurs in."""
    documents, found = corpus.documents, dict[int, float]()
    base, slope = K1 * (1 - B), K1 * B * corpus.count / max(1, corpus.length)
    for word, weight in rarity.items():
        factor = weight * (K1 + 1)
        for position, count in corpus.postings[word].items():
            score = factor * count / (count + base + slope * documents[position].length)
            found[position] = found.get(position, 0.0) + score
    return found


def _around(position: int, corpus: Corpus) -> list[int]:
    """A document and those within reach of it in its session, in their order."""
    documents = corpus.documents
    session = documents[position].session
    reach = range(position - REACH, position + REACH + 1)
    return [place for place in reach if place in documents and documents[place].session == session]


def _window_scores(scored: Iterable[tuple[int, float]], corpus: Corpus) -> dict[int, float]:
    """The score of each document with the scores around it, of those that have one or stand beside one that does."""
    found: dict[int, float] = {}
    # In their order, so that the sums do not depend on rounding.
    for position, score in sorted(scored):
        for place in _around(position, corpus):
            found[place] = found.get(place, 0.0) + NEIGHBOURS[abs(place - position)] * score
    return found


def _meanings(alike: Mapping[int, float], corpus: Corpus) -> dict[int, float]:
    """How far each document's likeness, with that of those around it, is above the mean, in standard deviations."""
    around = {}
    for position in alike:
        near = [
            (NEIGHBOURS[abs(place - position)], alike[place])
            for place in _around(position, corpus)
            if place in alike
        ]
        around[position] = sum(weight * one for weight, one in near) / sum(weight for weight, _ in near)
    if not around:
        return {}
    mean, deviation = fmean(around.values()), pstdev(around.values())
    # Where all are alike to within rounding, none stands out.
    return (
        {position: (one - mean) / deviation for position, one in around.items()} if deviation > 1e-6 else {}
    )


def _features(position: int, window: float, own: float, query: _Query, corpus: Corpus) -> Features:
    document = corpus.documents[position]
    around = _around(position, corpus)
    covered = sum(
        rarity for word, rarity in query.rarity.items() if not corpus.postings[word].keys().isdisjoint(around)
    )
    before = corpus.documents[position - 1] if position - 1 in around else None
    speaks = query.people and document.speaker is not None
    return Features(
        window=window,
        coverage=covered / query.weight,
        asked=(1 if document.speaker in query.asked else -1) if speaks and query.asked else 0,
        question=speaks and bool(document.marks & Mark.QUESTION),
        answer=speaks and before is not None and bool(before.marks & Mark.QUESTION),
        when=query.when and bool(document.marks & Mark.TIME),
        who=query.who and bool(document.marks & Mark.NAME),
        dated=bool(query.months) and _is_dated(document, query),
        own=own,
        told=document.type not in ECHOES and not document.marks & Mark.NOTE,
    )


def _is_dated(document: Document, query: _Query) -> bool:
    moment = from_microseconds(document.time)
    return moment.month in query.months and (not query.years or moment.year in query.years)
