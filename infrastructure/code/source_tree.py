"""The code files of a folder and their digests: as git lists them or, without it, as they lie on disk."""

import hashlib
import os
import stat
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from backstory.domain.code.languages import LARGEST, LeftOut, language_of, refusal_by_path
from backstory.domain.errors import NotFound
from backstory.infrastructure.code.git import fields, git

_LINK, _SUBMODULE = "120000", "160000"


@dataclass(frozen=True)
class SourceTree:
    """The code files of a folder."""

    root: Path
    digests: Mapping[str, str]
    """The digest of each file by its path: git's, of the bytes alone."""
    left_out: tuple[LeftOut, ...] = ()
    commit: str | None = None
    """The newest commit; None without git."""
    prefix: str = ""
    """The folder's path in its repository, ending with a slash."""

    def read(self, paths: Collection[str]) -> Iterator[tuple[str, bytes]]:
        """The bytes of files, of those that are still there."""
        for path in paths:
            data = read_file(self.root, path)
            if data is not None:
                yield path, data


@dataclass(frozen=True)
class CommitTree(SourceTree):
    """The code files of a commit."""

    def read(self, paths: Collection[str]) -> Iterator[tuple[str, bytes]]:
        """The bytes of files."""
        digests = "\n".join(self.digests[path] for path in paths)
        output = git(self.root, "cat-file", "--batch", given=digests.encode()) or b""
        at = 0
        for path in paths:
            end = output.index(b"\n", at)
            size = int(output[at:end].split()[2])
            yield path, output[end + 1 : end + 1 + size]
            at = end + size + 2


def read_tree(root: Path) -> SourceTree:
    """The code files of a folder now."""
    listed = git(root, "ls-files", "-z", "-s")
    others = git(root, "ls-files", "-z", "--others", "--exclude-standard")
    if listed is None or others is None or not listed + others:
        # No repository, or a folder that a repository ignores, such as that of an installed package.
        return _walked(root)
    changed = set(fields(git(root, "diff-files", "-z", "--name-only", "--relative", "--no-ext-diff") or b""))
    digests: dict[str, str] = {}
    left_out: list[LeftOut] = []
    pending = fields(others)
    for entry in fields(listed):
        facts, path = entry.split("\t", 1)
        mode, digest, _ = facts.split()
        if mode in (_LINK, _SUBMODULE) or not _is_wanted(path, left_out):
            continue
        if path in changed:
            pending = [*pending, path]
        else:
            digests[path] = digest
    for path in pending:
        if path not in digests and language_of(path) is not None:
            _add(root, path, digests, left_out)
    commit = git(root, "rev-parse", "HEAD")
    prefix = git(root, "rev-parse", "--show-prefix") or b""
    return SourceTree(
        root,
        digests,
        tuple(left_out),
        None if commit is None else commit.decode().strip(),
        os.fsdecode(prefix.strip(b"\n")),
    )


def read_commit(root: Path, commit: str) -> CommitTree:
    """The code files of a commit of a repository. Raises NotFound where there is none."""
    listed = git(root, "ls-tree", "-r", "-z", "--full-tree", commit)
    if listed is None:
        raise NotFound(f"there is no commit {commit} in {root}.")
    digests: dict[str, str] = {}
    left_out: list[LeftOut] = []
    for entry in fields(listed):
        facts, path = entry.split("\t", 1)
        mode, _, digest = facts.split()
        if mode not in (_LINK, _SUBMODULE) and _is_wanted(path, left_out):
            digests[path] = digest
    return CommitTree(root, digests, tuple(left_out), commit)


def read_file(root: Path, path: str) -> bytes | None:
    """The bytes of a file below a folder, up to one more than may be read; None where it is gone or no plain file.
    Links are not followed, neither its own nor one on the way to it."""
    try:
        if os.path.realpath(root / path) != os.path.join(os.path.realpath(root), os.path.normpath(path)):
            return None
        handle = os.open(root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError):
        return None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        try:
            return file.read(LARGEST + 1)
        except OSError:
            return None


def digest_of(data: bytes) -> str:
    """The digest that git gives to a file with these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _walked(root: Path) -> SourceTree:
    digests: dict[str, str] = {}
    left_out: list[LeftOut] = []
    for path in _paths(root):
        _add(root, path, digests, left_out)
    return SourceTree(root, digests, tuple(left_out))


def _paths(root: Path) -> Iterator[str]:
    """The code files below a folder that no .gitignore leaves out."""
    from pathspec import GitIgnoreSpec

    rules: dict[str, GitIgnoreSpec] = {}
    for folder, folders, names in os.walk(root):
        place = os.path.relpath(folder, root)
        place = "" if place == "." else place + "/"
        if ".gitignore" in names:
            text = (read_file(root, f"{place}.gitignore") or b"").decode("utf-8", "replace")
            rules[place] = GitIgnoreSpec.from_lines(text.splitlines())

        def ignored(path: str) -> bool:
            above = [base for base in rules if path.startswith(base)]
            return any(rules[base].match_file(path[len(base) :]) for base in above)

        folders[:] = sorted(name for name in folders if name != ".git" and not ignored(f"{place}{name}/"))
        for name in sorted(names):
            path = place + name
            if language_of(path) is not None and not ignored(path):
                yield path


def _is_wanted(path: str, left_out: list[LeftOut]) -> bool:
    if language_of(path) is None:
        return False
    reason = refusal_by_path(path)
    if reason is not None:
        left_out.append(LeftOut(path, reason))
    return reason is None


def _add(root: Path, path: str, digests: dict[str, str], left_out: list[LeftOut]) -> None:
    if not _is_wanted(path, left_out):
        return
    data = read_file(root, path)
    if data is None:
        # Gone meanwhile, or a link: git does not list what it points to either.
        return
    if len(data) > LARGEST:
        left_out.append(LeftOut(path, f"larger than {LARGEST:,} bytes"))
    else:
        digests[path] = digest_of(data)
