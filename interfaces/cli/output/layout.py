"""Lines and tables that fit any terminal: a row is one line, and its last column is cut off."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TypeVar

from rich.console import Console, Group

from backstory.interfaces.cli.output.text import Text

Cell = str | Text
T = TypeVar("T")

ROWS = 20
"""Rows of a table unless another number is asked for: they fit a terminal of 24 lines."""


def line(*cells: Cell | tuple[str, str], indent: int = 0) -> Text:
    """One line that is cut off rather than wrapped."""
    made = Text.assemble(" " * indent, *cells)
    made.no_wrap = True
    made.overflow = "ellipsis"
    return made


def paragraph(out: Console, *cells: Cell | tuple[str, str], indent: int = 1) -> None:
    """Prints wrapped words, indented."""
    for wrapped in Text.assemble(*cells).wrap(out, max(20, out.width - indent)):
        wrapped.rstrip()
        out.print(Text.assemble(" " * indent, wrapped))


def columns(rows: Sequence[Sequence[Cell]], right: Iterable[int] = (), indent: int = 1) -> Group:
    """Rows below each other. Every column but the last is as wide as its widest cell; those in `right` are
    right-aligned."""
    cells = [[cell if isinstance(cell, Text) else Text(cell) for cell in row] for row in rows]
    widths = [max(cell.cell_len for cell in column) for column in zip(*cells, strict=True)]
    to_right = set(right)
    lines = []
    for row in cells:
        made = line(indent=indent)
        for place, cell in enumerate(row[:-1]):
            blanks = " " * (widths[place] - cell.cell_len)
            made.append_text(Text(blanks) + cell if place in to_right else cell + Text(blanks)).append("  ")
        lines.append(made.append_text(row[-1]))
    return Group(*lines)


def table(
    headings: Sequence[str], rows: Sequence[Sequence[Cell]], right: Iterable[int] = (), indent: int = 0
) -> Group:
    """Rows below their headings."""
    return columns([[Text(heading, "quiet") for heading in headings], *rows], right, indent)


def print_table(
    out: Console,
    headings: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    limit: int | None = None,
    right: Iterable[int] = (),
    *,
    rest_unknown: bool = False,
    how: str = "--limit",
) -> None:
    """Prints the first rows of a table, and below them the option that shows the rest. With `rest_unknown` there may
    be more rows than were given."""
    most = limit or ROWS
    out.print(table(headings, rows[:most], right))
    if len(rows) > most:
        out.print(rest_line(len(rows), most, rest_unknown=rest_unknown, how=how))


def rest_line(total: int, printed: int, *, rest_unknown: bool = False, how: str = "--limit") -> Text:
    """A line that says how many rows are missing, and how to see them."""
    if how != "--limit":
        return Text(f"… {total - printed:,} more: {how}", "quiet")
    if rest_unknown:
        return Text(f"… more: --limit {2 * printed}", "quiet")
    return Text(f"… {total - printed:,} more: --limit {total}", "quiet")


def newest_of(rows: Iterable[T], most: int | None) -> tuple[list[T], int]:
    """The last of some rows, and the number of those before them."""
    kept: deque[T] = deque(maxlen=most)
    count = 0
    for row in rows:
        kept.append(row)
        count += 1
    return list(kept), count - len(kept)


def earlier_line(earlier: int, printed: int, noun: str) -> Text:
    """A line that says how many rows come before those printed, and how to see them."""
    return Text(f"… {earlier:,} earlier {noun}: --limit {earlier + printed}", "quiet")


def indented(lines: Iterable[Text], indent: int) -> Group:
    """Indented lines."""
    return Group(*(line(one, indent=indent) for one in lines))
