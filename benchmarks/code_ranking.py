"""How much of what a commit touches is found from its message: files, and what a map of 1,000 tokens shows.

Of this repository's own commits and, where BACKSTORY_CODE_REPOS names a folder with clones (`owner+name`), of the
repositories in ../shared/data/code-tasks-dev.json. Also the speed of the index.
"""

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory

from backstory import ContextStore
from backstory.application.code.code_index import CodeIndex
from backstory.infrastructure.llm.tokens import count_tokens
from benchmarks.goals import Row
from scripts.judge_code import Judged, Task, judge, tasks_in, tasks_of

ROOT = Path(__file__).parents[1]
LISTED = ROOT.parent / "shared" / "data" / "code-tasks-dev.json"
GOALS = (0.72, 0.80, 0.90, 0.70)
MOST_FIRST, MOST_AGAIN, MOST_MAP = 15.0, 0.5, 0.1
SIZE = 1_000
"""Files of the repository whose index is timed."""


def code_rows(url: str, *, quick: bool) -> Iterator[Row]:
    """Rows for each repository, for all of them, and for the speed of the index."""
    with ContextStore.open(url) as store:
        tasks = list(tasks_of(ROOT, 10 if quick else 40))
        yield _row("this repository", _judged(store, tasks))
        folder = os.environ.get("BACKSTORY_CODE_REPOS")
        if folder is not None and LISTED.exists():
            listed = [task for task in tasks_in(Path(folder), LISTED) if task.root.is_dir()]
            found: list[Judged] = []
            for root in dict.fromkeys(task.root for task in listed):
                own = [task for task in listed if task.root == root][: 10 if quick else None]
                judged = _judged(store, own)
                found += judged
                yield _row(root.name, judged)
            if found:
                yield _row("all of them", found)
        yield from _speed(store)


def _judged(store: ContextStore, tasks: Sequence[Task]) -> list[Judged]:
    index = CodeIndex(store._runtime.database, tasks[0].root) if tasks else None
    return [] if index is None else [one for task in tasks if (one := judge(index, task))]


def _row(what: str, judged: Sequence[Judged]) -> Row:
    known = [one.definitions for one in judged if one.definitions is not None]
    shares = (
        fmean(one.top_5 for one in judged),
        fmean(one.top_10 for one in judged),
        fmean(one.in_map for one in judged),
        fmean(known) if known else 0.0,
    )
    return Row(
        f"{what}, {len(judged)} commits: top 5, top 10, map: files, definitions",
        ", ".join(f"{share:.2f}" for share in shares),
        ", ".join(f"≥ {goal}" for goal in GOALS),
        all(round(share, 2) >= goal for share, goal in zip(shares, GOALS, strict=True)),
    )


def _speed(store: ContextStore) -> Iterator[Row]:
    """The index of a copy of this repository with no more than a thousand files."""
    with TemporaryDirectory() as folder:
        root = Path(folder) / "copy"
        subprocess.run(["git", "clone", "-q", "--shared", ROOT, root], check=True)
        index = CodeIndex(store._runtime.database, root)
        paths = list(index.refresh().paths)
        for path in paths[SIZE:]:
            (root / path).unlink()
        # Other bytes in every file, so that nothing is known of any.
        for path in paths[:SIZE]:
            with (root / path).open("a") as file:
                file.write("\n# measured\n")
        index = CodeIndex(store._runtime.database, root)
        first = _seconds(index.refresh)
        again = []
        for path in paths[:5]:
            (root / path).write_text((root / path).read_text() + "# changed\n")
            again.append(_seconds(index.refresh))
        base = index.refresh()
        log = subprocess.run(
            ["git", "-C", root, "log", "--format=%s", "-40"], check=True, capture_output=True, text=True
        ).stdout.splitlines()
        maps = [_seconds(lambda said=said: base.repo_map(said, 2_000, count_tokens)) for said in log]
    yield Row(
        f"first index of {SIZE:,} files", f"{first:.1f} s", f"≤ {MOST_FIRST:.0f} s", first <= MOST_FIRST
    )
    yield Row(
        "index after one changed file, p50",
        f"{median(again):.2f} s",
        f"≤ {MOST_AGAIN} s",
        median(again) <= MOST_AGAIN,
    )
    yield Row(
        "map of 2,000 tokens, p50",
        f"{median(maps) * 1000:.0f} ms",
        f"≤ {MOST_MAP * 1000:.0f} ms",
        median(maps) <= MOST_MAP,
    )


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
