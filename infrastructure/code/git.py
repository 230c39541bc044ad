"""Reads of git, which may be missing, and whose settings may be hostile."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

# A repository's own settings can name programs to run; none of these is needed to read it.
_SAFE = tuple(
    word
    for setting in (
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "diff.external=",
        "log.showSignature=false",
    )
    for word in ("-c", setting)
)
_PATIENCE = 60.0


def git(root: Path, *arguments: str, given: bytes | None = None) -> bytes | None:
    """The output of a git command in a folder; None where git is missing, refuses, or takes too long."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", *_SAFE, "-C", os.fspath(root), *arguments],
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            capture_output=True,
            env=environment,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def fields(output: bytes) -> Sequence[str]:
    """The parts of an output with `-z`. Paths need not be UTF-8."""
    return [os.fsdecode(part) for part in output.split(b"\0") if part]
