"""Ranks documents by relevance to a query, and chooses those that are worth their tokens."""

import math
from collections.abc import Collection, Mapping, Sequence
from operator import mul
from typing import NamedTuple

from backstory.domain.errors import InvalidInput
from backstory.domain.search.corpus import Corpus
from backstory.domain.search.features import Features, Likeness, features

BY_WORDS = 3
BY_MEANING = 4
"""The versions of the ranker: by words alone, and with a model's vectors besides. A recorded query names the one that
it was ranked with."""

# Printed by scripts/fit_ranker.py on LoCoMo's development half: five conversations, 759 questions. Nothing else went
# into them. Each is the change of the logarithm of the odds that a document is evidence.
_FIRST = Features(
    window=4.35, coverage=3.64, asked=1.28, question=-0.72, answer=0.55, when=2.27, who=1.78, dated=5.32
)
# That of `told` cannot be fitted there, where no tools are. Why 1.5: the run of an agent has four or five calls for
# each message, people ask for messages as often as for calls, and ln 4.5 = 1.5. Runs in which it was not looked at
# judged it.
_WORDS = Features(
    window=3.37,
    coverage=3.87,
    asked=1.27,
    question=-0.71,
    answer=0.59,
    when=2.22,
    who=1.8,
    dated=5.26,
    own=0.89,
    told=1.5,
)
RANKERS: Mapping[int, Features] = {
    1: _FIRST,
    2: _FIRST._replace(meaning=0.55),
    BY_WORDS: _WORDS,
    BY_MEANING: _WORDS._replace(meaning=0.5),
}
"""The weights of each version. Those of a version never change: what was ranked with it can be ranked again."""

OVERHEAD = 50
EXPONENT = 2.0
"""A document is worth its score divided by (OVERHEAD + tokens) ** EXPONENT. Why: scores are odds, in which a document
gains by having many words, whatever it tells. Short ones hardly differ in what they cost: each is shown with a heading.
On LoCoMo, whose turns are all short, any exponent up to 3 finds the same; that it must not be small was seen on BEAM,
where overheads from 30 to 100 and exponents from 2 to 3 find within .01 of the same."""


class Hit(NamedTuple):
    """A document that was found."""

    position: int
    score: float
    """Its odds of being meant, as a share of the best one's: above 0, at most 1."""


def rank(
    query: str,
    corpus: Corpus,
    *,
    most: int = 1000,
    among: Collection[int] | None = None,
    unmatched: bool = False,
    likeness: Likeness | None = None,
    ranker: int | None = None,
) -> list[Hit]:
    """The documents that match a query or stand beside one that does, best first, at most so many; with `among`, only
    those at these positions. With `unmatched`, as for a context with room to fill, others take the places that are
    left. With `likeness`, meaning counts too."""
    if ranker is None:
        ranker = BY_WORDS if likeness is None else BY_MEANING
    weights = RANKERS.get(ranker)
    if weights is None:
        raise InvalidInput("ranker", f"must be one of {', '.join(map(str, RANKERS))}, not {ranker!r}")
    return rank_by(weights, query, corpus, most, among=among, unmatched=unmatched, likeness=likeness)


def rank_by(
    weights: Features,
    query: str,
    corpus: Corpus,
    most: int,
    *,
    among: Collection[int] | None = None,
    unmatched: bool = False,
    likeness: Likeness | None = None,
) -> list[Hit]:
    """The same under weights of the caller's own."""
    found = features(query, corpus, most, among=among, unmatched=unmatched, likeness=likeness)
    scores = {position: sum(map(mul, weights, values)) for position, values in found.items()}
    best = max(scores.values(), default=0.0)
    order = sorted(scores, key=lambda position: (-scores[position], -position))
    return [Hit(position, math.exp(scores[position] - best)) for position in order]


def most_for(budget: int) -> int:
    """How many documents to rank for a budget in tokens: more than fit, since those that fit best are taken."""
    return 500 + budget // 10


def by_worth(hits: Sequence[Hit], tokens: Mapping[int, int]) -> list[int]:
    """The positions of hits, the best for their tokens first."""
    worth = {hit.position: hit.score / (OVERHEAD + tokens[hit.position]) ** EXPONENT for hit in hits}
    return sorted(worth, key=lambda position: (-worth[position], -position))


def select(hits: Sequence[Hit], tokens: Mapping[int, int], budget: int) -> list[int]:
    """The positions of the hits to show within a budget, in order of time: the best for their tokens first, and each
    that no longer fits passed over."""
    chosen = []
    for position in by_worth(hits, tokens):
        if tokens[position] <= budget:
            chosen.append(position)
            budget -= tokens[position]
    return sorted(chosen)
