"""The definitions of a file, and the chunks that it is searched by."""

from collections.abc import Sequence
from itertools import islice, takewhile
from typing import NamedTuple

LONGEST_SIGNATURE = 80
BLOCK = 40
"""Lines of a chunk where a file has no definitions."""


class Definition(NamedTuple):
    """A class, a function and so on, with its place in the file. Lines are counted from 1."""

    kind: str
    name: str
    signature: str
    """Its first lines, up to its body, as one line."""
    first: int
    """The first line, with the comments above it."""
    line: int
    """The line that it begins on."""
    last: int
    depth: int = 0
    """The number of definitions around it."""


class Chunk(NamedTuple):
    """A run of lines that are searched and shown together."""

    first: int
    last: int
    definition: int | None
    """The place of its definition in the file's list; None for lines outside of all."""


def chunks_of(definitions: Sequence[Definition], lines: int) -> list[Chunk]:
    """The chunks of a file: each definition up to the first one inside it, and without definitions blocks of lines."""
    if not definitions:
        return [Chunk(first, min(first + BLOCK - 1, lines), None) for first in range(1, lines + 1, BLOCK)]
    chunks = []
    for place, one in enumerate(definitions):
        # They are in order: the first one inside, if any, is among those that follow before the end.
        following = takewhile(lambda other: other.line <= one.last, islice(definitions, place + 1, None))  # noqa: B023
        inner = next((other.first for other in following if one.line < other.first), one.last + 1)
        chunks.append(Chunk(one.first, min(one.last, inner - 1), place))
    return [chunk for chunk in chunks if chunk.first <= chunk.last]


def ordered(found: Sequence[Definition]) -> list[Definition]:
    """Definitions in the order of the file, each once and with its depth."""
    by_place = {(one.line, one.last, one.name): one for one in sorted(found, key=lambda one: one.kind)}
    placed: list[Definition] = []
    open_until: list[int] = []
    for one in sorted(by_place.values(), key=lambda one: (one.line, -one.last)):
        while open_until and open_until[-1] < one.line:
            open_until.pop()
        placed.append(one._replace(depth=len(open_until)))
        open_until.append(one.last)
    return placed


def one_line(text: str) -> str:
    """A signature on one line, cut where it is long."""
    joined = " ".join(text.split()).rstrip("{:= ")
    return joined if len(joined) <= LONGEST_SIGNATURE else joined[: LONGEST_SIGNATURE - 1] + "…"
