"""The append: one function call, one round trip, one commit."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from backstory.domain.events import Change, Event
from backstory.domain.log.guards import NO_GUARD, Guard
from backstory.domain.log.references import PLAIN_TEXT
from backstory.domain.values import from_microseconds
from backstory.infrastructure.observability import watchers
from backstory.infrastructure.postgres.append_metrics import count_appended
from backstory.infrastructure.postgres.queries import query


class NewContent(NamedTuple):
    """Bytes to store: a part of their event, with the salt of their digest."""

    part: int
    media_type: str
    salt: bytes
    data: bytes


class PendingEvent(NamedTuple):
    """An event to append, encoded."""

    type: str
    schema_version: int
    payload: bytes
    effects: str | None = None
    occurred_at: datetime | None = None
    actor: str | None = None
    cause: int | None = None
    contents: tuple[NewContent, ...] = ()
    caller: str | None = None

    def recorded(
        self, change: Change, stream: UUID, version: int, recorded_at: datetime, epoch: int
    ) -> Event:
        """Returns the event that an append makes of this one and its change."""
        return Event(
            stream=stream,
            version=version,
            type=self.type,
            schema_version=self.schema_version,
            recorded_at=recorded_at,
            occurred_at=self.occurred_at or recorded_at,
            actor=self.actor,
            caller=self.caller,
            cause=self.cause,
            epoch=epoch,
            body=change.body,
            effects=change.effects,
        )


class Key(NamedTuple):
    """An idempotency key with the fingerprint of its request."""

    key: str
    fingerprint: bytes


class Root(NamedTuple):
    """The beginning of a branch: the chain that a fork continues, and the read models there if the branch begins in
    another stream."""

    chain: bytes | None = None
    base: dict[str, Any] | None = None


NO_ROOT = Root()


class Appended(NamedTuple):
    """The result of an append. `repeated`: the key was known, and this is the first call's result."""

    first_version: int
    last_version: int
    recorded_at: datetime
    epoch: int
    repeated: bool


def append(
    connection: psycopg.Connection,
    stream: UUID,
    events: Sequence[PendingEvent],
    *,
    guard: Guard = NO_GUARD,
    epoch: int | None = None,
    key: Key | None = None,
    kind: str | None = None,
    root: Root = NO_ROOT,
) -> Appended:
    """Appends events in one round trip, all or none. Takes part in the connection's transaction if there is one."""
    if not watchers.watchers:
        return _append(connection, stream, events, guard, epoch, key, kind, root)
    with watchers.watching("append", session=stream, events=len(events)) as attributes:
        done = _append(connection, stream, events, guard, epoch, key, kind, root)
        attributes["version"] = done.last_version
    if not done.repeated:
        count_appended(events)
    return done


def _append(
    connection: psycopg.Connection,
    stream: UUID,
    events: Sequence[PendingEvent],
    guard: Guard,
    epoch: int | None,
    key: Key | None,
    kind: str | None,
    root: Root,
) -> Appended:
    contents = [(number, content) for number, event in enumerate(events, 1) for content in event.contents]
    parameters = {
        "stream": stream,
        "events": json.dumps([_envelope(event) for event in events]),
        "payloads": [event.payload for event in events],
        "contents": json.dumps([_place(number, content) for number, content in contents]),
        "bytes": [content.data for _, content in contents] or None,
        "expected": guard.expected,
        "recorded": None if guard.recorded is None else from_microseconds(guard.recorded),
        "epoch": epoch,
        "items": list(guard.items) or None,
        "since": guard.since,
        "key": key.key if key else None,
        "fingerprint": key.fingerprint if key else None,
        "kind": kind,
        "origin_chain": root.chain,
        "base": Jsonb(root.base) if root.base is not None else None,
    }
    row = connection.execute(query("append"), parameters, binary=True).fetchone()
    assert row is not None
    first, last, recorded, reached, repeated = row[0]
    return Appended(first, last, from_microseconds(recorded), reached, bool(repeated))


def _envelope(event: PendingEvent) -> dict[str, Any]:
    """The envelope of an event as the append function reads it. Absent fields are omitted."""
    envelope = {
        "type": event.type,
        "schema": event.schema_version,
        "occurred": None if event.occurred_at is None else event.occurred_at.isoformat(),
        "actor": event.actor,
        "caller": event.caller,
        "cause": event.cause,
        "effects": event.effects,
    }
    return {name: value for name, value in envelope.items() if value is not None}


def _place(number: int, content: NewContent) -> dict[str, Any]:
    """The event and part that a content belongs to, with its salt."""
    place = {"event": number, "part": content.part, "salt": content.salt.hex()}
    if content.media_type != PLAIN_TEXT:
        place["media"] = content.media_type
    return place
