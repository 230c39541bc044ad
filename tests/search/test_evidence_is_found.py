"""The ranking on recorded conversations: a change that finds much less shows here. `make bench` measures it in full."""

import pytest

from benchmarks.evidence import conversations, recalls
from benchmarks.search_recall import bm25, ranked


@pytest.mark.parametrize(
    ("name", "most", "budget", "least"), [("locomo", 1, 2_000, 0.85), ("beam", 4, 4_000, 0.7)]
)
def test_most_evidence_is_among_what_fits(name: str, most: int, budget: int, least: float) -> None:
    held = conversations(name, most)
    if not held:
        pytest.skip(f"../shared/data/{name}-dev.json is not here")
    (found,) = recalls(ranked, held, [budget])
    (by_words,) = recalls(bm25, held, [budget])
    assert found >= max(least, by_words + 0.1)
