"""Results that are kept beside the benchmarks, from which plots are drawn."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

RESULTS = Path(__file__).parent / "results"

Panels = Mapping[str, Mapping[str, Mapping[str, float]]]
"""By panel of a plot and by strategy, the share at each budget."""


def keep(name: str, panels: Panels) -> None:
    """Keeps the results of a benchmark in place of earlier ones."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(panels, indent=2) + "\n", encoding="utf-8")


def kept(name: str) -> Panels:
    """The results that were kept last."""
    panels: Panels = json.loads((RESULTS / f"{name}.json").read_text("utf-8"))
    return panels


def by_budget(budgets: Sequence[int], shares: Sequence[float]) -> dict[str, float]:
    """Shares as they are kept."""
    return {str(budget): round(share, 4) for budget, share in zip(budgets, shares, strict=True)}
