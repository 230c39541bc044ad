"""Items that have left every window of a long session, beside memory: there may be a million of them, and few are ever
asked for again."""

import json
import tempfile
from array import array
from collections.abc import Iterator
from typing import IO

from backstory.domain.records import Item

_ABSENT = -1


class GoneItems:
    """Items by their ids, in a temporary file. Eight bytes are held of each."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._places = array("q")
        self._end = 0

    def __contains__(self, item: int) -> bool:
        return 0 <= item < len(self._places) and self._places[item] != _ABSENT

    def __iter__(self) -> Iterator[int]:
        """The ids, in order."""
        return (item for item, place in enumerate(self._places) if place != _ABSENT)

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def put(self, item: Item) -> None:
        if self._file is None:
            # Closed, and so gone, together with this object.
            self._file = tempfile.TemporaryFile(prefix="backstory-")  # noqa: SIM115
        if item.id >= len(self._places):
            self._places.extend([_ABSENT] * (item.id + 1 - len(self._places)))
        line = json.dumps(item, separators=(",", ":")).encode() + b"\n"
        self._file.seek(self._end)
        self._file.write(line)
        self._places[item.id] = self._end
        self._end += len(line)

    def pop(self, item: int) -> Item | None:
        """The item, which is then no longer here; None where it is not."""
        if item not in self or self._file is None:
            return None
        self._file.seek(self._places[item])
        self._places[item] = _ABSENT
        return Item.from_row(json.loads(self._file.readline()))
