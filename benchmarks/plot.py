"""The README's plot: how long a full turn takes as the conversation grows. Both axes are logarithmic."""

from collections.abc import Sequence
from math import ceil, floor, log10
from statistics import median
from typing import Any
from xml.sax.saxutils import escape

from benchmarks.rivals.results import OURS, is_ours

WIDTH, HEIGHT = 860, 430
LEFT, RIGHT, TOP, BOTTOM = 70, 560, 64, 370
# The least distance between two labels, so that lines which end together stay readable.
LINE_HEIGHT = 17

# Colours that can be told apart by colour-blind readers, a light and a dark shade of each.
_COLOURS = {
    "backstory": ("#c2410c", "#fb923c"),
    "langgraph": ("#1d4ed8", "#7aa2f7"),
    "openai": ("#047857", "#4ade80"),
    "google": ("#6b21a8", "#c084fc"),
}


def draw(runs: Sequence[dict[str, Any]]) -> str:
    """The SVG: medians over the runs of each store's p50."""
    series = {
        name: {int(size): median(run["turn"][name][size] for run in runs) for size in by_size}
        for name, by_size in runs[0]["turn"].items()
    }
    times = [time for by_size in series.values() for time in by_size.values()]
    sizes = sorted(series[OURS])
    low, high = floor(log10(min(times))), ceil(log10(max(times)))

    def x(size: float) -> float:
        return LEFT + (RIGHT - LEFT) * log10(size / sizes[0]) / log10(sizes[-1] / sizes[0])

    def y(time: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (log10(time) - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13">',
        '<title id="title">Full turn, median in milliseconds, by the number of messages in the conversation</title>',
        _style(),
        f'<rect class="back" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
        f'<text class="ink" x="{LEFT - 46}" y="30" font-size="16" font-weight="600">'
        "A full turn: append, read what the model needs, append</text>",
        f'<text class="soft" x="{LEFT - 46}" y="50">median, ms</text>',
    ]
    for power in range(low, high + 1):
        for time in (10.0**power, *(() if power == high else (3 * 10.0**power,))):
            parts.append(f'<path class="grid" d="M{LEFT} {y(time):.1f}H{RIGHT}"/>')
            parts.append(
                f'<text class="soft" x="{LEFT - 8}" y="{y(time) + 4:.1f}" text-anchor="end">{time:,g}</text>'
            )
    for size in sizes:
        parts.append(f'<path class="grid" d="M{x(size):.1f} {TOP}V{BOTTOM}"/>')
        parts.append(
            f'<text class="soft" x="{x(size):.1f}" y="{BOTTOM + 20}" text-anchor="middle">{size:,}</text>'
        )
    parts.append(
        f'<text class="soft" x="{(LEFT + RIGHT) / 2}" y="{BOTTOM + 42}" text-anchor="middle">'
        "messages in the conversation</text>"
    )
    places = _apart({name: y(by_size[sizes[-1]]) for name, by_size in series.items()})
    for name in sorted(series, key=is_ours):
        points = [(x(size), y(series[name][size])) for size in sizes]
        kind = name.split()[0].strip(",").lower() + (" variant" if "," in name else "")
        d = "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in points)
        parts.append(f'<path class="line {kind}" d="{d}"/>')
        parts += [f'<circle class="dot {kind}" cx="{px:.1f}" cy="{py:.1f}" r="3.5"/>' for px, py in points]
        end, place = points[-1][1], places[name]
        parts.append(f'<path class="lead {kind}" d="M{RIGHT + 5} {end:.1f}L{RIGHT + 16} {place:.1f}"/>')
        weight = ' font-weight="700"' if name == OURS else ""
        took = series[name][sizes[-1]]
        label = f"{_short(name)}: {took:,.{0 if took >= 10 else 1}f} ms"
        parts.append(
            f'<text class="name {kind}" x="{RIGHT + 20}" y="{place + 4:.1f}"{weight}>{escape(label)}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _short(name: str) -> str:
    for long in (" PostgresSaver", " SQLAlchemySession", " DatabaseSessionService"):
        name = name.replace(long, "")
    return name


def _apart(wanted: dict[str, float]) -> dict[str, float]:
    """The labels' places, from the top down, none nearer to the one above than a line."""
    names = sorted(wanted, key=lambda name: wanted[name])
    places: dict[str, float] = {}
    lowest = float(TOP)
    for name in names:
        places[name] = max(wanted[name], lowest)
        lowest = places[name] + LINE_HEIGHT
    # What ran past the bottom moves up again, and pushes those above it.
    highest = float(BOTTOM)
    for name in reversed(names):
        places[name] = min(places[name], highest)
        highest = places[name] - LINE_HEIGHT
    return places


def _style() -> str:
    # Each rule is written out: not every reader of SVG knows CSS variables.
    def shades(which: int) -> str:
        return "".join(
            f".line.{name},.lead.{name}{{stroke:{colours[which]}}}.dot.{name},.name.{name}{{fill:{colours[which]}}}"
            for name, colours in _COLOURS.items()
        )

    return (
        "<style>"
        ".back{fill:#fff;stroke:#d0d7de}.ink{fill:#1f2328}.soft{fill:#59636e}.grid{stroke:#d8dee4;fill:none}"
        ".line{fill:none;stroke-width:2}.line.backstory{stroke-width:3.5}"
        ".line.variant{stroke-width:2;stroke-dasharray:6 4}"
        f".lead{{fill:none;opacity:.6}}{shades(0)}"
        "@media (prefers-color-scheme:dark){"
        ".back{fill:#0d1117;stroke:#30363d}.ink{fill:#e6edf3}.soft{fill:#9198a1}.grid{stroke:#272e37}"
        f"{shades(1)}}}</style>"
    )
