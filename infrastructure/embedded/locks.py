"""The two locks of an embedded server, both the kernel's: whoever dies lets go of them."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backstory.domain.errors import ServerUnavailable

POLL_INTERVAL = 0.02  # seconds

# A fork in another thread would carry a held lock into a process that knows nothing of it and never lets go.
_open_descriptors: set[int] = set()


def _close_after_fork() -> None:
    while _open_descriptors:
        os.close(_open_descriptors.pop())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_after_fork)


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    descriptor = os.open(path, flags, 0o600)
    _open_descriptors.add(descriptor)
    try:
        yield descriptor
    finally:
        # Gone from the set in a child that was forked meanwhile: there it is closed, and the number may be
        # reused.
        if descriptor in _open_descriptors:
            _open_descriptors.discard(descriptor)
            os.close(descriptor)


@contextmanager
def alone(base: Path, deadline: float) -> Iterator[None]:
    """One process, and one thread in it, at a time makes, starts or stops the server below this folder."""
    import fcntl

    with _opened(base / "lock", os.O_RDWR | os.O_CREAT) as descriptor:
        if (
            os.geteuid() == 0
        ):  # root may come first to another user's server, who must be able to lock it later
            owner = base.stat()
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise ServerUnavailable(
                        f"another process has been starting or stopping the server in {base} for too long"
                    ) from None
                time.sleep(POLL_INTERVAL)
        yield


@contextmanager
def claim(data_directory: Path) -> Iterator[int | None]:
    """A lock on the data directory for the server to inherit, or None while any process of a server lives.

    Every process of a server keeps the descriptor it was started with. So the kernel knows what no pid file
    can tell: that all of them are gone, whatever killed them, also when they ran in another container on the
    same volume. Here it is closed and never unlocked: unlocking would take it from the server too.
    """
    import fcntl

    with _opened(data_directory, os.O_RDONLY) as descriptor:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held: int | None = descriptor
        except BlockingIOError:
            held = None
        except OSError:
            held = descriptor  # a file system that cannot lock folders: Postgres's own checks remain
        yield held
