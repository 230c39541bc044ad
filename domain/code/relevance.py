"""The relevance of a piece of code to a task, as a share."""

import math

# Fitted by scripts/fit_code_relevance.py.
INTERCEPT, SLOPE = -3.0, 3.0


def relevance(file_score: float, chunk_score: float) -> float:
    """The estimated share of pieces with these scores whose file the task changes."""
    return 1 / (1 + math.exp(-(INTERCEPT + SLOPE * file_score * (0.3 + chunk_score))))
