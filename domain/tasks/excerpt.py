"""A file cut to a number of tokens: whole definitions, and a note of what is left out."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

Ranges = tuple[tuple[int, int], ...]
"""Runs of lines, counted from 1, first and last included."""
LEFT_OUT = "⋯"
"""Begins the line that stands in the place of lines that are left out."""
MOST_NAMES = 8


class Block(NamedTuple):
    """A run of lines that is shown whole or not at all."""

    first: int
    last: int
    score: float
    """How much it is about the task."""
    name: str | None = None
    """The definition that it is, or begins with."""


class Excerpt(NamedTuple):
    """A part of a text."""

    ranges: Ranges
    notes: tuple[str, ...]
    """The lines that stand in the place of what is left out, in order."""

    def of(self, lines: Sequence[str]) -> str:
        """The excerpt of a text with these lines."""
        parts: list[str] = []
        notes, at = iter(self.notes), 1
        for first, last in self.ranges:
            if first > at:
                parts.append(next(notes))
            parts.append(_lines(lines, first, last))
            at = last + 1
        return "\n".join([*parts, *notes])


def whole(lines: Sequence[str]) -> Excerpt:
    """All lines of a text."""
    return Excerpt(((1, len(lines)),), ())


def choose_blocks(
    lines: Sequence[str], blocks: Sequence[Block], most: int, count: Callable[[str], int]
) -> Excerpt | None:
    """The best blocks that fit into so many tokens together, in the order of the file; None where none does. Lines
    outside of all blocks, such as imports, count as blocks."""
    blocks = [_with_blank_lines(lines, one) for one in blocks]
    waiting = sorted(_with_gaps(blocks, len(lines)), key=lambda one: (-one.score, one.first))
    chosen: list[Block] = []
    left = most
    for block in waiting:
        cost = count(_lines(lines, block.first, block.last) + "\n")
        if cost <= left:
            chosen.append(block)
            left -= cost
    named = sorted(one for one in blocks if one.name)
    # The notes of what is left out need room, too: the least blocks give way.
    low, high = 0, len(chosen)
    while low < high:
        middle = (low + high + 1) // 2
        if count(_excerpt(chosen[:middle], named, len(lines)).of(lines)) <= most:
            low = middle
        else:
            high = middle - 1
    return _excerpt(chosen[:low], named, len(lines)) if low else None


def _excerpt(chosen: Sequence[Block], named: Sequence[Block], lines: int) -> Excerpt:
    ranges: list[tuple[int, int]] = []
    notes: list[str] = []
    at = 1
    for block in sorted(chosen):
        if ranges and block.first == at:
            ranges[-1] = (ranges[-1][0], block.last)
        else:
            if block.first > at:
                notes.append(_note(at, block.first - 1, named))
            ranges.append((block.first, block.last))
        at = block.last + 1
    if at <= lines:
        notes.append(_note(at, lines, named))
    return Excerpt(tuple(ranges), tuple(notes))


def _with_blank_lines(lines: Sequence[str], block: Block) -> Block:
    """A block with the blank lines after it: a note in their place would be longer."""
    last = block.last
    while last < len(lines) and not lines[last].strip():
        last += 1
    return block._replace(last=last)


def _with_gaps(blocks: Sequence[Block], lines: int) -> list[Block]:
    """The blocks, and the lines between them. The head of a file, where its imports are, comes first."""
    found: list[Block] = []
    at = 1
    for block in sorted(blocks):
        if block.first > at:
            found.append(Block(at, block.first - 1, 2.0 if at == 1 else 0.0))
        found.append(block)
        at = max(at, block.last + 1)
    if at <= lines:
        found.append(Block(at, lines, 0.0))
    return found


def _note(first: int, last: int, named: Sequence[Block]) -> str:
    """The line for what is left out. `named` are the definitions of the file, in its order."""
    places = range(
        bisect_left(named, first, key=lambda one: one.first),
        bisect_right(named, last, key=lambda one: one.first),
    )
    names = [str(named[place].name) for place in places[:MOST_NAMES]]
    shown = ", ".join(names) + (", …" if len(places) > MOST_NAMES else "")
    count = last - first + 1
    said = f"{LEFT_OUT} {count:,} line{'s' if count > 1 else ''} left out"
    return f"{said}: {shown}" if names else said


def _lines(lines: Sequence[str], first: int, last: int) -> str:
    return "\n".join(lines[first - 1 : last])
