"""Follows transcripts as they grow: each change is imported, from where the last import left off.

An import finds the lines that a session has by their ids, so nothing is stored twice and nothing is lost where a file
is rotated, renamed, rewritten in place, cut off or deleted. The memo only spares files that did not change.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from backstory.application.store import ContextStore
from backstory.application.transfer.importer import Imported
from backstory.domain.errors import BackstoryError, Unavailable

PATTERNS = ("**/*.jsonl", "**/*.jsonl.zst")
SHARE = 10
"""A file is imported again after at least so many times as long as its last import took. Why: an import reads a file
from its beginning, and one that grows all the time must not keep a processor busy."""

Mark = tuple[int, int, int]
"""The inode, the size and the time of a file when it was imported."""


class Followed(NamedTuple):
    """What became of one file."""

    file: Path
    imported: tuple[Imported, ...] = ()
    """Its sessions, as far as they had new lines."""
    refused: str | None = None
    """The reason why it is not imported, until it changes."""


class Follower:
    """Imports what is new in folders of transcripts."""

    def __init__(self, store: ContextStore, folders: Sequence[Path], memo: Path | None = None) -> None:
        """`memo` is a file in which it is remembered between two runs which files did not change."""
        self._store = store
        self._folders = folders
        self._memo = memo
        self._marks = _read(memo) if memo is not None else {}
        self._not_before: dict[str, float] = {}
        self._others: set[Path] = set()
        self.behind = False
        """Whether the last look left a file for a later one."""

    def add(self, file: Path) -> None:
        """Follows one more file, outside the folders."""
        self._others.add(file)

    def look(self, clock: Callable[[], float] = time.monotonic) -> Iterator[Followed]:
        """Imports the files that changed since the last look. Raises Unavailable while there is no database, and
        continues there the next time."""
        seen = dict(self._files())
        changed = self.behind = False
        for file, mark in seen.items():
            if self._marks.get(file) == mark:
                continue
            if clock() < self._not_before.get(file, 0):
                self.behind = True
                continue
            began = clock()
            found = self._import(Path(file))
            self._not_before[file] = clock() + SHARE * (clock() - began)
            self._marks[file] = mark
            changed = True
            if found is not None:
                yield found
        for file in self._marks.keys() - seen.keys():
            del self._marks[file]
            changed = True
        if changed and self._memo is not None:
            _write(self._memo, self._marks)

    def _files(self) -> Iterator[tuple[str, Mark]]:
        """The transcripts that there are, the one that changed last first: it is the one that somebody waits for."""
        below = {file for folder in self._folders for pattern in PATTERNS for file in folder.glob(pattern)}
        found: list[tuple[str, Mark]] = []
        for file in below | self._others:
            try:
                status = file.stat()
            except OSError:
                continue
            found.append((str(file), (status.st_ino, status.st_size, status.st_mtime_ns)))
        yield from sorted(found, key=lambda one: (-one[1][2], one[0]))

    def _import(self, file: Path) -> Followed | None:
        try:
            done = self._store.import_file(file, growing=True)
        except Unavailable:
            raise
        except (BackstoryError, OSError) as error:
            return Followed(file, refused=str(error))
        news = tuple(one for one in done if one.lines > one.already_there)
        return Followed(file, news) if news else None


def memo_for(store: ContextStore, folder: Path) -> Path:
    """The file in a folder in which is remembered what a database has."""
    return folder / f"watch-{hashlib.sha256(store.url.encode()).hexdigest()[:12]}.json"


def _read(memo: Path) -> dict[str, Mark]:
    """What was remembered; nothing where it cannot be read, since it only spares work."""
    try:
        found = json.loads(memo.read_bytes())
        return {str(file): (int(a), int(b), int(c)) for file, (a, b, c) in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _write(memo: Path, marks: dict[str, Mark]) -> None:
    memo.parent.mkdir(parents=True, exist_ok=True)
    whole = memo.with_suffix(f".{os.getpid()}")
    whole.write_text(json.dumps(marks))
    whole.replace(memo)
