"""The summary of a context: the session's own and those of compactions in one, each line once.

It belongs to renderer 1: a change of the lines is a new version.
"""

import re
from collections.abc import Collection, Sequence
from itertools import chain
from typing import NamedTuple

TITLE = "# Session summary"
ORDER = (
    "Objective",
    "Progress",
    "What was said",
    "Key decisions",
    "Open questions",
    "Constraints",
    "Clarifications",
    "Layers",
    "Files and entities",
    "Named there",
    "Next steps",
    "Tools used",
)
NEWEST_ONLY = ("Objective", "Next steps", "Tools used")
"""Sections of which one is shown: the session's own, else the newest. Others are out of date."""
STANDING = ("Key decisions", "Constraints")
"""Sections whose lines may also stand among the rules of a context."""
_MARK = re.compile(r"(?:- |\d+\. )")


class SummaryLine(NamedTuple):
    """A line of a summary."""

    section: str
    text: str
    place: tuple[int, int]
    """The summary that it comes from, oldest first, and its line there."""
    of_compaction: bool

    @property
    def bare(self) -> str:
        """The line without its bullet or number."""
        return _MARK.sub("", self.text, count=1)


def merged(summaries: Sequence[tuple[str, bool]], standing: Collection[str]) -> list[SummaryLine]:
    """The lines of summaries, the most important first: the objective, what compactions tell, newest first, then the
    session's own summary. Without lines that stand among the rules, as `standing` says, and without repetitions.
    Summaries come oldest first, each with whether it is a compaction's."""
    read = [_lines(text, place, of_compaction) for place, (text, of_compaction) in enumerate(summaries)]
    oldest_first = sorted(chain.from_iterable(read), key=lambda line: not line.of_compaction)
    up_to_date = {line.section: line.place[0] for line in oldest_first}
    listed = {name for lines in read for line in lines for name in _names(line, "Files and entities")}
    found: dict[tuple[str, str], SummaryLine] = {}
    newest_first = chain.from_iterable(reversed(read))
    for line in sorted(newest_first, key=lambda line: not line.of_compaction):
        if line.section in NEWEST_ONLY and up_to_date[line.section] != line.place[0]:
            continue
        if line.section in STANDING and any(tells(line.bare, text) for text in standing):
            continue
        if line.section == "Named there":
            names = [name for name in _names(line, line.section) if name not in listed]
            listed.update(names)
            if not names:
                continue
            line = line._replace(text=f"- {', '.join(names)}")
        found.setdefault((line.section, line.bare), line)
    return sorted(found.values(), key=lambda line: line.section != "Objective")


def tells(line: str, decision: str) -> bool:
    """Whether a line of a summary tells a decision: its text, with its rationale, or as much as a summary has room
    for."""
    text = " ".join(decision.split())
    begun = line.removesuffix("…").rstrip()
    return line == text or line.startswith(f"{text} (") or (begun != line and text.startswith(begun))


def markdown(lines: Sequence[SummaryLine]) -> str:
    """The lines by section, each in the order of time."""
    if not lines:
        return ""
    sections: dict[str, list[SummaryLine]] = {name: [] for name in ORDER}
    for line in sorted(lines, key=lambda line: line.place):
        sections.setdefault(line.section, []).append(line)
    blocks = []
    for name, told in sections.items():
        if name == "Key decisions":
            shown = [f"{number}. {line.bare}" for number, line in enumerate(told, 1)]
        else:
            shown = [line.text for line in told]
        if shown:
            blocks.append("\n".join([f"## {name}", *shown]))
    return "\n\n".join([TITLE, *blocks])


def _lines(text: str, summary: int, of_compaction: bool) -> list[SummaryLine]:
    section, lines = "", []
    for place, line in enumerate(text.splitlines()):
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line.strip() and not line.startswith("# "):
            lines.append(SummaryLine(section, line, (summary, place), of_compaction))
    return lines


def _names(line: SummaryLine, section: str) -> list[str]:
    """The names that a line of a section lists."""
    if line.section != section:
        return []
    return re.sub(r"^(?:Files|Entities): ", "", line.bare).split(", ")
