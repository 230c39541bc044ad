"""A memory file as a page: its sections, their entries, and what it was written from.

The page carries its own base: the last line says which memories it was written with and how each of them read. So an
edit is told from a line that is only out of date, however old the copy is that somebody edited.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from backstory.domain.errors import InvalidInput
from backstory.domain.memory_pages.blocks import digest_of, settled
from backstory.domain.values import label

_WRITTEN = "<!-- Written by `backstory sync`"
MARK = f"{_WRITTEN} and read back: change an entry, remove it, or add one that begins with `- `. -->"
_BASE = re.compile(r"<!-- backstory (\{.*\}) -->")
_ID = re.compile(r"[ \t]*<!-- M(\d{1,9}) -->")
_BULLET = re.compile(r"[-*](?:[ \t]+|$)")
CONFLICTS = "Conflicts"
"""The section of memories that were written at the same time as others in their place."""


@dataclass(frozen=True)
class Base:
    """What a page was written from."""

    project: str
    file: str
    """The name of the page's file."""
    version: int
    """The version of the project."""
    memories: dict[int, str]
    """The digest of each memory on the page."""
    others: frozenset[str] = frozenset()
    """The digests of entries that are no memories: they come from sessions."""


@dataclass(frozen=True)
class Entry:
    """One entry of a section."""

    section: str
    block: str
    memory: int | None = None
    """The memory, if it was written as one."""
    line: int = 0
    """Its line in the file that it was read from."""

    @property
    def digest(self) -> str:
        """The digest by which a change is noticed."""
        return digest_of(self.section, self.block)


@dataclass(frozen=True)
class Page:
    """A page: its entries in order, below the sections that it always has."""

    title: str
    entries: tuple[Entry, ...]
    base: Base | None
    """None for a page that somebody else wrote."""
    sections: tuple[str, ...] = field(default=())


class Malformed(ValueError):
    """A page that cannot be read."""

    def __init__(self, line: int, rule: str) -> None:
        super().__init__(f"line {line}: {rule}")
        self.line = line
        self.rule = rule
        self.is_ours = False
        """Whether a sync wrote the page."""

    def at(self, file: str) -> InvalidInput:
        """The error for whoever edited the file."""
        return InvalidInput(f"{file}, line {self.line}", self.rule)


class Incomplete(Malformed):
    """A page that ends too early, perhaps because somebody is just writing it."""


def write_page(page: Page) -> str:
    """The page as text."""
    assert page.base is not None
    parts = [f"{MARK}\n# {' '.join(page.title.split())}"]
    by_section: dict[str, list[str]] = {name: [] for name in page.sections}
    for entry in page.entries:
        by_section.setdefault(entry.section, []).append(_lines(entry))
    parts += ["\n".join([f"## {name}", "", *entries]).rstrip() for name, entries in by_section.items()]
    return "\n\n".join([*parts, _base_line(page.base)]) + "\n"


def page_in(data: bytes) -> Page:
    """The page in a file."""
    try:
        return read_page(data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        refused = Malformed(line, "must be UTF-8")
    except Malformed as error:
        refused = error
    refused.is_ours = data.startswith(_WRITTEN.encode())
    raise refused


def read_page(text: str) -> Page:
    """The page in a text. Raises Malformed, with the line and the rule that it breaks."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    if not end:
        raise Incomplete(1, "must not be empty; remove the file to have it written again")
    found = _BASE.fullmatch(lines[end - 1].strip())
    if found is None and lines[0].startswith(_WRITTEN):
        raise Incomplete(
            end, "must be the comment that begins with `<!-- backstory`, which the sync wrote last"
        )
    base = None if found is None else _base(found.group(1), end)
    reader = _Reader()
    for number, line in enumerate(lines[: end if base is None else end - 1], 1):
        reader.take(number, line)
    entries = tuple(reader.entries())
    return Page(reader.title, entries, base, tuple(dict.fromkeys(entry.section for entry in entries)))


class _Reader:
    """Reads a page line by line."""

    def __init__(self) -> None:
        self.title = ""
        self._section: str | None = None
        self._blocks: list[tuple[str, int, list[str]]] = []
        self._entry: list[str] | None = None
        """The lines of the entry that an indented line goes on with."""
        self._open = False
        """Whether a line that is not indented goes on with it, too."""

    def take(self, number: int, line: str) -> None:
        if not line.strip():
            self._open = False
            if self._entry is not None:
                self._entry.append("")
        elif number == 1 and line.startswith("<!--") and line.rstrip().endswith("-->"):
            pass
        elif line.startswith("## "):
            self._begin(number, line[3:].strip())
        elif line.startswith("# ") and self._section is None and not self.title:
            self.title = line[2:].strip()
        elif self._section is None:
            raise Malformed(number, "must stand below a heading that begins with `## `")
        elif bullet := _BULLET.match(line):
            self._entry = [line[bullet.end() :]]
            self._blocks.append((self._section, number, self._entry))
            self._open = True
        elif line[0] in " \t" and self._entry is not None:
            self._entry.append(line[1:] if line[0] == "\t" else line.removeprefix(" ").removeprefix(" "))
        elif line.startswith("#"):
            raise Malformed(number, "must be a section, which begins with `## `, or the text of an entry")
        elif self._open and self._entry is not None:
            self._entry.append(line)
        else:
            raise Malformed(number, "must begin with `- `, or with two blanks to go on with the entry above")

    def entries(self) -> Iterator[Entry]:
        for section, number, lines in self._blocks:
            text = "\n".join(lines)
            named = [int(found) for found in _ID.findall(text)]
            block = settled(_ID.sub("", text))
            if not block:
                raise Malformed(number, "must have a text; remove the whole entry to have it forgotten")
            yield Entry(section, block, named[0] if named else None, number)

    def _begin(self, number: int, name: str) -> None:
        try:
            self._section = label("the section's name", name)
        except InvalidInput as error:
            raise Malformed(number, str(error).rstrip(".")) from None
        self._entry, self._open = None, False


def base_of(project: str, file: str, version: int, entries: Iterable[Entry]) -> Base:
    """The base of a page with these entries."""
    listed = list(entries)
    return Base(
        project,
        file,
        version,
        {entry.memory: entry.digest for entry in listed if entry.memory is not None},
        frozenset(entry.digest for entry in listed if entry.memory is None),
    )


def _lines(entry: Entry) -> str:
    first, *others = entry.block.split("\n")
    mark = "" if entry.memory is None else f" <!-- M{entry.memory} -->"
    return "\n".join([f"- {first}{mark}", *(f"  {line}" if line else "" for line in others)])


def _base_line(base: Base) -> str:
    document = {
        "project": base.project,
        "file": base.file,
        "version": base.version,
        "memories": {str(id): digest for id, digest in base.memories.items()},
        "others": sorted(base.others),
    }
    text = json.dumps(document, separators=(",", ":")).replace("<", "\\u003c").replace(">", "\\u003e")
    return f"<!-- backstory {text} -->"


def _base(text: str, line: int) -> Base:
    try:
        document: dict[str, Any] = json.loads(text)
        memories = {int(id): str(digest) for id, digest in document["memories"].items()}
        others = frozenset(map(str, document["others"]))
        project, file = label("project", document["project"]), label("file", document["file"])
        return Base(project, file, int(document["version"]), memories, others)
    except (ValueError, LookupError, TypeError, AttributeError, InvalidInput):
        raise Malformed(line, "must be left as the sync wrote it") from None
