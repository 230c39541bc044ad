"""The files that belong to a file: what it imports, what imports it, and the tests of it."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

_TEST_WORDS = re.compile(
    r"^(tests?|specs?)[_.-]|[_.-](tests?|specs?|unittest)$|(?<=[a-z0-9])(Tests?|Spec|IT)$", re.IGNORECASE
)


_TEST_FOLDER = re.compile(r"tests?|testing|spec|__tests__", re.IGNORECASE)


class Neighbour(NamedTuple):
    """A file that belongs to another one, and why."""

    path: str
    reason: str


def neighbours(
    paths: Sequence[str], imports: Mapping[str, Sequence[str]], everything: Collection[str]
) -> Iterator[Neighbour]:
    """What belongs to some files, each once: first what they import, then tests of them, then what imports them."""
    seen = set(paths)
    importers = {path: [one for one, named in imports.items() if path in named] for path in paths}
    found = [
        *(Neighbour(one, f"imported by {path}") for path in paths for one in imports.get(path, ())),
        *(Neighbour(one, f"tests {path}") for path in paths for one in matching_tests(path, everything)),
        *(Neighbour(one, f"imports {path}") for path in paths for one in sorted(importers[path])),
    ]
    for one in found:
        if one.path not in seen:
            seen.add(one.path)
            yield one


def matching_tests(path: str, everything: Collection[str]) -> list[str]:
    """The test files of a file, by their names: those nearest to it first."""
    pure = PurePosixPath(path)
    if subject(pure) is not None:
        return []
    found = [
        one
        for one in everything
        if (other := PurePosixPath(one)).suffix == pure.suffix and subject(other) == pure.stem.lower()
    ]
    return sorted(found, key=lambda one: (-_shared_parts(one, pure), one))


def is_test(path: str) -> bool:
    """Whether a path is that of a test: by the file's name, or by a folder's."""
    pure = PurePosixPath(path)
    return subject(pure) is not None or any(_TEST_FOLDER.fullmatch(part) for part in pure.parts[:-1])


def subject(path: PurePosixPath) -> str | None:
    """The name that a test file is about, in lower case; None for other files."""
    stem = path.stem
    bare = _TEST_WORDS.sub("", stem)
    return None if bare == stem or not bare else bare.lower()


def _shared_parts(path: str, near: PurePosixPath) -> int:
    """The folders that two files share, wherever these stand: tests may mirror the sources in a folder of their own."""
    return len(set(PurePosixPath(path).parent.parts) & set(near.parent.parts))
