"""Memories as lines for people."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backstory.interfaces.cli.output.hits import marked
from backstory.interfaces.cli.output.layout import line, paragraph
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.wording import ERASED, moment, one_line, short_id

if TYPE_CHECKING:
    from backstory.application.memory.memories import Memory
    from backstory.application.memory.recall import Recalled

MOST_SOURCES = 3
MOST_ITEMS = 5
MOST_LINES = 3


def print_memory(run: Run, memory: "Memory") -> None:
    """Prints a memory: what it is, its text, its sources."""
    run.out.print(_heading(memory))
    if memory.title is not None:
        paragraph(run.out, (one_line(memory.title), "heading"), indent=4)
    text = ERASED if memory.text is None else memory.text
    for written in text.splitlines():
        paragraph(run.out, one_line(written), indent=4)
    for said in _about(memory):
        run.out.print(Text("    " + said, "quiet"), soft_wrap=True)


def print_recalled(run: Run, recalled: "Recalled") -> None:
    """Prints a memory that a query found. Of a fragment, the passages that match stand for its text."""
    memory = recalled.memory
    if memory.kind != "fragment":
        print_memory(run, memory)
        return
    run.out.print(_heading(memory))
    if memory.title is not None:
        paragraph(run.out, (one_line(memory.title), "heading"), indent=4)
    for hit in recalled.passages:
        said = f"{one_line(hit.speaker)} " if hit.speaker else ""
        place = f"{said}{moment(hit.at)} ({short_id(hit.session)} {hit.item})"
        run.out.print(Text(f"    {place}", "quiet"), soft_wrap=True)
        paragraph(run.out, *marked(hit), indent=6)
    if not recalled.passages:
        lines = [written for written in (memory.text or ERASED).splitlines() if written]
        for written in lines[:MOST_LINES]:
            paragraph(run.out, one_line(written), indent=4)
        if len(lines) > MOST_LINES:
            run.out.print(Text(f"    … memory show {memory.id}", "quiet"))


def _heading(memory: "Memory") -> Text:
    cells: list[tuple[str, str]] = [(f"M{memory.id} ", "version"), (memory.kind, "type")]
    if memory.by is not None:
        cells.append((f" {one_line(memory.by)}", ""))
    if memory.agent is not None:
        cells.append((f" (for {one_line(memory.agent)} alone)", "quiet"))
    cells.append((f"  {moment(memory.at)}", "quiet"))
    if memory.candidate:
        cells.append(("  candidate", "altered"))
    if memory.quarantined:
        cells.append(("  quarantined", "altered"))
    if memory.trust == "untrusted":
        cells.append(("  untrusted", "altered"))
    if memory.superseded_by is not None:
        cells.append((f"  superseded by M{memory.superseded_by}", "altered"))
    elif memory.left_at is not None:
        cells.append(("  forgotten", "altered"))
    return line(*cells)


def _about(memory: "Memory") -> Iterator[str]:
    if memory.valid_from is not None or memory.valid_until is not None:
        begins = "" if memory.valid_from is None else f" from {moment(memory.valid_from)}"
        ends = "" if memory.valid_until is None else f" until {moment(memory.valid_until)}"
        yield f"holds{begins}{ends}"
    if memory.sources:
        named = [_source(short_id(source.session), source.items) for source in memory.sources[:MOST_SOURCES]]
        more = len(memory.sources) - MOST_SOURCES
        yield "from " + ", ".join(named) + (f" and {more:,} more" if more > 0 else "")
    if memory.said_again:
        named = [_source(short_id(source.session), source.items) for source in memory.said_again]
        yield "said again in " + ", ".join(named)


def _source(session: str, items: tuple[int, ...]) -> str:
    shown = " ".join(str(item) for item in items[:MOST_ITEMS])
    more = " …" if len(items) > MOST_ITEMS else ""
    return f"{session} {shown}{more}".rstrip()
