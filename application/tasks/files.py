"""The files of a fresh context: read safely, chosen by what the task names, cut to their share of the budget."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from backstory.application.code.code_base import CodeBase
from backstory.domain.code.languages import LeftOut, language_of
from backstory.domain.code.neighbours import Neighbour, is_test
from backstory.domain.safety.secret_files import is_secret_file
from backstory.domain.safety.secrets import without_secrets
from backstory.domain.tasks.budget import fair_shares
from backstory.domain.tasks.context import FileContent
from backstory.domain.tasks.excerpt import Block, Excerpt, choose_blocks, whole
from backstory.domain.tasks.render import file_block
from backstory.domain.tasks.values import TaskSpec
from backstory.infrastructure.code.source_tree import read_file

BLOCK = 40
"""Lines that are shown together where a file has no definitions."""
LEAST = 60
"""Tokens below which nothing of a file is shown."""
MOST_OF_OTHERS = 2_000
"""Tokens of a file that the task does not name, at most: the definitions that are most about the task."""
GUESSED = 5
"""Files that are taken by their rank, where the task names none."""
GUESSED_TESTS = 2
"""Tests among them, at most."""
CONSIDERED = 60
"""The ranks among which they are looked for."""
PASSING_ON = frozenset({"__init__", "index", "mod"})
"""Names of files that gather what others define."""


class Candidate(NamedTuple):
    """A file that may be shown, and why."""

    path: str
    reason: str
    named: bool


class ReadFile(NamedTuple):
    """A file as far as it was read."""

    path: str
    text: str
    reason: str
    blocks: Sequence[Block]
    rest: str | None
    """What is said of the rest of it, where it was not read to its end."""

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def shown(self, excerpt: Excerpt) -> "ShownFile":
        """The file with an excerpt of it."""
        if self.rest is not None:
            excerpt = excerpt._replace(notes=(*excerpt.notes, self.rest))
        lines = self.lines
        content = FileContent(
            self.path, excerpt.of(lines), language_of(self.path), self.reason, len(lines), bool(excerpt.notes)
        )
        return ShownFile(content, self.text, excerpt)


class ShownFile(NamedTuple):
    """A file of the context, the whole text that was read, and the excerpt that is shown."""

    content: FileContent
    text: str
    excerpt: Excerpt


def project_path(root: Path, path: str) -> str | None:
    """A path as it is named in the project; None for one outside of it."""
    if "\0" in path:
        return None
    named = os.path.relpath(path, root) if os.path.isabs(path) else os.path.normpath(path)
    return None if named == ".." or named.startswith("../") or os.path.isabs(named) else named


def candidates(task: TaskSpec, root: Path, base: CodeBase | None, most: int) -> list[Candidate]:
    """The files that are worth showing, the best first: those that the task names, then tests of them, what they import
    and what imports them, the most likely first. Where it names none, those that rank highest."""
    found = list(_candidates(task, root, base))
    by_path = {one.path: one for one in reversed(found)}
    return [one for one in dict.fromkeys(found) if by_path[one.path] is one][:most]


def _candidates(task: TaskSpec, root: Path, base: CodeBase | None) -> Iterator[Candidate]:
    for path in task.files:
        yield Candidate(project_path(root, path) or path, "named by the task", True)
    for path in task.dependencies:
        yield Candidate(project_path(root, path) or path, "the task depends on it", True)
    if base is None:
        return
    ranked = base.rank(task.words)
    scores = {one.path: one.score for one in ranked}
    paths = [project_path(root, path) for path in (*task.files, *task.dependencies)]
    named = [path for path in paths if path is not None and path in scores]
    if not named:
        guessed = _guessed([one.path for one in ranked])
        for path in guessed:
            place = [one.path for one in ranked].index(path) + 1
            yield Candidate(path, f"number {place} of {len(ranked):,} for the task's words", False)
        named = [path for path in guessed if not is_test(path)]
    near = sorted(base.neighbours(named), key=lambda one: (-_worth(one, scores[one.path]), one.path))
    for one in near:
        yield Candidate(one.path, one.reason, False)


def _guessed(ranked: Sequence[str]) -> list[str]:
    """Files that rank highest. Tests often use most words of a task, so they are few of them."""
    tests = [path for path in ranked[:CONSIDERED] if is_test(path)][:GUESSED_TESTS]
    others = [path for path in ranked[:CONSIDERED] if not is_test(path)][: GUESSED - len(tests)]
    return sorted([*others, *tests], key=ranked.index)


def _worth(one: Neighbour, score: float) -> float:
    """The worth of a file that belongs to others: tests come first, and what is imported is worth more than what
    imports. A file that only passes names on says nothing of them."""
    if one.reason.startswith("tests "):
        return 10 + score
    if PurePosixPath(one.path).stem in PASSING_ON:
        return 0.0
    return score if one.reason.startswith("imported by ") else score / 2


def read_text(root: Path, path: str, most: int) -> tuple[str, bytes, str | None] | str:
    """The text of a file, its bytes, and what is said of the rest where it was cut; or the reason why it is not
    shown."""
    if project_path(root, path) is None:
        return "outside of the project"
    if is_secret_file(path):
        return "its name says that it holds secrets"
    place = root / path
    try:
        if not os.path.lexists(place):
            return "not found"
        plain = os.path.join(os.path.realpath(root), os.path.normpath(path))
        if place.is_symlink() or os.path.realpath(place) != plain:
            return "a link, or below one"
        if place.is_dir():
            return "a folder"
        size = place.stat().st_size
    except (OSError, ValueError):
        return "cannot be read"
    data = read_file(root, path)
    if data is None:
        return "cannot be read"
    if b"\0" in data[:8_000]:
        return "binary"
    text = without_secrets(data.decode("utf-8", "replace"))
    if len(text) <= most and len(data) >= size:
        return text, data, None
    kept = text[:most].rpartition("\n")[0] or text[:most]
    return kept, data, f"⋯ cut after {len(kept):,} characters of {size:,} bytes"


def read_candidates(
    task: str, root: Path, found: Sequence[Candidate], base: CodeBase | None, most: int
) -> tuple[list[tuple[Candidate, ReadFile]], list[LeftOut]]:
    """The files with their texts, and those that are left out, each with the reason."""
    read, left_out = [], []
    for one in found:
        said = read_text(root, one.path, most)
        if isinstance(said, str):
            left_out.append(LeftOut(one.path, said))
            continue
        text, data, rest = said
        lines = text.split("\n")
        blocks = [] if base is None else base.blocks(task, one.path, data)
        if rest is None and data.count(b"\n") + 1 != len(lines):
            # A secret of several lines was masked: the definitions stand elsewhere now.
            blocks = []
        blocks = [block for block in blocks if block.last <= len(lines)] or _plain_blocks(len(lines))
        read.append((one, ReadFile(one.path, text, one.reason, blocks, rest)))
    return read, left_out


def fit_files(
    read: Sequence[tuple[Candidate, ReadFile]], allowance: int, count: Callable[[str], int]
) -> tuple[list[ShownFile], list[LeftOut]]:
    """As much of the files as fits into so many tokens: those that the task names first, each in full or at least its
    fair share, then the others."""
    shown: dict[str, ShownFile] = {}
    left = allowance
    for named in (True, False):
        files = [file for one, file in read if one.named is named]
        needs = [count(file_block(file.shown(whole(file.lines)).content) + "\n\n") for file in files]
        if not named:
            needs = [min(need, MOST_OF_OTHERS) for need in needs]
        for file, share in zip(files, fair_shares(needs, left), strict=True):
            fitted = _fitted(file, share, count)
            if fitted is not None:
                shown[file.path] = fitted
                left -= count(file_block(fitted.content) + "\n\n")
    left_out = [LeftOut(file.path, "no room for it") for _, file in read if file.path not in shown]
    return [shown[file.path] for _, file in read if file.path in shown], left_out


def _fitted(file: ReadFile, share: int, count: Callable[[str], int]) -> ShownFile | None:
    everything = file.shown(whole(file.lines))
    if count(file_block(everything.content) + "\n\n") <= share:
        return everything
    frame = everything.content._replace(content="", truncated=True)
    room = share - count(file_block(frame) + "\n\n") - (0 if file.rest is None else count(file.rest + "\n"))
    if room < LEAST:
        return None
    # The tokens of lines that are joined may differ by a few from their sum.
    for slack in (2, 16, 64):
        excerpt = choose_blocks(file.lines, file.blocks, room - slack, count)
        if excerpt is None:
            return None
        fitted = file.shown(excerpt)
        if count(file_block(fitted.content) + "\n\n") <= share:
            return fitted
    return None


def _plain_blocks(lines: int) -> list[Block]:
    """Runs of lines of a file without definitions. Its beginning tells most."""
    firsts = range(1, lines + 1, BLOCK)
    return [
        Block(first, min(first + BLOCK - 1, lines), 1 / (1 + place)) for place, first in enumerate(firsts)
    ]
