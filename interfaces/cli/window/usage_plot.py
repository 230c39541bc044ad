"""A window's tokens over a session's versions: for the terminal, and as SVG."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from rich.console import Group

from backstory.application.window.results import UsagePoint
from backstory.domain.policies.window import WindowPolicy
from backstory.interfaces.cli.output.layout import line
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.wording import one_line

ROWS = 12
"""Lines of the plot in a terminal: a multiple of the intervals."""
INTERVALS = 4
"""Numbers on the vertical axis, besides zero."""
LEFT = 11
"""Columns for the numbers before it."""
Scale = Callable[[float], float]
_EIGHTHS = " ▁▂▃▄▅▆▇█"


class EventMark(NamedTuple):
    """The character of an event in the terminal, and its colour in the picture."""

    sign: str
    words: str
    style: str
    colour: str


MARKS = {
    "compaction": EventMark("C", "compaction", "inherited", "#1d4ed8"),
    "stubs": EventMark("s", "stubs", "quiet", "#6b7280"),
    "checkpoint": EventMark("✓", "checkpoint", "good", "#047857"),
    "alert": EventMark("!", "alert", "bad", "#c2410c"),
    "backtrack": EventMark("↶", "backtrack", "branch_point", "#6b21a8"),
    "undo": EventMark("u", "taken back", "altered", "#a16207"),
    "clear": EventMark("x", "clear", "altered", "#be185d"),
}


def thinned(points: Sequence[UsagePoint], columns: int) -> list[list[UsagePoint]]:
    """The points in as many groups, oldest first, none of them empty."""
    count = min(columns, len(points))
    return [
        list(points[place * len(points) // count : (place + 1) * len(points) // count])
        for place in range(count)
    ]


def terminal_plot(points: Sequence[UsagePoint], policy: WindowPolicy, width: int) -> Group:
    """Each column is the highest usage of its versions, in the colour of its zone. Marks are below."""
    groups = thinned(points, max(10, width - LEFT - 1))
    peaks = [max(point.tokens for point in group) for group in groups]
    limit = points[-1].limit
    top = INTERVALS * round_step(max([*peaks, limit or 0]) / INTERVALS)
    styles = [_style(peak, group[-1].limit, policy) for peak, group in zip(peaks, groups, strict=True)]
    rows = []
    for row in range(ROWS - 1, -1, -1):
        made = line((_scale(row, top), "quiet"))
        for peak, style in zip(peaks, styles, strict=True):
            eighths = round(peak / top * ROWS * 8) - row * 8
            made.append(_EIGHTHS[max(0, min(8, eighths))], style)
        rows.append(made)
    rows.append(line((" " * (LEFT - 1) + "└" + "─" * len(groups), "quiet")))
    rows += _mark_rows(groups)
    rows.append(line(("version".rjust(LEFT - 1) + " " + _version_axis(groups), "quiet")))
    return Group(*rows, *_legend(points))


def round_step(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, 25, 50, 100, … that is not below a number."""
    power = 10 ** max(0, math.floor(math.log10(max(1.0, least))))
    factors = (1, 2, 2.5, 5, 10) if power > 1 else (1, 2, 5, 10)
    return int(next(factor * power for factor in factors if factor * power >= least))


