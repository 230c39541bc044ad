"""The parts of a verification: contents, idempotency keys, snapshots, read models."""

import hashlib
import json
import struct
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.core import Core
from backstory.domain.events import ContentErased, decode_body
from backstory.domain.references import digest, references_in
from backstory.domain.state import ContextState
from backstory.infrastructure.log import ContentRow, Head
from backstory.infrastructure.mapper import StoredRow
from backstory.projections import queries
from backstory.projections.base_rows import item_row

Place = tuple[int, int]


class Problem(NamedTuple):
    """The first thing that is wrong, and where."""

    where: str
    what: str


class Broken(Exception):
    """Raised where a check fails."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(where, what)
        self.problem = Problem(where, what)


class ContentCheck:
    """Every content an event names is there with the bytes that were sealed, or was erased by an event that says
    so; and there are no others."""

    def __init__(self, core: Core, stream: UUID) -> None:
        self._core = core
        self._stream = stream
        self._missing: set[Place] = set()
        self._erased: set[Place] = set()
        self._rows: dict[Place, ContentRow] = {}
        self.checked = 0
        self.erased = 0

    def load(self, batch: Sequence[StoredRow]) -> None:
        rows = self._core.log.contents(self._stream, [row.originator_version for row in batch])
        self._rows = {(row.version, row.part): row for row in rows}

    def check(self, row: StoredRow) -> None:
        """One event's contents."""
        version = row.originator_version
        named: set[int] = set()
        if row.schema_version > 0:
            for ref in references_in(json.loads(row.state)):
                part = ref.get("part", 0)
                named.add(part)
                self._check_one(version, part, ref["sha256"], ref.get("media_type", "text/plain"))
        extra = [place for place in self._rows if place[0] == version and place[1] not in named]
        if extra:
            raise Broken(f"contents, version {version} part {extra[0][1]}", "is named by no event")
        body = decode_body(row.topic, row.schema_version, row.state)
        if isinstance(body, ContentErased):
            self._erased.update(body.erased)

    def _check_one(self, version: int, part: int, sha256: str, media_type: str) -> None:
        found = self._rows.get((version, part))
        if found is None:
            self._missing.add((version, part))
            return
        where = f"contents, version {version} part {part}"
        if found.data is None:
            raise Broken(where, "points at a twin that is not there")
        if found.media_type != media_type or digest(found.salt, found.media_type, found.data) != sha256:
            raise Broken(where, "does not match the digest in its event")
        self.checked += 1

    def finish(self, newest: int) -> None:
        for version, part in sorted(self._missing - self._erased):
            raise Broken(f"contents, version {version} part {part}", "is missing and no event says that it was erased")
        for version, part in sorted(self._erased - self._missing):
            raise Broken(f"contents, version {version} part {part}", "is there although it was erased")
        self.erased = len(self._erased)
        row = self._core.database.read(
            lambda c: c.execute(
                "select version, part from backstory.contents where stream_id = %(id)s and ("
                "not exists (select 1 from backstory.events e where e.stream_id = %(id)s "
                "and e.version = contents.version) "
                "or fingerprint is distinct from (case when octet_length(bytes) > 1024 then sha256(bytes) end) "
                "or (bytes is null) <> (twin_version is not null) or (twin_version is null) <> (twin_part is null)) "
                "and version <= %(newest)s order by 1, 2 limit 1",
                {"id": self._stream, "newest": newest},
            ).fetchone()
        )
        if row is not None:
            raise Broken(f"contents, version {row[0]} part {row[1]}", "has a wrong fingerprint or twin, or no event")


def check_appends(core: Core, stream: UUID, newest: int) -> None:
    """Each idempotency key's row is the one that its append wrote."""
    rows = core.database.read(
        lambda c: c.execute(
            "select a.key, a.first_version, a.last_version, a.fingerprint, a.proof, e.chain "
            "from backstory.appends a left join backstory.events e "
            "on e.stream_id = a.stream_id and e.version = a.last_version where a.stream_id = %s and "
            "(a.last_version <= %s or e.version is null) order by a.first_version, a.key",
            (stream, newest),
        ).fetchall()
    )
    for key, first, _last, fingerprint, proof, chain in rows:
        expected = hashlib.sha256((chain or b"") + struct.pack(">i", first) + key.encode() + fingerprint).digest()
        if chain is None or proof != expected:
            raise Broken(f"appends, key {key!r}", "is not what its append wrote")


