"""Fits the relevance of pieces of code: the share of those with some scores whose file the task changes.

    python scripts/fit_code_relevance.py FOLDER TASKS.json

The tasks are those of `judge_code.py --tasks`. Each counts the 20 pieces that would be shown first. Nothing is random.
"""

import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from backstory.application.code.code_base import CodeBase
from backstory.application.code.code_index import CodeIndex
from backstory.application.store import ContextStore
from backstory.domain.code.relevance import strength
from backstory.infrastructure.code.source_tree import read_commit
from scripts.judge_code import tasks_in

SHOWN = 20
STEPS = 30


def examples(base: CodeBase, task: str, touched: set[str]) -> Iterator[tuple[float, bool]]:
    """The strengths of the best pieces, and whether the task changes their files."""
    scored = base.scored_chunks(task)
    best = sorted((-strength(one.file, one.chunk), one.path) for one in scored)[:SHOWN]
    yield from ((-negative, path in touched) for negative, path in best)


def fit(found: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Intercept and slope of a logistic regression, by Newton's method."""
    a = b = 0.0
    for _ in range(STEPS):
        rows = [(x, y, 1 / (1 + math.exp(-(a + b * x)))) for x, y in found]
        g0, g1 = sum(y - p for _, y, p in rows), sum((y - p) * x for x, y, p in rows)
        h00 = sum(p * (1 - p) for _, _, p in rows)
        h01 = sum(p * (1 - p) * x for x, _, p in rows)
        h11 = sum(p * (1 - p) * x * x for x, _, p in rows)
        det = h00 * h11 - h01 * h01
        a, b = a + (h11 * g0 - h01 * g1) / det, b + (h00 * g1 - h01 * g0) / det
    return a, b


def main() -> None:
    folder, listed = map(Path, sys.argv[1:3])
    by_root: dict[str, list[tuple[float, bool]]] = {}
    tasks = list(tasks_in(folder, listed))
    with ContextStore.open() as store:
        for root in dict.fromkeys(task.root for task in tasks):
            index = CodeIndex(store._runtime.database, root)
            for task in (task for task in tasks if task.root == root):
                base = index.read(read_commit(root, task.parent))
                by_root.setdefault(root.name, []).extend(examples(base, task.text, set(task.files)))
    for name, held in by_root.items():
        a, b = fit([one for other, found in by_root.items() if other != name for one in found])
        for low in (0.0, 0.25, 0.5, 0.75):
            some = [y for x, y in held if low <= 1 / (1 + math.exp(-(a + b * x))) < low + 0.25]
            if some:
                print(
                    f"{name}, left out: {len(some)} of relevance {low}+: {sum(some) / len(some):.2f} are changed"
                )
    a, b = fit([one for found in by_root.values() for one in found])
    print(f"INTERCEPT, SLOPE = {a:.2f}, {b:.2f}")


if __name__ == "__main__":
    main()
