"""Fits the weights of the ranker on LoCoMo's development half: ``.venv/bench/bin/python -m scripts.fit_ranker``.

Prints the weights, and what they find in each conversation when they are fitted on the other four. BEAM only judges.
With the folder of a model, also the weight of the meaning by that model, beside the same other weights: it needs the
extra `embeddings`, and takes some minutes.
Nothing here is random: the same data gives the same weights. Needs numpy, which the bench environment has.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backstory.domain.search.features import Features, Likeness, features
from backstory.domain.search.ranking import most_for, rank_by, select
from backstory.infrastructure.llm.embeddings import FolderEmbedder
from benchmarks.evidence import BUDGETS, Conversation, conversations, recalls

SHRINKAGE = 10.0
"""How much weights that matter little are drawn to 0. From 0.3 to 30, recall changes by less than .002."""
STEPS = 12
"""Newton's method is done after about eight."""


GRID = np.arange(0.0, 2.0, 0.05)
"""The weights of the meaning that are tried."""
Meanings = Mapping[str, Likeness]
"""By a question's text, how much the turns of its conversation are like it."""


class Example(NamedTuple):
    """A question: the features of what it may mean, and how much of its evidence each document is."""

    values: np.ndarray
    share: np.ndarray


@cache
def meanings(conversation: Conversation) -> Meanings:
    """Nothing, unless the folder of a model is given."""
    if len(sys.argv) < 2:
        return {}
    texts = [question.text for question in conversation.questions]
    embedder = FolderEmbedder(Path(sys.argv[1]))
    turns = np.array(embedder.embed([turn.text for turn in conversation.turns]))
    alike = np.array(embedder.embed(texts)) @ turns.T
    return {
        text: lambda positions, row=row: {position: float(row[position]) for position in positions}
        for text, row in zip(texts, alike, strict=True)
    }


@cache
def examples(conversation: Conversation) -> list[Example]:
    """One for each question."""
    found = []
    most = len(conversation.turns)
    for question in conversation.questions:
        likeness = meanings(conversation).get(question.text)
        corpus = conversation.corpus(question.text)
        vectors = features(question.text, corpus, most, unmatched=True, likeness=likeness)
        share = np.array([float(position in question.evidence) for position in vectors])
        if share.any():
            found.append(Example(np.array(list(vectors.values()), float), share / share.sum()))
    return found


def fitted(fitted_on: Sequence[Conversation]) -> Features:
    """The weights under which evidence is most probable, when each question draws from its documents in proportion to
    the exponential of their scores. That of the meaning is fitted after the others, so that they are the same with a
    model and without one."""
    every = [example for conversation in fitted_on for example in examples(conversation)]
    asked = [Example(example.values[:, :-2], example.share) for example in every]
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
    found = [round(float(weight), 2) for weight in weights / spread]
    losses = (
        [_loss(every, np.array([*found, meaning, 0.0])) for meaning in GRID] if len(sys.argv) > 1 else [0.0]
    )
    return Features(*found, meaning=round(float(GRID[np.argmin(losses)]), 2))


def _loss(asked: Sequence[Example], weights: np.ndarray) -> float:
    surprise = sum(float(example.share @ _log_odds(example.values, weights)) for example in asked)
    return SHRINKAGE / 2 * float(weights @ weights) - surprise


def _log_odds(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    scores = values @ weights
    scores -= scores.max()
    return scores - np.log(np.exp(scores).sum())


def found_by(weights: Features, conversation: Conversation, query: str, budget: int) -> list[int]:
    """The turns that are shown when documents are ranked by these weights."""
    corpus, likeness = conversation.corpus(query), meanings(conversation).get(query)
    hits = rank_by(weights, query, corpus, most_for(budget), unmatched=True, likeness=likeness)
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
