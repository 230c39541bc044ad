"""Fits the weights of the ranker on LoCoMo's development half: ``.venv/bench/bin/python -m scripts.fit_ranker``.

Prints the weights, and what they find in each conversation when they are fitted on the other four. BEAM only judges.
Nothing here is random: the same data gives the same weights. Needs numpy, which the bench environment has.
"""

from collections.abc import Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from backstory.domain.search.features import Features, features
from backstory.domain.search.ranking import most_for, rank_by, select
from benchmarks.evidence import BUDGETS, Conversation, conversations, recalls

SHRINKAGE = 10.0
"""How much weights that matter little are drawn to 0. From 0.3 to 30, recall changes by less than .002."""
STEPS = 12
"""Newton's method is done after about eight."""


class Example(NamedTuple):
    """A question: the features of what it may mean, and how much of its evidence each document is."""

    values: np.ndarray
    share: np.ndarray


@cache
def examples(conversation: Conversation) -> list[Example]:
    """One for each question."""
    found = []
    most = len(conversation.turns)
    for question in conversation.questions:
        vectors = features(question.text, conversation.corpus(question.text), most, unmatched=True)
        share = np.array([float(position in question.evidence) for position in vectors])
        if share.any():
            found.append(Example(np.array(list(vectors.values()), float), share / share.sum()))
    return found


def fitted(fitted_on: Sequence[Conversation]) -> Features:
    """The weights under which evidence is most probable, when each question draws from its documents in proportion to
    the exponential of their scores."""
    asked = [example for conversation in fitted_on for example in examples(conversation)]
    spread = np.concatenate([example.values for example in asked]).std(axis=0)
    asked = [Example(example.values / spread, example.share) for example in asked]
    weights = np.zeros(len(spread))
    for _ in range(STEPS):
        slope, curve = SHRINKAGE * weights, SHRINKAGE * np.eye(len(weights))
        for values, share in asked:
            odds = np.exp(_log_odds(values, weights))
            expected = odds @ values
            slope += expected - share @ values
            curve += (values * odds[:, None]).T @ values - np.outer(expected, expected)
        step, loss = np.linalg.solve(curve, slope), _loss(asked, weights)
        # A whole step may go too far while the weights are wrong.
        while _loss(asked, weights - step) > loss:
            step /= 2
        weights -= step
    return Features(*(round(float(weight), 2) for weight in weights / spread))


def _loss(asked: Sequence[Example], weights: np.ndarray) -> float:
    surprise = sum(float(example.share @ _log_odds(example.values, weights)) for example in asked)
    return SHRINKAGE / 2 * float(weights @ weights) - surprise


def _log_odds(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    scores = values @ weights
    scores -= scores.max()
    return scores - np.log(np.exp(scores).sum())


def found_by(weights: Features, conversation: Conversation, query: str, budget: int) -> list[int]:
    """The turns that are shown when documents are ranked by these weights."""
    hits = rank_by(weights, query, conversation.corpus(query), most_for(budget), unmatched=True)
    return select(hits, {hit.position: conversation.turns[hit.position].tokens for hit in hits}, budget)


def main() -> None:
    locomo, beam = conversations("locomo"), conversations("beam")
    left_out = np.zeros(len(BUDGETS["locomo"]))
    for conversation in locomo:
        weights = fitted([one for one in locomo if one is not conversation])
        found = recalls(partial(found_by, weights), [conversation], BUDGETS["locomo"])
        left_out += np.array(found) * len(conversation.questions)
        print(f"without {conversation.name}: {weights}")
    left_out /= sum(len(one.questions) for one in locomo)
    weights = fitted(locomo)
    print(f"on all: {weights}")
    print("LoCoMo, left out:", dict(zip(BUDGETS["locomo"], left_out.round(3).tolist(), strict=True)))
    judged = recalls(partial(found_by, weights), beam, BUDGETS["beam"])
    print("BEAM:", dict(zip(BUDGETS["beam"], (round(share, 3) for share in judged), strict=True)))


if __name__ == "__main__":
    main()