def round_versions(first: int, last: int) -> list[int]:
    """A handful of round versions within a range, at even distances."""
    step = round_step((last - first) / 5)
    return list(range(-(-first // step) * step, last + 1, step))


def _version_axis(groups: Sequence[Sequence[UsagePoint]]) -> str:
    """Round versions below the columns that hold them."""
    axis = ""
    for version in round_versions(groups[0][0].version, groups[-1][-1].version):
        column = next(place for place, group in enumerate(groups) if group[-1].version >= version)
        label = f"{version:,}"
        if (not axis or column > len(axis)) and column + len(label) <= len(groups) + 1:
            axis = axis.ljust(column) + label
    return axis


def _style(tokens: int, limit: int | None, policy: WindowPolicy) -> str:
    zone = policy.zone(tokens / limit) if limit else "safe"
    return {"safe": "good", "warning": "altered", "danger": "bad", "critical": "bad"}[zone]


def _scale(row: int, top: int) -> str:
    """The number at the upper edge of a row, for each interval."""
    shown = f"{top * (row + 1) // ROWS:,}" if (row + 1) % (ROWS // INTERVALS) == 0 else ""
    return shown.rjust(LEFT - 2) + " │"


def _mark_rows(groups: Sequence[Sequence[UsagePoint]]) -> list[Text]:
    """A line for each kind of mark, with a sign in each column that has one."""
    rows = []
    for kind, mark in MARKS.items():
        places = [any(point.mark == kind for point in group) for group in groups]
        if any(places):
            made = line((mark.words.rjust(LEFT - 1) + " ", "quiet"))
            rows.append(made.append("".join(mark.sign if there else " " for there in places), mark.style))
    return rows


def _legend(points: Sequence[UsagePoint]) -> list[Text]:
    counts = [
        f"{mark.words} {count:,}"
        for kind, mark in MARKS.items()
        if (count := sum(point.mark == kind for point in points))
    ]
    newest = points[-1]
    most = max(point.tokens for point in points)
    share = f" ({newest.ratio:.1%} of {newest.limit:,})" if newest.ratio is not None else ""
    return [
        Text(f"now {newest.tokens:,} tokens{share}, at most {most:,}"),
        Text(", ".join(counts or ["no marks"])),
    ]


WIDTH, HEIGHT = 900, 380
_EDGES = (70, 870, 50, 300)
_POINTS = 1200


def svg_plot(points: Sequence[UsagePoint], policy: WindowPolicy, title: str, window: str) -> str:
    """The plot as SVG. Long sessions are thinned; peaks and marks stay."""
    left, right, top, bottom = _EDGES
    limit = points[-1].limit
    step = round_step(max([*(point.tokens for point in points), limit or 0]) / INTERVALS)
    highest = INTERVALS * step * 1.05
    first, last = points[0].version, max(points[-1].version, points[0].version + 1)

    def x(version: float) -> float:
        return left + (right - left) * (version - first) / (last - first)

    def y(tokens: float) -> float:
        return bottom - (bottom - top) * tokens / highest

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="system-ui, sans-serif" font-size="13">',
        f"<title>Tokens of window {escape(one_line(window))} over versions</title>",
        _STYLE,
        f'<rect class="back" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
        f'<text class="ink" x="{left - 46}" y="28" font-size="16" font-weight="600">{escape(one_line(title))}</text>',
    ]
    if limit is not None:
        for name, share in (
            ("warning", policy.warning),
            ("danger", policy.danger),
            ("critical", policy.critical),
        ):
            height = y(share * limit)
            parts.append(f'<path class="{name}" d="M{left} {height:.1f}H{right}"/>')
        parts.append(f'<path class="limit" d="M{left} {y(limit):.1f}H{right}"/>')
        parts.append(f'<text class="soft" x="{right}" y="{y(limit) - 5:.1f}" text-anchor="end">limit</text>')
    for tokens in range(0, INTERVALS * step + 1, step):
        parts.append(
            f'<text class="soft" x="{left - 8}" y="{y(tokens) + 4:.1f}" text-anchor="end">{tokens:,}</text>'
        )
    for kind, mark in MARKS.items():
        places = "".join(f"M{x(point.version):.1f} {bottom}v-8" for point in points if point.mark == kind)
        if places:
            parts.append(f'<path d="{places}" stroke="{mark.colour}" stroke-width="2"/>')
    parts.append(f'<path class="line" d="{_steps(points, x, y)}"/>')
    parts.append(f'<path class="axis" d="M{left} {bottom}H{right}"/>')
    for version in round_versions(first, points[-1].version):
        parts.append(
            f'<text class="soft" x="{x(version):.1f}" y="{bottom + 20}" text-anchor="middle">{version:,}</text>'
        )
    parts.append(f'<text class="soft" x="{left - 8}" y="{bottom + 20}" text-anchor="end">version</text>')
    place = left
    for kind, mark in MARKS.items():
        count = sum(point.mark == kind for point in points)
        if count:
            parts.append(f'<path d="M{place} {bottom + 46}v-9" stroke="{mark.colour}" stroke-width="3"/>')
            parts.append(
                f'<text class="soft" x="{place + 8}" y="{bottom + 46}">{mark.words} {count:,}</text>'
            )
            place += 115
    return "\n".join([*parts, "</svg>", ""])


def _steps(points: Sequence[UsagePoint], x: Scale, y: Scale) -> str:
    """The line: of each group of versions its first, lowest, highest and last, so that no peak is lost."""
    kept: list[UsagePoint] = []
    for group in thinned(points, _POINTS // 4):
        corners = {
            group[0],
            group[-1],
            min(group, key=lambda point: point.tokens),
            max(group, key=lambda point: point.tokens),
        }
        kept += sorted(corners, key=lambda point: point.version)
    return "M" + "L".join(f"{x(point.version):.1f} {y(point.tokens):.1f}" for point in kept)


_STYLE = (
    "<style>.back{fill:#fff;stroke:#d0d7de}.ink{fill:#1f2328}.soft{fill:#59636e}.axis{stroke:#8c959f}"
    ".line{fill:none;stroke:#c2410c;stroke-width:1.8;stroke-linejoin:round}.limit{stroke:#1f2328;stroke-width:1.5}"
    ".warning,.danger,.critical{stroke-dasharray:4 4;stroke:#d4a72c}.danger{stroke:#e8590c}.critical{stroke:#cf222e}"
    "@media (prefers-color-scheme:dark){.back{fill:#0d1117;stroke:#30363d}.ink{fill:#e6edf3}.soft{fill:#9198a1}"
    ".line{stroke:#fb923c}.limit{stroke:#e6edf3}}</style>"
)
