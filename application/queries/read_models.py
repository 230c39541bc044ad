"""Reads of the read models, as the same values that states are made of."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from backstory.application.runtime import Runtime
from backstory.domain.errors import InvalidInput, UnknownItem
from backstory.domain.log.lineage import VersionRange
from backstory.domain.records import Item
from backstory.domain.values import DEFAULT_ENCODING, microseconds
from backstory.infrastructure.postgres.queries import query


class Checkpoint(NamedTuple):
    """A named version, with the chain's hash there."""

    version: int
    name: str
    chain: bytes
    taken_at: datetime


def read_items(runtime: Runtime, stream: UUID, ids: Sequence[int] | None = None) -> list[Item]:
    """Items of the current branch, from the read model: without role and content versions, which it does not keep."""
    rows: list[Any] = runtime.database.read(
        lambda c: (
            c.execute(query("items"), (stream,))
            if ids is None
            else c.execute(query("items_by_id"), (stream, list(ids)))
        ).fetchall()
    )
    return [item_of(row) for row in rows]


def item_of(row: Sequence[Any]) -> Item:
    return Item(
        id=row[0],
        type=row[1],
        tokens=row[2],
        importance=row[3],
        tier=row[4],
        windows=tuple(row[5]),
        brought=microseconds(row[6]),
        touched=microseconds(row[7]),
        accesses=row[8],
        changed=row[9],
        versions=(row[0],),
        role=None,
        agent=row[10],
        private=row[11],
        task=row[12],
        references=tuple(row[13] or ()),
        encoding=row[14],
        recounts=row[15] or None,
        origin=row[16],
        trust=row[17],
        quarantined=row[18],
        flags=tuple(row[19]),
    )


def read_encodings(runtime: Runtime, stream: UUID) -> dict[str, str]:
    """In which encoding each window counts."""
    rows = runtime.database.read(lambda c: c.execute(query("windows"), (stream,)).fetchall())
    return {row[0]: row[2] or DEFAULT_ENCODING for row in rows}


def read_decisions(runtime: Runtime, stream: UUID, before: int, limit: int) -> list[Item]:
    """Decisions of the current branch below a version, the newest first."""
    rows = runtime.database.read(lambda c: c.execute(query("decisions"), (stream, before, limit)).fetchall())
    return read_items(runtime, stream, [row[0] for row in rows])[::-1]


def require_items(
    runtime: Runtime, stream: UUID, ids: Sequence[int], field: str = "items", types: Collection[str] = ()
) -> list[Item]:
    """These items. Refuses ids that are no items of the current branch, or none of these types."""
    found = {item.id: item for item in read_items(runtime, stream, ids)}
    for id in ids:
        if id not in found:
            raise UnknownItem(f"{field}: item {id} is not on this branch.")
        if types and found[id].type not in types:
            raise InvalidInput(field, f"must be {' or '.join(types)}: item {id} is a {found[id].type}")
    return list(found.values())


def read_checkpoints(runtime: Runtime, stream: UUID) -> list[Checkpoint]:
    """Every named version of a session, a fork's inherited ones first."""
    found: list[Checkpoint] = []
    for piece in runtime.reader.log_of(stream, runtime.require_head(stream).version):
        found += runtime.database.read(partial(_checkpoints_in, piece=piece))
    return found


def _checkpoints_in(connection: psycopg.Connection, piece: VersionRange) -> list[Checkpoint]:
    rows = connection.execute(query("checkpoints"), (piece.stream, piece.last))
    return [Checkpoint._make(row) for row in rows]
