"""The map of a repository: the files that a task is most likely about, with signatures, within a budget."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from backstory.domain.code.definitions import Definition

PATHS_SHARE = 0.3
"""The share of the budget that lists paths; signatures have the rest."""
BASE = 0.3
"""What a definition counts by its file alone, beside what it counts by its own words."""


class MappedFile(NamedTuple):
    """A file that may stand in a map."""

    path: str
    score: float
    definitions: Sequence[Definition] = ()
    scores: Sequence[float] = ()
    """How much each definition is about the task, from 0 to 1."""


class RepoMap(NamedTuple):
    """A map as text, and what it shows."""

    text: str
    files: tuple[str, ...]
    definitions: tuple[tuple[str, Definition], ...]
    total: int
    """The number of files that it was chosen from."""


class _Signature(NamedTuple):
    value: float
    path: str
    place: int
    definition: Definition

    @property
    def line(self) -> str:
        return f"{'  ' * (self.definition.depth + 1)}{self.definition.signature}\n"


def draw_map(
    files: Sequence[MappedFile],
    total: int,
    budget: int,
    count: Callable[[str], int],
    first: Collection[str] = (),
) -> RepoMap:
    """A map of files, the best first; those in `first` come before all others."""
    ranked = sorted(files, key=lambda file: (file.path not in first, -file.score, file.path))
    head = f"{total:,} code files; those that matter most, with signatures:\n"
    left = budget - count(head)
    shown: dict[str, list[_Signature]] = {}
    for_paths = left * PATHS_SHARE
    for file in ranked:
        cost = count(f"{file.path}\n")
        if cost > for_paths:
            break
        for_paths -= cost
        left -= cost
        shown[file.path] = []
    for signature in _signatures(ranked, first):
        cost = count(signature.line)
        if cost <= left and signature.path in shown:
            left -= cost
            shown[signature.path].append(signature)
    while shown:
        text = head + "".join(_drawn(path, chosen) for path, chosen in shown.items())
        if count(text) <= budget:
            chosen = [(path, one.definition) for path, found in shown.items() for one in found]
            return RepoMap(text, tuple(shown), tuple(chosen), total)
        # Tokens of joined lines may differ by a few from their sum.
        shown.popitem()
    return RepoMap("", (), (), total)


def _signatures(files: Sequence[MappedFile], first: Collection[str]) -> list[_Signature]:
    """The definitions of files, the most valuable first."""
    best = max((file.score for file in files), default=0.0)
    found = [
        _Signature(
            (best if file.path in first else file.score) * (BASE + score), file.path, place, definition
        )
        for file in files
        for place, (definition, score) in enumerate(zip(file.definitions, file.scores, strict=True))
    ]
    return sorted(found, key=lambda one: (-one.value, one.path, one.place))


def _drawn(path: str, chosen: Sequence[_Signature]) -> str:
    lines = [one.line for one in sorted(chosen, key=lambda one: one.place)]
    return f"{path}\n" + "".join(lines)
