"""Reads of the read models, as the same values that states are made of."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from backstory.application.queries.session_list import Glimpse, Named, read_glimpses
from backstory.application.runtime import Runtime
from backstory.domain.errors import InvalidInput, UnknownItem
from backstory.domain.log.lineage import VersionRange
from backstory.domain.records import Item, Place
from backstory.domain.values import DEFAULT_ENCODING, microseconds
from backstory.infrastructure.postgres.queries import query
from backstory.projections.base_rows import item_counts


class Checkpoint(NamedTuple):
    """A named version, with the chain's hash there."""

    version: int
    name: str
    chain: bytes
    taken_at: datetime


class SessionSummary(NamedTuple):
    """One line of a list of sessions. Without a title of its own a session is called by what its user first asked for,
    and `titled` is false. `agents` wrote its newest events; `primary_files` are those in focus, else those that its
    newest messages mention most."""

    id: UUID
    version: int
    started_at: datetime
    last_activity: datetime
    title: str | None
    status: str
    project: str | None
    tags: tuple[str, ...]
    messages: int
    decisions: int
    tokens: int
    token_limit: int | None
    epoch: int
    titled: bool
    agents: tuple[str, ...]
    primary_files: tuple[str, ...]


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
) -> None:
    """Refuses ids that are no items of the current branch, or none of these types."""
    found = {item.id: item for item in read_items(runtime, stream, ids)}
    for id in ids:
        if id not in found:
            raise UnknownItem(f"{field}: item {id} is not on this branch.")
        if types and found[id].type not in types:
            raise InvalidInput(field, f"must be {' or '.join(types)}: item {id} is a {found[id].type}")


def read_checkpoints(runtime: Runtime, stream: UUID) -> list[Checkpoint]:
    """Every named version of a session, a fork's inherited ones first."""
    found: list[Checkpoint] = []
    for piece in runtime.reader.log_of(stream, runtime.require_head(stream).version):
        found += runtime.database.read(partial(_checkpoints_in, piece=piece))
    return found


def _checkpoints_in(connection: psycopg.Connection, piece: VersionRange) -> list[Checkpoint]:
    rows = connection.execute(query("checkpoints"), (piece.stream, piece.last))
    return [Checkpoint._make(row) for row in rows]


def read_sessions(
    runtime: Runtime,
    *,
    project: str | None = None,
    status: str | None = None,
    tag: str | None = None,
    id: UUID | None = None,
    limit: int = 50,
) -> list[SessionSummary]:
    wanted = {"project": project, "status": status, "tag": tag, "id": id, "limit": limit}
    rows = runtime.database.read(lambda c: c.execute(query("sessions"), wanted).fetchall())
    glimpses = read_glimpses(runtime, [Named(row[0], row[6], _title_place(row[4])) for row in rows])
    return [_summary(row, glimpses[row[0]]) for row in rows]


def _title_place(summary: dict[str, Any]) -> Place | None:
    title = summary["labels"].get("title")
    return (title["version"], title["part"]) if title else None


def _summary(row: Any, glimpse: Glimpse) -> SessionSummary:
    stream, version, started, recorded, summary, epoch, _, tokens, limit = row
    labels, counts = summary["labels"], item_counts(summary)
    return SessionSummary(
        id=stream,
        version=version,
        started_at=started,
        last_activity=recorded,
        title=glimpse.title,
        status=labels.get("status", "open"),
        project=labels.get("project"),
        tags=tuple(labels.get("tags", ())),
        messages=counts.get("message", 0) + counts.get("tool_exchange", 0),
        decisions=counts.get("decision", 0),
        tokens=tokens or 0,
        token_limit=limit,
        epoch=epoch,
        titled=glimpse.titled,
        agents=glimpse.agents,
        primary_files=glimpse.primary_files,
    )
