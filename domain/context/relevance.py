"""Relevance of texts to a question: BM25 over words, each text read together with its neighbours.

On recorded conversations a turn's neighbours say what it is about often enough that reading them along finds more of
the evidence than the turn alone does.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence

_WORD = re.compile(r"[A-Za-z0-9_À-￿]{2,40}")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
MOST_CHARACTERS = 20_000
K1, B = 1.2, 0.75
"""The usual numbers of BM25: how soon repetition stops to count, and how much length does."""
NEIGHBOUR = 0.4
"""The weight of a word that stands in the text before or after."""

_STOP = frozenset(
    re.findall(
        r"\w+",
        """a an and are as at be but by do for from had has have how i if in into is it its me my no not of on or our so
        that the their then there these they this to up us was we were what when where which who why will with you your
        """,
    )
)

Terms = Counter[str]


def terms(text: str) -> Terms:
    """The words of a text and how often they stand there: lower case, without a plural's s, identifiers also in
    parts."""
    found: Terms = Counter()
    for word in _WORD.findall(text[:MOST_CHARACTERS]):
        lower = word.lower()
        if lower in _STOP:
            continue
        found[_stem(lower)] += 1
        pieces = _PARTS.findall(word) if not (word.islower() and "_" not in word) else ()
        if len(pieces) > 1:
            for piece in pieces:
                if len(piece) > 1:
                    found[_stem(piece.lower())] += 1
    return found


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def relevance(query: Terms, texts: Sequence[Terms]) -> list[float]:
    """A score for each text, 0 where no word of the query stands in it or beside it."""
    wanted = list(query)
    if not wanted or not texts:
        return [0.0] * len(texts)
    lengths = [sum(text.values()) for text in texts]
    average = sum(lengths) / len(lengths) or 1.0
    rarity = {}
    for word in wanted:
        holding = sum(1 for text in texts if word in text)
        rarity[word] = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
    alone = [
        {word: count for word in wanted if (count := text.get(word, 0))} if text else {} for text in texts
    ]
    scores = []
    for place, own in enumerate(alone):
        score = 0.0
        before = alone[place - 1] if place else {}
        after = alone[place + 1] if place + 1 < len(alone) else {}
        if own or before or after:
            norm = K1 * (1 - B + B * lengths[place] / average)
            for word in wanted:
                weight = own.get(word, 0) + NEIGHBOUR * (before.get(word, 0) + after.get(word, 0))
                if weight:
                    score += rarity[word] * weight * (K1 + 1) / (weight + norm)
        scores.append(score)
    return scores
