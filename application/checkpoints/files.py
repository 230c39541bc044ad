"""Checkpoints outside the database: a checkpoint as a file, and the files of the work as a checkpoint knows them."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple
from uuid import UUID

from pydantic import Field, ValidationError

from backstory.domain.errors import InvalidInput
from backstory.domain.events import CheckpointTaken
from backstory.domain.values import Value, label

MOST_FILE_BYTES = 16 * 2**20
"""A checkpoint is a pointer with a few numbers; a larger file is something else."""


class CheckpointFile(Value):
    """A checkpoint as it is kept in a file: a pointer to the record, with all that a restore is held to."""

    format: Literal["backstory-checkpoint"] = "backstory-checkpoint"
    format_version: Literal[1] = 1
    session: UUID
    version: int = Field(ge=1)
    """The version that it names."""
    taken_at: datetime
    chain: str = Field(pattern="^[0-9a-f]{64}$")
    """The chain's hash at that version: it vouches for everything before it."""
    checkpoint: CheckpointTaken
    """What the record says of it."""

    @property
    def name(self) -> str:
        """The name of the file: ``checkpoint_<time>.json``, with a time that any file system takes."""
        return f"checkpoint_{self.taken_at.astimezone(UTC):%Y%m%dT%H%M%S.%fZ}.json"

    def save(self, directory: Path | str) -> Path:
        """Writes it to a directory, whole or not at all."""
        target = Path(directory) / self.name
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_name(f".{target.name}.{os.getpid()}")
        unfinished.write_text(
            json.dumps(self.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n", "utf-8"
        )
        unfinished.replace(target)
        return target

    @classmethod
    def load(cls, path: Path | str) -> "CheckpointFile":
        """Reads one. A file that is no checkpoint is refused, with the field that is wrong."""
        source = Path(path)
        try:
            if source.stat().st_size > MOST_FILE_BYTES:
                raise InvalidInput("checkpoint", f"{source} is too large to be a checkpoint")
            document: Any = json.loads(source.read_bytes())
        except OSError as error:
            raise InvalidInput("checkpoint", f"cannot read {source}: {error.strerror}") from None
        except (ValueError, RecursionError):
            raise InvalidInput("checkpoint", f"{source} is not JSON") from None
        try:
            return cls.model_validate_json(json.dumps(document))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            field = ".".join(str(part) for part in first["loc"]) or "checkpoint"
            raise InvalidInput(field, f"{first['msg']} in {source}") from None


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
    """Which files are not as these checksums say."""
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
