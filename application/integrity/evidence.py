"""Checks of the tables beside the log: contents, idempotency keys, snapshots."""

import hashlib
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from psycopg.rows import dict_row

from backstory.application.contents.batching import in_batches
from backstory.application.integrity.findings import IntegrityError
from backstory.application.runtime import Runtime
from backstory.domain.log.references import PLAIN_TEXT, digest
from backstory.domain.records import Place
from backstory.domain.state import ContextState
from backstory.infrastructure.postgres.queries import query

GROUP_BYTES = 8 * 2**20
"""Bytes of contents held at once. A larger content is held alone."""
BATCH = 1000
BEFORE_ALL = -(2**31) - 1
"""Below every version and item that a row can have."""
LARGE = 1024
"""Contents of more bytes than this are stored once a stream, and found again by their fingerprint."""


def read(runtime: Runtime, table: str, text: bytes, *parameters: Any) -> list[Any]:
    """Reads rows of a table."""
    with _readable(table):
        return runtime.database.read(lambda c: c.execute(text, parameters, binary=True).fetchall())


def read_named(runtime: Runtime, table: str, text: bytes, *parameters: Any) -> list[dict[str, Any]]:
    """Reads rows of a table as dictionaries."""
    with _readable(table):
        return runtime.database.read(
            lambda c: c.cursor(binary=True, row_factory=dict_row).execute(text, parameters).fetchall()
        )


@contextmanager
def _readable(table: str) -> Iterator[None]:
    """Reports a value that the driver cannot read: somebody else wrote it."""
    try:
        yield
    except psycopg.DataError:
        raise IntegrityError(table, "holds a value that cannot be read") from None


class _ContentRow(NamedTuple):
    """A row of contents, without its bytes."""

    version: int
    part: int
    media_type: str
    salt: bytes
    fingerprint: bytes | None
    shared_version: int | None
    shared_part: int | None
    size: int | None

    @property
    def where(self) -> str:
        return f"contents, version {self.version} part {self.part}"

    @property
    def holder(self) -> Place:
        """The content that has the bytes."""
        if self.shared_version is None or self.shared_part is None:
            return (self.version, self.part)
        return (self.shared_version, self.shared_part)


