"""Lines and columns that stay on one line each, however narrow the terminal: the last column gives way."""

from collections.abc import Iterable, Sequence

from rich.console import Console, Group

from backstory.interfaces.cli.output.text import Text

Cell = str | Text


def line(*cells: Cell | tuple[str, str], indent: int = 0) -> Text:
    """One line that is cut off rather than wrapped."""
    made = Text.assemble(" " * indent, *cells)
    made.no_wrap = True
    made.overflow = "ellipsis"
    return made


def paragraph(out: Console, *cells: Cell | tuple[str, str], indent: int = 1) -> None:
    """Prints words that are wrapped, each line moved to the right."""
    for wrapped in Text.assemble(*cells).wrap(out, max(20, out.width - indent)):
        wrapped.rstrip()
        out.print(Text.assemble(" " * indent, wrapped))


def columns(rows: Sequence[Sequence[Cell]], right: Iterable[int] = (), indent: int = 1) -> Group:
    """Rows below each other. Every column but the last is as wide as its widest cell; those in `right` are
    set to the right."""
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


def indented(lines: Iterable[Text], indent: int) -> Group:
    """Lines moved to the right."""
    return Group(*(line(one, indent=indent) for one in lines))
