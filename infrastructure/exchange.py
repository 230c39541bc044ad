"""The exchange of two files in one step, so that nobody's newer file is overwritten unseen."""

import ctypes
import errno
import os
from functools import cache
from pathlib import Path
from typing import Any

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP}


def exchange(new: Path, path: Path) -> None:
    """Puts the file `new` at `path`, and what stood there at `new`. Raises FileNotFoundError if nothing stood there.

    Without the system call for it, a name is kept for the old file before the new one replaces it. A file that
    somebody renames to `path` in between would be lost: there is no other way to do it there."""
    if _exchanged(new, path):
        return
    aside = new.with_name(f"{new.name}~")
    os.link(path, aside, follow_symlinks=False)
    os.replace(new, path)
    os.replace(aside, new)


def _exchanged(new: Path, path: Path) -> bool:
    call = _system_call()
    if call is None:
        return False
    if call(_AT_FDCWD, os.fsencode(new), _AT_FDCWD, os.fsencode(path), _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(path))


@cache
def _system_call() -> Any:
    try:
        return ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return None
