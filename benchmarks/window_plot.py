"""The plot of the window benchmark: what is held over what is sent. Tokens are on a logarithmic axis."""

from collections.abc import Sequence
from math import log10

from benchmarks.window import BASELINE, OURS, Point, Result

PANEL, BESIDE, HEIGHT = 400, 430, 400
TOP, BOTTOM = 84, 320
LOWEST = 0.8
_COLOURS = {OURS: "#c2410c", "baseline": "#1d4ed8", "full": "#57606a"}
_NAMES = {OURS: "Backstory, agent-work", "baseline": "only the last tool results", "full": "full history"}


def draw(results: Sequence[Result]) -> str:
    """A panel for each kind of sessions."""
    width = 40 + BESIDE * len(results)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" role="img" '
        'font-family="system-ui, sans-serif" font-size="13">',
        "<title>Share of later-used names that prompts still hold, by tokens per call</title>",
        "<style>.back{fill:#fff;stroke:#d0d7de}.ink{fill:#1f2328}.soft{fill:#59636e}.grid{stroke:#d8dee4;fill:none}"
        "@media (prefers-color-scheme:dark){.back{fill:#0d1117;stroke:#30363d}.ink{fill:#e6edf3}.soft{fill:#9198a1}"
        ".grid{stroke:#272e37}}</style>",
        f'<rect class="back" width="{width}" height="{HEIGHT}" rx="8"/>',
        '<text class="ink" x="24" y="30" font-size="16" font-weight="600">'
        "Later-used paths and identifiers that the prompt still held, by tokens per call</text>",
    ]
    for place, result in enumerate(results):
        parts += _panel(result, 70 + place * BESIDE)
    x = 70
    for family, name in _NAMES.items():
        parts.append(f'<circle cx="{x}" cy="{HEIGHT - 24}" r="5" fill="{_COLOURS[family]}"/>')
        parts.append(f'<text class="soft" x="{x + 10}" y="{HEIGHT - 20}">{name}</text>')
        x += 210
    return "\n".join([*parts, "</svg>", ""])


def _panel(result: Result, left: int) -> list[str]:
    right = left + PANEL - 40
    least = min(point.tokens for point in result.points) * 0.8
    most = max(point.tokens for point in result.points) * 1.25
    lowest = min(LOWEST, min(point.share for point in result.points) - 0.02)

    def x(tokens: float) -> float:
        return left + (right - left) * log10(tokens / least) / log10(most / least)

    def y(share: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (share - lowest) / (1 - lowest)

    parts = [f'<text class="ink" x="{left}" y="62" font-weight="600">{result.what}</text>']
    for step in range(int(lowest * 20) + 1, 21):
        share = step / 20
        parts.append(f'<path class="grid" d="M{left} {y(share):.1f}H{right}"/>')
        parts.append(
            f'<text class="soft" x="{left - 6}" y="{y(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>'
        )
    for tokens in (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000):
        if least <= tokens <= most:
            parts.append(f'<path class="grid" d="M{x(tokens):.1f} {TOP}V{BOTTOM}"/>')
            label = f'x="{x(tokens):.1f}" y="{BOTTOM + 18}" text-anchor="middle"'
            parts.append(f'<text class="soft" {label}>{tokens // 1000}k</text>')
    for family, colour in _COLOURS.items():
        points = sorted((point for point in result.points if point.family == family), key=_tokens)
        line = "L".join(f"{x(point.tokens):.1f} {y(point.share):.1f}" for point in points)
        parts.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for point in points:
            size = 6 if point.name in (OURS, BASELINE) else 3.5
            parts.append(
                f'<circle cx="{x(point.tokens):.1f}" cy="{y(point.share):.1f}" r="{size}" fill="{colour}">'
                f"<title>{point.name}: {point.tokens:,.0f} tokens, {point.share:.1%}</title></circle>"
            )
    return parts


def _tokens(point: Point) -> float:
    return point.tokens
