"""The transcript lines of a session, with their exact bytes."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.runtime import Runtime
from backstory.domain.events import ImportedLine, LinesImported
from backstory.domain.log.references import ContentRef
from backstory.domain.records import Place


class SourceLine(NamedTuple):
    """One line of an imported transcript. `data` are its exact bytes, None once they were erased; `events` are the
    versions that it became, by the source's own ids."""

    format: str
    file: str
    number: int
    kind: str
    data: bytes | None
    events: dict[str, int | None]


def source_lines(runtime: Runtime, stream: UUID, version: int) -> Iterator[SourceLine]:
    """All lines of a session, file by file and in order. Of a line that changed between two imports, the newest."""
    reader = ContentReader(runtime, runtime.reader.log_of(stream, version))
    newest: dict[tuple[str, int], tuple[int, LinesImported, ImportedLine]] = {}
    became: dict[str, int | None] = {}
    keys: dict[tuple[str, int], dict[str, None]] = {}
    files: dict[str, None] = {}
    for event in reader.events_of_type(LinesImported.type):
        if not isinstance(event.body, LinesImported):
            continue
        files.setdefault(event.body.file)
        for line in event.body.lines:
            became |= {key: made for key, made in line.events.items() if made is not None}
            keys.setdefault((event.body.file, line.number), {}).update(dict.fromkeys(line.events))
            if line.contents:
                newest[event.body.file, line.number] = (event.version, event.body, line)
    order = list(files)
    held_at = 0
    held: dict[Place, bytes] = {}
    for file, number in sorted(newest, key=lambda place: (order.index(place[0]), place[1])):
        at, body, line = newest[file, number]
        if at != held_at:
            held_at, held = at, reader.bytes_of([at])
        data = _joined(at, line.contents, held)
        events = {key: became.get(key) for key in keys[file, number]}
        yield SourceLine(body.format, file, number, line.kind, data, events)


def _joined(version: int, contents: Sequence[ContentRef], held: dict[Place, bytes]) -> bytes | None:
    found = [held.get((version, ref.part)) for ref in contents]
    return None if any(piece is None for piece in found) else b"".join(piece for piece in found if piece)
