"""The relevance of a piece of code to a task, as a share."""

import math

from backstory.domain.code.repo_map import BASE

# Fitted by scripts/fit_code_relevance.py on 160 commits of four repositories.
INTERCEPT, SLOPE = -3.0, 3.0


def strength(file_score: float, chunk_score: float) -> float:
    """The score of a piece: that of its file, times how much its own words are about the task."""
    return file_score * (BASE + chunk_score)


def relevance(file_score: float, chunk_score: float) -> float:
    """The estimated share of pieces with these scores whose file the task changes."""
    return 1 / (1 + math.exp(-(INTERCEPT + SLOPE * strength(file_score, chunk_score))))