class ContentCheck:
    """Checks that every content named by an event is there with its sealed bytes, or was erased by an event that says
    so; and that there are no others."""

    def __init__(self, runtime: Runtime, stream: UUID, whose: str = "") -> None:
        self._runtime = runtime
        self._stream = stream
        self._whose = whose
        self._digests: dict[Place, str] = {}
        self.missing: set[Place] = set()
        self.erased: set[Place] = set()
        self.checked = 0

    def load(self, first: int, last: int) -> None:
        """Reads and hashes the contents of a range of versions."""
        rows = read(self._runtime, "contents", query("contents_without_bytes"), self._stream, first, last)
        self._digests = {}
        sharing: dict[Place, list[_ContentRow]] = {}
        for row in map(_ContentRow._make, rows):
            if (row.size is None) != (row.shared_version is not None) or (row.shared_version is None) != (
                row.shared_part is None
            ):
                raise self._error(row.where, "must have bytes of its own or share those of another content")
            sharing.setdefault(row.holder, []).append(row)
        for holder, data in self._bytes(sharing):
            for row in sharing[holder]:
                self._hash(row, data)

    def _bytes(self, sharing: dict[Place, list[_ContentRow]]) -> Iterator[tuple[Place, bytes]]:
        """The bytes at these places, few at a time."""
        rows = self._at(query("content_sizes_at"), [*sharing])
        sizes = {(version, part): size for version, part, size in rows}
        for holder, sharers in sharing.items():
            if sizes.get(holder) is None:
                raise self._error(sharers[0].where, "shares the bytes of a content that is not there")
        for group in in_batches(sharing, lambda holder: sizes[holder], GROUP_BYTES):
            for version, part, data in self._at(query("content_bytes_at"), group):
                yield (version, part), data

    def _at(self, text: bytes, places: list[Place]) -> list[Any]:
        if not places:
            return []
        versions, parts = [place[0] for place in places], [place[1] for place in places]
        return read(self._runtime, "contents", text, versions, parts, self._stream)

    def _hash(self, row: _ContentRow, data: bytes) -> None:
        own = row.shared_version is None
        fingerprint = hashlib.sha256(data).digest() if own and len(data) > LARGE else None
        if row.fingerprint != fingerprint:
            raise self._error(row.where, "has a fingerprint that is not of its bytes")
        self._digests[row.version, row.part] = f"{row.media_type} {digest(row.salt, row.media_type, data)}"

    def check(self, version: int, named: Iterator[dict[str, Any]]) -> None:
        """Checks the contents of one event against the references in its payload."""
        for reference in named:
            part = reference.get("part", 0)
            stored = self._digests.pop((version, part), None)
            if stored is None:
                self.missing.add((version, part))
            elif stored != f"{reference.get('media_type', PLAIN_TEXT)} {reference['sha256']}":
                where = f"contents, version {version} part {part}"
                raise self._error(where, "does not match the digest in its event")
            else:
                self.checked += 1

    def finish_batch(self) -> None:
        """Ends a range: no content may be left over."""
        for version, part in self._digests:
            raise self._error(f"contents, version {version} part {part}", "is named by no event")

    def finish(self) -> None:
        """Ends the stream: what is missing must have been erased, and nothing else."""
        for version, part in sorted(self.erased - self.missing):
            raise self._error(f"contents, version {version} part {part}", "is there although it was erased")
        for version, part in sorted(self.missing - self.erased):
            raise self._error(
                f"contents, version {version} part {part}", "is missing, and no event says that it was erased"
            )
        for version, part in read(self._runtime, "contents", query("content_without_event"), self._stream):
            raise self._error(f"contents, version {version} part {part}", "is named by no event")

    def _error(self, where: str, what: str) -> IntegrityError:
        return IntegrityError(where + self._whose, what)


class SnapshotCheck:
    """Checks that every snapshot that reads would use equals the fold. Holds one at a time."""

    def __init__(self, runtime: Runtime, stream: UUID) -> None:
        self._runtime = runtime
        self._key = (stream, runtime.reader.fold_version)
        self._left = {row[0] for row in read(runtime, "snapshots", query("snapshot_versions"), *self._key)}

    def compare(self, state: ContextState) -> None:
        if state.version not in self._left:
            return
        self._left.remove(state.version)
        where = f"snapshots, version {state.version}"
        ((data,),) = read(self._runtime, "snapshots", query("snapshot_at"), *self._key, state.version)
        try:
            snapshot = ContextState.decode(data)
        except (LookupError, TypeError, ValueError, AttributeError):
            raise IntegrityError(where, "cannot be read") from None
        if snapshot != state:
            raise IntegrityError(where, "differs from the fold of the log")

    def finish(self) -> None:
        for version in sorted(self._left):
            raise IntegrityError(f"snapshots, version {version}", "belongs to no event")


def check_appends(runtime: Runtime, stream: UUID) -> None:
    """Checks that each idempotency key's row is the one its append wrote. A missing row cannot be detected."""
    last = None
    while True:
        rows = read(runtime, "appends", query("appends_after"), stream, last, last, BATCH)
        for key, first, fingerprint, proof, chain in rows:
            sealed = (chain or b"") + struct.pack(">i", first) + key.encode() + fingerprint
            # Of a fixed length, or bytes could be moved between it and the key.
            if chain is None or len(fingerprint) != 32 or proof != hashlib.sha256(sealed).digest():
                raise IntegrityError(f"appends, key {key!r}", "is not what its append wrote")
        if len(rows) < BATCH:
            return
        last = rows[-1][0]
