"""A line of the table: the measured value beside its goal."""

from typing import NamedTuple


class Row(NamedTuple):
    what: str
    measured: str
    goal: str
    met: bool | None
    """None where there is no goal."""


def ratio(what: str, measured: float, limit: float, detail: str) -> Row:
    """A line for a ratio that must not exceed its limit."""
    return Row(what, f"{measured:.2f} × ({detail})", f"≤ {limit} ×", measured <= limit)
