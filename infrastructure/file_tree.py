"""A folder that programs of ours write whole files to, one at a time."""

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from backstory.domain.errors import InvalidInput, Refused
from backstory.infrastructure.exchange import exchange

TEMPORARY = ".backstory-"
DISPLACED = ".edited-"
"""The beginning of the names of files that others may have written, and that were not looked at yet."""
PATIENCE = 60.0
"""Seconds to wait for another writer of the same folder."""


class FileTree:
    """Files below one folder. Each is replaced as a whole, so a reader sees the old or the new one; one that would not
    change is left alone. Nothing is written through a link that leads out of the folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.written: list[Path] = []
        self.removed: list[Path] = []
        self.unchanged = 0

    @classmethod
    @contextmanager
    def alone(
        cls, directory: Path | str, folders: Sequence[str], patience: float = PATIENCE
    ) -> Iterator["FileTree"]:
        """The tree, for one writer at a time: who comes second must not overwrite what is newer than what he read.
        `folders` are those in it that are written to."""
        root = Path(directory).expanduser()
        with _explained(root):
            if root.exists() and not root.is_dir():
                raise InvalidInput("directory", f"must be a folder, {str(root)!r} is a file")
            root.mkdir(parents=True, exist_ok=True)
            root = root.resolve()
            descriptor = os.open(root, os.O_RDONLY)
        try:
            with _explained(root):
                _lock(descriptor, root, patience)
            tree = cls(root)
            for folder in folders:
                tree._sweep(folder)
            yield tree
        finally:
            os.close(descriptor)

    def write(self, name: str, data: bytes) -> None:
        """Makes a file say this."""
        path = self._place(name)
        with _explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise InvalidInput("directory", f"holds a folder where a file belongs: {str(path)!r}")
            if _read(path) == data:
                self.unchanged += 1
                return
            descriptor, temporary = tempfile.mkstemp(prefix=TEMPORARY, dir=path.parent)
            try:
                with open(descriptor, "wb") as file:
                    file.write(data)
                os.chmod(temporary, 0o666 & ~_umask())
                os.replace(temporary, path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary)
                raise
        self.written.append(path)

    def swap(self, name: str, data: bytes) -> str | None:
        """Makes a file say this, and keeps the file that stood there. Returns its name, for whoever wrote in between:
        nothing is overwritten unseen. None if there was none; FileExistsError if there is one now."""
        path = self._place(name)
        with _explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise InvalidInput("directory", f"holds a folder where a file belongs: {str(path)!r}")
            # A crash leaves it: with this name it is looked at before it goes.
            descriptor, temporary = tempfile.mkstemp(prefix=DISPLACED, dir=path.parent)
            kept = Path(temporary)
            try:
                with open(descriptor, "wb") as file:
                    file.write(data)
                os.chmod(kept, 0o666 & ~_umask())
                try:
                    exchange(kept, path)
                except FileNotFoundError:
                    os.link(kept, path)
                    kept.unlink()
            except FileExistsError:
                kept.unlink(missing_ok=True)
                raise
            self.written.append(path)
            return kept.relative_to(self.root).as_posix() if kept.exists() else None

    def rename(self, name: str, other: str) -> Path:
        """Gives a file another name that no file has."""
        path, target = self._place(name), self._place(other)
        with _explained(path):
            os.link(path, target)
            path.unlink()
        return target

    def discard(self, name: str) -> None:
        """Removes a file that nobody was told of."""
        with _explained(self.root):
            self._place(name).unlink(missing_ok=True)

    def read(self, name: str) -> bytes | None:
        """The bytes of a file; None if there is none, or a link in its place."""
        path = self._place(name)
        with _explained(path):
            return _read(path)

    def owner(self, name: str) -> str | None:
        """The name of the user whose file it is."""
        import pwd

        with suppress(OSError, KeyError):
            return pwd.getpwuid(self._place(name).stat().st_uid).pw_name
        return None

    def remove(self, name: str) -> None:
        """Removes a file, and its folder once that is empty. One that is not there is no error."""
        path = self._place(name)
        with _explained(path):
            if path.is_file() or path.is_symlink():
                path.unlink(missing_ok=True)
                self.removed.append(path)
        with suppress(OSError):
            if path.parent != self.root:
                path.parent.rmdir()

    def names(self, pattern: str) -> list[str]:
        """The files and folders that fit a pattern, as paths below the root."""
        with _explained(self.root):
            return sorted(path.relative_to(self.root).as_posix() for path in self.root.glob(pattern))

    def check(self, names: list[str]) -> None:
        """Refuses names that lead elsewhere, before anything is written."""
        for name in names:
            self._place(name)

    def _place(self, name: str) -> Path:
        path = self.root
        for part in Path(name).parts:
            path /= part
            if path.is_symlink() and not path.resolve().is_relative_to(self.root):
                raise InvalidInput("directory", f"holds a link that leads out of it: {str(path)!r}")
            if path != self.root / name and path.exists() and not path.is_dir():
                raise InvalidInput("directory", f"holds a file where a folder belongs: {str(path)!r}")
        return path

    def _sweep(self, folder: str) -> None:
        """Removes what a writer that was killed has left. Whoever holds the lock is the only one writing."""
        for path in self._place(folder).rglob(f"{TEMPORARY}*"):
            with suppress(OSError):
                path.unlink()


def _read(path: Path) -> bytes | None:
    """The bytes of a file; None if there is none, or a link in its place."""
    try:
        return None if path.is_symlink() else path.read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        return None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _lock(descriptor: int, root: Path, patience: float) -> None:
    import fcntl

    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise Refused(
                    f"another writer has been busy in {str(root)!r} for {patience:.0f} s."
                ) from None
            time.sleep(0.02)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turns an error of the file system into one that names the place."""
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InvalidInput("directory", f"cannot be written, {str(path)!r}: {reason}") from None
    except ValueError as error:
        raise InvalidInput("directory", f"is no path: {error}") from None
