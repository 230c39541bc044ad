"""The commits of a repository: messages and the files they touched."""

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from backstory.infrastructure.code.git import git

MOST_COMMITS = 5_000
"""The newest commits that are read. Those of the last 1,000 tell nearly as much."""
MOST_FILES = 200
"""Files of a commit that are noted. One that touched more tells of none of them."""


class Commit(NamedTuple):
    """A commit that is no merge."""

    id: str
    message: str
    files: tuple[str, ...]
    """The files that it touched, by their paths in the repository."""


def commit_ids(root: Path, newest: str) -> list[str]:
    """The newest commits that are no merges, the newest first."""
    listed = git(root, "rev-list", "--no-merges", f"--max-count={MOST_COMMITS}", newest)
    return [] if listed is None else listed.decode().split()


def read_commits(root: Path, ids: Collection[str]) -> Iterator[Commit]:
    """The commits with these ids."""
    if not ids:
        return
    output = git(
        root,
        "log",
        "--no-walk=unsorted",
        "--stdin",
        "--no-renames",
        "--root",
        "--no-ext-diff",
        "--name-only",
        "-z",
        "--format=%x01%H%x02%B%x02",
        given="\n".join(ids).encode(),
    )
    for record in (output or b"").split(b"\x01")[1:]:
        id, _, rest = record.partition(b"\x02")
        message, _, names = rest.rpartition(b"\x02")
        files = [os.fsdecode(name.lstrip(b"\n")) for name in names.split(b"\0")]
        files = [name for name in files if name]
        yield Commit(
            id.decode(),
            message.decode("utf-8", "replace"),
            tuple(files) if len(files) <= MOST_FILES else (),
        )
