"""Ranks documents by relevance to a query, and chooses those that are worth their tokens."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from backstory.domain.search.corpus import REACH, Corpus
from backstory.domain.search.terms import terms

NEWEST = 1
"""The version of the ranker. A recorded query names the one that it was ranked with."""

K1, B = 1.2, 0.75
"""The usual numbers of BM25: how soon repetition stops to count, and how much length does."""
NEIGHBOURS = (1.0, 0.65, 0.32, 0.16)
"""The weight of a document's own score, and of the scores of those 1, 2 and 3 places away in its session."""

EXPONENT = 0.4
"""How much a document's length counts against it when a budget is spent: between 0, not at all, and 1, in full."""


class Hit(NamedTuple):
    """A document that was found."""

    position: int
    score: float
    """Above 0. It orders the hits of one query, and says nothing about those of another."""


def rank(query: str, corpus: Corpus, *, most: int = 1000, ranker: int = NEWEST) -> list[Hit]:
    """The documents that match a query or stand beside one that does, best first, at most so many."""
    own = _own_scores(terms(query), corpus)
    scores: dict[int, float] = {}
    for position, score in own.items():
        session = corpus.documents[position].session
        for distance in range(-REACH, REACH + 1):
            near = corpus.documents.get(position + distance)
            if near is not None and near.session == session:
                weighted = NEIGHBOURS[abs(distance)] * score
                scores[near.position] = scores.get(near.position, 0.0) + weighted
    best = sorted(scores.items(), key=lambda pair: (-pair[1], -pair[0]))
    return [Hit(position, score) for position, score in best[:most]]


def select(
    hits: Sequence[Hit], tokens: Mapping[int, int], budget: int, *, exponent: float = EXPONENT
) -> list[int]:
    """The positions of the hits to show within a budget, in order of time: the best by score per token first, and each
    that no longer fits passed over."""
    by_worth = sorted(
        hits, key=lambda hit: (-hit.score / max(1, tokens[hit.position]) ** exponent, -hit.position)
    )
    chosen = []
    for hit in by_worth:
        if tokens[hit.position] <= budget:
            chosen.append(hit.position)
            budget -= tokens[hit.position]
    return sorted(chosen)


def _own_scores(query: Mapping[str, int], corpus: Corpus) -> dict[int, float]:
    """The BM25 score of each document that a term of the query occurs in."""
    average = corpus.length / max(1, corpus.count) or 1.0
    found: dict[int, float] = {}
    for term in query:
        posting = corpus.postings.get(term, {})
        rarity = math.log(1 + (corpus.count - len(posting) + 0.5) / (len(posting) + 0.5))
        for position, count in posting.items():
            norm = K1 * (1 - B + B * corpus.documents[position].length / average)
            found[position] = found.get(position, 0.0) + rarity * count * (K1 + 1) / (count + norm)
    return found
