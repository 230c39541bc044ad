"""Judges the ranking of code by a repository's own commits: a commit's message is the task, the files it touched are
the truth, and the code is that of the commit before.

    python scripts/judge_code.py PATH [--commits 40]
    python scripts/judge_code.py FOLDER --tasks TASKS.json

With `--tasks` the commits are those of a list of `{"repo", "commit", "parent", "task", "files"}`, in clones below the
folder named `owner+name`. Printed are the shares of the touched files among the best five and ten, and the shares of
the touched files and definitions in a map of 1,000 tokens.
"""

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from backstory.application.code.code_index import CodeIndex
from backstory.application.store import ContextStore
from backstory.domain.code.definitions import Definition
from backstory.domain.code.languages import language_of, refusal_by_path
from backstory.infrastructure.code.git import git
from backstory.infrastructure.code.git_history import read_commits
from backstory.infrastructure.code.parsers import definitions_of
from backstory.infrastructure.code.source_tree import read_commit
from backstory.infrastructure.llm.tokens import count_tokens

MAP_TOKENS = 1_000
MOST_FILES = 10
"""A commit that touched more files is no task."""
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? ")


class Task(NamedTuple):
    """A commit to be told from its message."""

    root: Path
    parent: str
    commit: str
    text: str
    files: tuple[str, ...]


class Judged(NamedTuple):
    """The shares of what a task touched that were found."""

    top_5: float
    top_10: float
    in_map: float
    definitions: float | None


def tasks_of(root: Path, number: int) -> Iterator[Task]:
    """The newest commits of a repository that touch code files of their parent."""
    listed = git(root, "rev-list", "--no-merges", "--min-parents=1", "--max-count=2000", "HEAD") or b""
    for commit in read_commits(root, listed.decode().split()):
        if number and 0 < len(commit.files) <= MOST_FILES:
            parent = (git(root, "rev-parse", f"{commit.id}^") or b"").decode().strip()
            known = set(
                (git(root, "ls-tree", "-r", "-z", "--name-only", parent) or b"")
                .decode("utf-8", "replace")
                .split("\0")
            )
            files = tuple(path for path in commit.files if path in known and is_code(path))
            if files:
                number -= 1
                yield Task(root, parent, commit.id, commit.message, files)


def tasks_in(folder: Path, listed: Path) -> Iterator[Task]:
    """The tasks of a list."""
    for one in json.loads(listed.read_text()):
        root = folder / one["repo"].replace("/", "+")
        yield Task(root, one["parent"], one["commit"], one["task"], tuple(one["files"]))


def is_code(path: str) -> bool:
    """Whether a path is one that the index reads."""
    return language_of(path) is not None and refusal_by_path(path) is None


def judge(index: CodeIndex, task: Task) -> Judged | None:
    """What is found of a task; None where nothing of it is in the index."""
    tree = read_commit(task.root, task.parent)
    base = index.read(tree)
    truth = set(task.files) & set(base.paths)
    if not truth:
        return None
    best = [one.path for one in base.rank(task.text, 10)]
    drawn = base.repo_map(task.text, MAP_TOKENS, count_tokens)
    touched = set(touched_definitions(task, dict(tree.read(sorted(truth)))))
    shown = {(path, one.name, one.line) for path, one in drawn.definitions}
    return Judged(
        len(truth & set(best[:5])) / len(truth),
        len(truth & set(best)) / len(truth),
        len(truth & set(drawn.files)) / len(truth),
        len(touched & shown) / len(touched) if touched else None,
    )


def touched_definitions(task: Task, files: dict[str, bytes]) -> Iterator[tuple[str, str, int]]:
    """The innermost definitions that a commit changes, as they stood before."""
    for path, data in files.items():
        found = definitions_of(data, language_of(path) or "")
        diff = git(task.root, "diff", "-U0", "--no-ext-diff", task.parent, task.commit, "--", path) or b""
        for first, last in changed_lines(diff.decode("utf-8", "replace").splitlines()):
            around = [one for one in found if one.first <= last and first <= one.last]
            for one in innermost(around):
                yield path, one.name, one.line


def changed_lines(diff: Iterable[str]) -> Iterator[tuple[int, int]]:
    """The runs of lines of the older side that a diff changes."""
    for line in diff:
        hunk = _HUNK.match(line)
        if hunk:
            first, count = int(hunk[1]), int(hunk[2] or 1)
            yield first, first + max(count, 1) - 1


def innermost(definitions: Sequence[Definition]) -> Iterator[Definition]:
    """The definitions that have no other one inside them."""
    for one in definitions:
        if not any(
            other != one and one.line <= other.line and other.last <= one.last for other in definitions
        ):
            yield one


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path, help="a repository or, with --tasks, a folder of them")
    parser.add_argument("--commits", type=int, default=40, help="the newest commits to judge by")
    parser.add_argument("--tasks", type=Path, help="a list of commits")
    options = parser.parse_args()
    tasks = list(
        tasks_of(options.path, options.commits)
        if options.tasks is None
        else tasks_in(options.path, options.tasks)
    )
    with ContextStore.open() as store:
        total: list[Judged] = []
        for root in dict.fromkeys(task.root for task in tasks):
            index = CodeIndex(store._runtime.database, root)
            judged = [one for task in tasks if task.root == root and (one := judge(index, task))]
            show(root.name, judged)
            total += judged
        if len({task.root for task in tasks}) > 1:
            show("all", total)


def show(name: str, judged: Sequence[Judged]) -> None:
    """Prints the means."""
    if judged:
        known = [one.definitions for one in judged if one.definitions is not None]
        print(
            f"{name}: {len(judged)} tasks; top 5 {fmean(one.top_5 for one in judged):.3f}, "
            f"top 10 {fmean(one.top_10 for one in judged):.3f}, "
            f"in the map {fmean(one.in_map for one in judged):.3f} of files, {fmean(known or [0]):.3f} of definitions"
        )


if __name__ == "__main__":
    main()
