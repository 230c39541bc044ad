"""Checkpoints outside the database: a checkpoint as a file, and the files of the work as a checkpoint knows them."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self
from uuid import UUID

from pydantic import ValidationError

from backstory.application.transfer.files import opened
from backstory.application.transfer.lines import CheckpointLine, decode
from backstory.domain.errors import InvalidInput
from backstory.domain.values import Value, from_microseconds, label


class CheckpointFile(Value):
    """A checkpoint with everything it holds. Its file is an export of the session that begins with it, so that it can
    be audited without a database, and restored into another one."""

    session: UUID
    version: int
    """The version that it names."""
    taken_at: datetime
    chain: str
    """The chain's hash at that version: it vouches for everything before it."""
    name: str
    timestamp: str
    """The time at which it occurred."""
    triggers: tuple[str, ...]
    context_snapshot: dict[str, Any]
    """The whole state, its digest, and the texts that it names, by place."""
    system_state: dict[str, Any]
    """Project, layer, clarity, phase, agents and files in focus."""
    task_queue: tuple[dict[str, Any], ...]
    """Open tasks with their texts, criteria and dependencies, in the order in which they were started."""
    completed_tasks: tuple[str, ...]
    metrics: dict[str, int]
    conversation_history: tuple[dict[str, Any], ...]
    """The messages and summaries in the window, each one shortened. The file has the whole record besides."""
    file_checksums: dict[str, str]

    @classmethod
    def of(cls, line: CheckpointLine) -> Self:
        """The checkpoint of an export's line."""
        return cls.model_validate(
            {
                **line.document,
                "session": line.session,
                "version": line.checkpoint,
                "taken_at": from_microseconds(line.taken),
                "chain": line.chain,
            }
        )

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Reads what a file says. `audit_export` compares it with the record in the file."""
        with opened(path) as file:
            try:
                line = decode(next(islice(file.lines(), 1, None)).data)
                if isinstance(line, CheckpointLine):
                    return cls.of(line)
            except (StopIteration, ValueError, ValidationError):
                pass
        raise InvalidInput("checkpoint", f"{str(path)!r} is not the file of a checkpoint")


def file_name(taken_at: datetime) -> str:
    """The name of a checkpoint's file: ``checkpoint_<time>.jsonl``, with a time that any file system takes."""
    return f"checkpoint_{taken_at.astimezone(UTC):%Y%m%dT%H%M%S.%fZ}.jsonl"


class FileDifference(NamedTuple):
    """A file that is not on disk as the checkpoint knows it. `kind` is `changed`, `missing`, `unreadable`, or
    `unknown` where the checksum is in a notation that cannot be computed here."""

    path: str
    kind: Literal["changed", "missing", "unreadable", "unknown"]
    expected: str
    found: str | None = None


def file_checksums(paths: Iterable[str], root: Path | str) -> dict[str, str]:
    """The checksums of those files below a directory that are there, by the paths as they were given."""
    found = {}
    for path in dict.fromkeys(paths):
        label("files", path)
        try:
            found[path] = f"sha256:{_digest(Path(root) / path, 'sha256')}"
        except OSError:
            continue
    return found


def file_differences(checksums: Mapping[str, str], root: Path | str) -> tuple[FileDifference, ...]:
    """The files that differ from their checksums."""
    found = []
    for path, expected in sorted(checksums.items()):
        wanted = _notation(expected)
        if wanted is None:
            found.append(FileDifference(path, "unknown", expected))
            continue
        algorithms, digest = wanted
        try:
            actual = [_digest(Path(root) / path, algorithm) for algorithm in algorithms]
        except FileNotFoundError:
            found.append(FileDifference(path, "missing", expected))
        except OSError:
            found.append(FileDifference(path, "unreadable", expected))
        else:
            if digest not in actual:
                found.append(FileDifference(path, "changed", expected, f"{algorithms[0]}:{actual[0]}"))
    return tuple(found)


_NAMED = re.compile(r"(?i)(md5|sha1|sha224|sha256|sha384|sha512|blake2b)[:=]([0-9a-f]+)")
_BARE = {32: ("md5",), 40: ("sha1", "git"), 64: ("sha256",), 128: ("sha512",)}
"""What a checksum without a name may be, by its length. Git's own is SHA-1 with a head before the file."""


def _notation(checksum: str) -> tuple[tuple[str, ...], str] | None:
    if named := _NAMED.fullmatch(checksum):
        return (named[1].lower(),), named[2].lower()
    if re.fullmatch(r"[0-9a-fA-F]+", checksum) and len(checksum) in _BARE:
        return _BARE[len(checksum)], checksum.lower()
    return None


def _digest(path: Path, algorithm: str) -> str:
    if not path.is_file():
        # A device or a pipe could be read for ever.
        raise FileNotFoundError(path) if not path.exists() else IsADirectoryError(path)
    hashed = hashlib.new("sha1" if algorithm == "git" else algorithm, usedforsecurity=False)
    if algorithm == "git":
        hashed.update(f"blob {path.stat().st_size}\0".encode())
    with path.open("rb") as file:
        while piece := file.read(2**20):
            hashed.update(piece)
    return hashed.hexdigest()