class SnapshotCheck:
    """Every snapshot that reads would use equals the fold."""

    def __init__(self, core: Core, stream: UUID) -> None:
        self._snapshots: dict[int, bytes] = dict(
            core.database.read(
                lambda c: c.execute(
                    "select version, state from backstory.snapshots where stream_id = %s and fold_version = %s",
                    (stream, core.reader.fold_version),
                ).fetchall()
            )
        )

    def compare(self, state: ContextState) -> None:
        snapshot = self._snapshots.pop(state.version, None)
        if snapshot is None:
            return
        try:
            found = ContextState.decode(snapshot)
        except Exception:
            raise Broken(f"snapshots, version {state.version}", "cannot be read") from None
        live = state.copy()
        live.items = {key: item for key, item in state.items.items() if item.windows}
        if found != live:
            raise Broken(f"snapshots, version {state.version}", "differs from the fold of the log")

    def finish(self) -> None:
        for version in self._snapshots:
            raise Broken(f"snapshots, version {version}", "belongs to no event")


def check_snapshots(core: Core, stream: UUID) -> SnapshotCheck:
    return SnapshotCheck(core, stream)


def check_read_models(core: Core, stream: UUID, head: Head, state: ContextState, first: int) -> None:
    """Items, windows, checkpoints and the stream's own row equal what the fold says. When the session moved on
    while it was read, the read models are ahead of the fold, and the comparison is left to the next check."""
    items = core.database.read(lambda c: c.execute(queries.ITEMS, (stream,)).fetchall())
    windows = core.database.read(lambda c: c.execute(queries.WINDOWS, (stream,)).fetchall())
    marks = core.database.read(
        lambda c: c.execute(
            "select version, name from backstory.checkpoints where stream_id = %s order by version", (stream,)
        ).fetchall()
    )
    if core.log.head(stream) != head:
        return
    branch = core.reader.lineage(stream, head.version)
    expected = {
        item.id: item_row(item) | {"origin": owner if (owner := branch.owner(item.id)) != stream else None}
        for item in state.items.values()
    }
    found = {row[0]: _item_columns(row) for row in items}
    for item in sorted(expected.keys() | found.keys()):
        if item not in found:
            raise Broken(f"items, item {item}", "is missing")
        if item not in expected:
            raise Broken(f"items, item {item}", "was brought by no event of this branch")
        for column, value in expected[item].items():
            if found[item][column] != value:
                raise Broken(f"items.{column}, item {item}", f"is {found[item][column]!r}, the fold says {value!r}")
    _check_windows(windows, state)
    _check_checkpoints(core, stream, marks)
    _check_head(core, stream, head, state, first)


def _item_columns(row: Sequence[Any]) -> dict[str, Any]:
    columns = dict(zip(queries.ITEM_COLUMNS.split(", "), row, strict=True))
    columns["brought_at"] = _iso(columns["brought_at"])
    columns["touched_at"] = _iso(columns["touched_at"])
    return columns


def _iso(time: datetime) -> str:
    return time.astimezone(UTC).isoformat()


def _check_windows(rows: Sequence[Any], state: ContextState) -> None:
    found = {row[0]: (row[1], row[2], row[3], row[4], row[5]) for row in rows}
    expected = {name: tuple(window) for name, window in state.windows.items()}
    for name in sorted(found.keys() | expected.keys()):
        if found.get(name) != expected.get(name):
            raise Broken(f"windows, window {name!r}", f"is {found.get(name)}, the fold says {expected.get(name)}")


def _check_checkpoints(core: Core, stream: UUID, marks: Sequence[Any]) -> None:
    rows = core.database.read(
        lambda c: c.execute(
            "select version, effects::jsonb #>> '{marks,name}' from backstory.events where stream_id = %s "
            "and effects::jsonb ? 'marks' order by version",
            (stream,),
        ).fetchall()
    )
    for found, expected in zip([*marks, None], [*rows, None], strict=False):
        if found != expected:
            version = (found or expected)[0]
            raise Broken(f"checkpoints, version {version}", "differs from the log")


def _check_head(core: Core, stream: UUID, head: Head, state: ContextState, first: int) -> None:
    row = core.database.read(
        lambda c: c.execute(
            "select f.recorded_at, l.recorded_at from backstory.events f, backstory.events l "
            "where f.stream_id = %s and f.version = %s and l.stream_id = f.stream_id and l.version = %s",
            (stream, first, head.version),
        ).fetchone()
    )
    assert row is not None
    expected = {
        "kind": "session",
        "epoch": state.epoch,
        "labels": state.labels,
        "counts": state.counts,
        "started_at": row[0],
        "recorded_at": row[1],
    }
    for column, value in expected.items():
        if getattr(head, column) != value:
            raise Broken(f"streams.{column}", f"is {getattr(head, column)!r}, the log says {value!r}")
