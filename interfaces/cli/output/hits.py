"""Hits of a query as lines for people."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backstory.application.search.search import SearchHit


def marked(hit: "SearchHit") -> list[tuple[str, str]]:
    """The snippet with its marks. They are cut out before control characters are escaped, which makes it longer."""
    parts: list[tuple[str, str]] = []
    last = 0
    for first, end in hit.marks:
        parts += [(hit.snippet[last:first], ""), (hit.snippet[first:end], "good")]
        last = end
    return [*parts, (hit.snippet[last:], "")]
