"""The transcript lines that a session has, so that an import does not repeat them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.runtime import Runtime
from backstory.application.writing.content_bundle import MAX_CONTENT_BYTES
from backstory.domain.events import LinesImported
from backstory.domain.log.references import ContentRef, digest
from backstory.domain.records import Place
from backstory.domain.safety.secrets import masked, secrets_in


class _LineContents(NamedTuple):
    """The contents with a line's bytes."""

    version: int
    contents: tuple[ContentRef, ...]


@dataclass(slots=True)
class ImportedLines:
    """The lines that a session has, by file and number, and the events they became."""

    versions: dict[str, int | None] = field(default_factory=dict)
    files: dict[str, dict[int, list[_LineContents]]] = field(default_factory=dict)
    keys: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    salts: dict[Place, bytes] = field(default_factory=dict)

    @classmethod
    def read(cls, runtime: Runtime, stream: UUID, version: int) -> "ImportedLines":
        """Reads them from the session's whole log. Abandoned branches count too, so that a backtrack does not import
        them again."""
        known = cls()
        reader = ContentReader(runtime, runtime.reader.log_of(stream, version))
        events = reader.events_of_type(LinesImported.type)
        for event in events:
            if isinstance(event.body, LinesImported):
                known.add(event.version, event.body)
        known.salts = reader.salts(event.version for event in events)
        return known

    def add(self, version: int, body: LinesImported, salts: dict[Place, bytes] | None = None) -> None:
        """Adds the lines of an event."""
        self.salts |= salts or {}
        numbers = self.files.setdefault(body.file, {})
        for line in body.lines:
            self.keys.setdefault((body.file, line.number), set()).update(line.events)
            for key, became in line.events.items():
                self.versions[key] = became if became is not None else self.versions.get(key)
            if line.contents:
                numbers.setdefault(line.number, []).append(_LineContents(version, line.contents))

    def has(self, file: str, number: int, data: bytes) -> bool:
        """Whether the session has exactly this line of a file. An erased line counts, and is not imported again."""
        return any(self._same(kept, data) for kept in self.files.get(file, {}).get(number, ()))

    def file_beginning(self, name: str, number: int, data: bytes, keys: Collection[str]) -> str:
        """The file that begins with this line: the one of that name or, after a renaming, another. A line that has
        grown is recognized by its ids. A different file of the same name gets a number."""
        for file in sorted(self.files, key=lambda file: file != name):
            if self.has(file, number, data) or not self.keys.get((file, number), set()).isdisjoint(keys):
                return file
        return next(free for free in _numbered(name) if free not in self.files)

    def _same(self, kept: _LineContents, data: bytes) -> bool:
        if self._equal(kept, data):
            return True
        # Its secrets may have been masked.
        found = secrets_in(data, of_tool=True)
        return bool(found) and self._equal(kept, masked(data, found))

    def _equal(self, kept: _LineContents, data: bytes) -> bool:
        if sum(ref.size for ref in kept.contents) != len(data):
            return False
        return all(
            salt is None or digest(salt, ref.media_type, piece) == ref.sha256
            for ref, piece in zip(kept.contents, pieces(data), strict=True)
            for salt in [self.salts.get((kept.version, ref.part))]
        )


def pieces(data: bytes) -> list[bytes]:
    """The bytes in as few pieces as the size limit of contents allows."""
    return [data[start : start + MAX_CONTENT_BYTES] for start in range(0, len(data), MAX_CONTENT_BYTES)]


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name[:190]} ({number})"
        number += 1
