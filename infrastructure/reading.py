"""Reads along a branch, for callers who want some of its events or contents and not all of them."""

from collections.abc import Collection, Sequence
from uuid import UUID

from backstory.domain.lineage import Piece
from backstory.domain.records import Place
from backstory.infrastructure.database import Database


def versions_of_type(database: Database, stream: UUID, pieces: Sequence[Piece], type_: str) -> list[int]:
    """The versions in these pieces of a stream whose events are of one type."""
    rows = database.read(
        lambda c: c.execute(
            "select version from backstory.events e where stream_id = %s and type = %s and exists ("
            "select 1 from unnest(%s::integer[], %s::integer[]) as piece (first, last) "
            "where e.version between piece.first and piece.last) order by version",
            (stream, type_, [piece.first for piece in pieces], [piece.last for piece in pieces]),
        ).fetchall()
    )
    return [row[0] for row in rows]


def contents_at(database: Database, stream: UUID, places: Collection[Place]) -> dict[Place, bytes]:
    """The bytes at these places of a stream, twins resolved. An erased one is not there."""
    rows = database.read(
        lambda c: c.execute(
            "select c.version, c.part, coalesce(c.bytes, t.bytes) "
            "from unnest(%s::integer[], %s::smallint[]) as wanted (version, part) "
            "join backstory.contents c on c.stream_id = %s "
            "and c.version = wanted.version and c.part = wanted.part "
            "left join backstory.contents t on t.stream_id = c.stream_id "
            "and t.version = c.twin_version and t.part = c.twin_part",
            ([place[0] for place in places], [place[1] for place in places], stream),
            binary=True,
        ).fetchall()
    )
    return {(version, part): data for version, part, data in rows if data is not None}


def present_places(database: Database, stream: UUID, versions: Collection[int]) -> set[Place]:
    """Which contents of these events are still there, without reading them."""
    rows = database.read(
        lambda c: c.execute(
            "select version, part from backstory.contents where stream_id = %s and version = any (%s)",
            (stream, list(versions)),
        ).fetchall()
    )
    return {(version, part) for version, part in rows}
