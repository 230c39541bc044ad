"""The project of a session, from the folder that was worked in: its git remote or its root, and never a folder's last
name, which many projects share."""

import os
import re
import subprocess
from functools import lru_cache
from pathlib import Path

from backstory.domain.values import is_label

_SECONDS = 3
"""The most that git may take."""
_WORKTREES = re.compile(r"(?P<above>.*[^/])/(?:\.[^/]+/worktrees|\.worktrees)/.+")
_LIKE_SSH = re.compile(r"(?:[^@/]+@)?(?P<host>[^:/]+):(?P<path>(?!//).+)")
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*://(?:[^@/]*@)?(?P<host>[^:/]*)(?::\d+)?/(?P<path>.+)", re.IGNORECASE
)


@lru_cache(maxsize=1000)
def project_of(cwd: str, *, here: bool = True) -> str | None:
    """The project in a folder: the host and the path of its git remote `origin`, else the folder with the repository,
    else the folder itself. Only a folder `here`, on this machine, is looked into. Somebody's home is no project."""
    folder = cwd.replace("\\", "/").rstrip("/")
    found = _WORKTREES.fullmatch(folder)
    if found is not None and not re.fullmatch(r"/(?:home|Users)/[^/]+", found["above"]):
        folder = found["above"]
    name = (_git_project(folder) if here else None) or folder
    return name if is_label(name) and name != str(Path.home()) else None


def _git_project(folder: str) -> str | None:
    if not os.path.isabs(folder) or not os.path.isdir(folder):
        return None
    remote = _git(folder, "remote", "get-url", "origin")
    if remote:
        return without_credentials(remote)
    # Of a worktree too it is the folder with the repository.
    common = _git(folder, "rev-parse", "--path-format=absolute", "--git-common-dir")
    if common and common.endswith("/.git"):
        return common.removesuffix("/.git")
    return _git(folder, "rev-parse", "--show-toplevel")


def without_credentials(remote: str) -> str:
    """A remote's host and path, alike for every way to reach it."""
    found = _ADDRESS.fullmatch(remote) or _LIKE_SSH.fullmatch(remote)
    host, path = (found["host"].lower(), found["path"]) if found is not None else ("", remote)
    path = path.rstrip("/").removesuffix(".git")
    return f"{host}/{path.lstrip('/')}" if host else path


def _git(folder: str, *words: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", folder, *words],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
            timeout=_SECONDS,
            check=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout.decode(errors="replace").strip() or None
