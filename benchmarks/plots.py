"""Draws the kept results of the benchmarks as SVG into docs/images: `python -m benchmarks.plots`."""

import math
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

from benchmarks.kept import Panels, kept

IMAGES = Path(__file__).parents[1] / "docs" / "images"
WIDTH, HEIGHT, GAP = 330, 250, 40
LEFT, RIGHT, TOP, BOTTOM = 34, 12, 28, 30
LINE_HEIGHT = 18
# Read on white and on black pages alike.
TEXT, GRID = "#808890", "#80889044"
COLOURS = ("#2f81f7", "#d9822b", "#8a63d2", "#3a9d5d", "#b0b7be")

PLOTS: dict[str, tuple[str, dict[str, str], dict[str, str]]] = {
    "recall": (
        "Share of a question's evidence that is shown, by tokens",
        {"locomo": "LoCoMo", "beam": "BEAM"},
        {
            "context(query=…)": "context(query=…), with all that stands around",
            "ranking alone": "the ranking over bare texts",
            "BM25 over turns": "BM25 over bare texts",
            "recency": "newest texts",
        },
    ),
    "transcripts": (
        "Share of what the next ten tool calls need that the prompt holds, by tokens",
        {"names": "names", "paths": "paths", "calls": "calls with every name"},
        {
            "default": "context()",
            "last three tool results": "last three tool results",
            "recency": "newest steps",
        },
    ),
}
"""By kept results, the title, the panels and the lines, each with its label."""


def plot(title: str, panels: Panels, headings: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """One plot: a panel for each heading, with the same lines."""
    colours = dict(zip(labels, COLOURS, strict=False))
    width = len(headings) * (WIDTH + GAP) - GAP
    height = TOP + HEIGHT + LINE_HEIGHT * len(labels)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="12" role="img">',
        f"<title>{escape(title)}</title>",
    ]
    for place, (name, heading) in enumerate(headings.items()):
        parts += _panel(place * (WIDTH + GAP), heading, panels[name], colours)
    for place, (name, label) in enumerate(labels.items()):
        y = TOP + HEIGHT + LINE_HEIGHT * place + 6
        parts.append(
            f'<path d="M{LEFT} {y}h22" stroke="{colours[name]}" stroke-width="{_weight(place)}"/>'
            f'<text x="{LEFT + 30}" y="{y + 4}" fill="{TEXT}">{escape(label)}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _panel(
    x: int, heading: str, lines: Mapping[str, Mapping[str, float]], colours: Mapping[str, str]
) -> Iterator[str]:
    """Shares from 0 to 1 over budgets, each twice the one before."""
    shown = [name for name in colours if name in lines]
    budgets = sorted({int(budget) for name in shown for budget in lines[name]})
    first, last = math.log(budgets[0]), math.log(budgets[-1])
    left, right, bottom = x + LEFT, x + WIDTH - RIGHT, HEIGHT - BOTTOM

    def across(budget: int) -> float:
        return round(left + 8 + (right - left - 16) * (math.log(budget) - first) / (last - first), 1)

    def up(share: float) -> float:
        return round(bottom - (bottom - TOP) * share, 1)

    yield f'<text x="{left}" y="16" fill="{TEXT}" font-weight="600">{escape(heading)}</text>'
    for label, share in (("0", 0), (".25", 0.25), (".5", 0.5), (".75", 0.75), ("1", 1)):
        y = up(share)
        yield f'<path d="M{left} {y}H{right}" stroke="{GRID}"/>'
        yield f'<text x="{left - 6}" y="{y + 4}" fill="{TEXT}" text-anchor="end">{label}</text>'
    for budget in budgets:
        label = f"{budget:,}" if budget < 1_000 else f"{budget // 1_000}k"
        yield f'<text x="{across(budget)}" y="{bottom + 18}" fill="{TEXT}" text-anchor="middle">{label}</text>'
    # The first line lies on top.
    for place, name in reversed([*enumerate(shown)]):
        points = [(across(int(budget)), up(share)) for budget, share in lines[name].items()]
        path = "L".join(f"{px} {py}" for px, py in points)
        yield (
            f'<path d="M{path}" fill="none" stroke="{colours[name]}" stroke-width="{_weight(place)}" '
            'stroke-linejoin="round"/>'
        )
        yield "".join(f'<circle cx="{px}" cy="{py}" r="3" fill="{colours[name]}"/>' for px, py in points)


def _weight(place: int) -> float:
    return 2.5 if place == 0 else 1.5


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    for name, (title, headings, labels) in PLOTS.items():
        (IMAGES / f"{name}.svg").write_text(plot(title, kept(name), headings, labels), encoding="utf-8")


if __name__ == "__main__":
    main()
