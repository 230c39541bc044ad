"""Files below a project's root: read without leaving it, and replaced only as they were last seen."""

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from backstory.domain.errors import AccessDenied, Conflict, InvalidInput, NotFound, Refused
from backstory.infrastructure.file_tree import FileTree

_SKIPPED = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv"})
"""Folders that a scan does not look into."""


class ProjectFile(NamedTuple):
    """A file as it was read."""

    path: str
    """Its path below the root, with slashes."""
    data: bytes
    modified: datetime

    @property
    def digest(self) -> str:
        """SHA-256 of its bytes."""
        return digest_of(self.data)


def digest_of(data: bytes) -> str:
    """SHA-256 of some bytes."""
    return hashlib.sha256(data).hexdigest()


def allowed_root(root: Path | str, allowed: Sequence[Path] | None) -> Path:
    """The folder, resolved. Refuses one that is none, and one that is in none of the allowed folders; None allows
    all."""
    if not isinstance(root, str | Path) or not str(root).strip():
        raise InvalidInput("root", f"must be the path of a folder, got {root!r}")
    try:
        resolved = Path(root).expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        if allowed is not None:
            raise _outside(root) from None
        reason = getattr(error, "strerror", None) or "is no path"
        raise InvalidInput("root", f"{str(root)!r}: {reason}") from None
    if allowed is not None and not any(resolved.is_relative_to(one) for one in allowed):
        raise _outside(root)
    if not resolved.is_dir():
        raise InvalidInput("root", f"must be a folder, {str(root)!r} is a file")
    return resolved


def read_below(root: Path, path: str, most: int) -> ProjectFile:
    """The file at a path below a root. Nothing outside the root is read, wherever a link on the way leads."""
    parts = _inside(root, path)
    try:
        descriptor = _opened(root, parts)
    except FileNotFoundError:
        raise NotFound(f"{path!r} is not there any more.") from None
    except OSError as error:
        raise Refused(f"{path!r} cannot be read: {error.strerror}.") from None
    try:
        facts = os.fstat(descriptor)
        if stat.S_ISDIR(facts.st_mode):
            raise Refused(f"{path!r} is a folder.")
        if not stat.S_ISREG(facts.st_mode):
            raise Refused(f"{path!r} is no plain file.")
        if facts.st_size > most:
            raise Refused(f"{path!r} has {facts.st_size:,} bytes, and at most {most:,} are loaded.")
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(most + 1)
    finally:
        os.close(descriptor)
    if len(data) > most:
        raise Refused(f"{path!r} has more than {most:,} bytes.")
    return ProjectFile(path, data, datetime.fromtimestamp(int(facts.st_mtime), UTC))


def checked_patterns(field: str, patterns: Sequence[str]) -> Sequence[str]:
    """Globs that stay below a root."""
    for pattern in patterns:
        if not isinstance(pattern, str) or not pattern:
            raise InvalidInput(field, "must have globs, such as 'ideas/*/current.md'")
        if PurePosixPath(pattern).is_absolute() or ".." in PurePosixPath(pattern).parts:
            raise InvalidInput(field, f"must stay below the root, got {pattern!r}")
    return patterns


def matching(root: Path, patterns: Sequence[str]) -> Iterator[str]:
    """The paths of files below a root that fit one of some globs, in order, each once."""
    found: dict[str, None] = {}
    for pattern in checked_patterns("patterns", patterns):
        try:
            paths = sorted(root.glob(pattern))
        except (ValueError, NotImplementedError, IndexError, OSError) as error:
            raise InvalidInput("patterns", f"{pattern!r} is no glob: {error}") from None
        for path in paths:
            name = path.relative_to(root)
            if not _SKIPPED.intersection(name.parts[:-1]) and not path.is_dir():
                found[name.as_posix()] = None
    yield from found


def replace_below(root: Path, path: str, data: bytes, expected: str | None) -> None:
    """Writes a file as a whole if its bytes have this digest, or if there is none and none is expected. Whoever wrote
    it in between keeps what was written, and it is refused."""
    _inside(root, path)
    tree = FileTree(root)
    before = tree.read(path)
    if before == data:
        return
    if (None if before is None else digest_of(before)) != expected:
        raise Refused(f"{path!r} has changed on disk since it was read; load it again first.")
    try:
        displaced = tree.swap(path, data)
    except FileExistsError:
        raise Conflict(f"{path!r} was written by somebody else meanwhile.") from None
    if displaced is None:
        return
    if tree.read(displaced) == before:
        tree.discard(displaced)
        return
    os.replace(root / displaced, root / path)
    raise Conflict(f"{path!r} was written by somebody else meanwhile.")


def _inside(root: Path, path: str) -> tuple[str, ...]:
    """The parts of the path that a file really has below the root."""
    try:
        real = Path(os.path.realpath(root / path))
        return real.relative_to(root).parts
    except ValueError:
        raise Refused(f"{path!r} leads out of the project's root.") from None


def _opened(root: Path, parts: Sequence[str]) -> int:
    """Opens a file part by part, so that no folder on the way can become a link meanwhile."""
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    for place, part in enumerate(parts):
        last = place == len(parts) - 1
        kind = os.O_NONBLOCK if last else os.O_DIRECTORY
        try:
            inner = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | kind, dir_fd=folder)
        finally:
            os.close(folder)
        folder = inner
    return folder


def _outside(root: object) -> AccessDenied:
    return AccessDenied(
        f"root: {str(root)!r} is in no folder that the operator has listed in BACKSTORY_ALLOWED_ROOTS."
    )
