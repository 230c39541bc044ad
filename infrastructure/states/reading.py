"""Reads along a branch, for callers who want some of its events or contents and not all of them."""

from collections.abc import Collection, Sequence
from uuid import UUID

from backstory.domain.effects import Effects, Removal
from backstory.domain.log.lineage import VersionRange
from backstory.domain.records import Place
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.queries import query


def versions_of_type(
    database: Database, stream: UUID, pieces: Sequence[VersionRange], types: Sequence[str]
) -> list[int]:
    """The versions in these pieces of a stream whose events are of one of these types."""
    rows = database.read(
        lambda c: c.execute(
            query("versions_of_type"),
            (stream, list(types), [piece.first for piece in pieces], [piece.last for piece in pieces]),
        ).fetchall()
    )
    return [row[0] for row in rows]


def removals(
    database: Database, stream: UUID, pieces: Sequence[VersionRange]
) -> list[tuple[int, str, tuple[Removal, ...]]]:
    """The events in these pieces of a stream that take items out of windows: version, type, and what each takes out."""
    rows = database.read(
        lambda c: c.execute(
            query("removals"), (stream, [piece.first for piece in pieces], [piece.last for piece in pieces])
        ).fetchall()
    )
    return [(version, type_, Effects.decode(effects).removes) for version, type_, effects in rows]


def present_places(database: Database, stream: UUID, versions: Collection[int]) -> set[Place]:
    """The places of these events' contents that were not erased, without their bytes."""
    rows = database.read(lambda c: c.execute(query("content_places"), (stream, list(versions))).fetchall())
    return {(version, part) for version, part in rows}


def content_salts(database: Database, stream: UUID, versions: Collection[int]) -> dict[Place, bytes]:
    """The salts of these events' contents, without the bytes. An erased content has none."""
    rows = database.read(
        lambda c: c.execute(query("content_salts"), (stream, list(versions)), binary=True).fetchall()
    )
    return {(version, part): salt for version, part, salt in rows}
