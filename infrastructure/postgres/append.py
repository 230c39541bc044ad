"""The append: one function call, one round trip, one commit."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb
from psycopg.types.numeric import Int2, Int4

from backstory.domain.log.guards import NO_GUARD, Guard
from backstory.domain.log.references import PLAIN_TEXT
from backstory.domain.values import from_microseconds
from backstory.infrastructure.observability import observing
from backstory.infrastructure.postgres.appended_facts import tell_of
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.postgres.quick_append import (
    FEW,
    QuickContent,
    QuickEvent,
    may_append_quickly,
    quick_append,
)


class StoredContent(NamedTuple):
    """Bytes on their way in: which part of their event, with the salt of their digest."""

    part: int
    media_type: str
    salt: bytes
    data: bytes


class PendingEvent(NamedTuple):
    """An event on its way in, encoded."""

    type: str
    schema_version: int
    payload: bytes
    effects: str | None = None
    occurred_at: datetime | None = None
    actor: str | None = None
    cause: int | None = None
    contents: tuple[StoredContent, ...] = ()


class Key(NamedTuple):
    """An idempotency key with the fingerprint of the request it stands for."""

    key: str
    fingerprint: bytes


class Root(NamedTuple):
    """What a seam needs besides its event: the chain it goes on from (a fork's), and the read models at the root of
    its branch when that is in another stream."""

    chain: bytes | None = None
    base: dict[str, Any] | None = None


NO_ROOT = Root()


class Appended(NamedTuple):
    """What an append came to. `repeated`: the key was known, and this is the first call's result."""

    first_version: int
    last_version: int
    recorded_at: datetime
    """Of the last event."""
    epoch: int
    repeated: bool
    earlier: tuple[datetime, ...] = ()
    """When the events before it were recorded, where they have times of their own."""


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
    meanwhile: Callable[[], None] | None = None,
    one_by_one: bool = False,
) -> Appended:
    """Appends in one round trip. In a transaction of the caller's it takes part in that. What may be done `meanwhile`,
    for lack of anything but waiting to do, is left undone where the call takes the longer way. A few events that go in
    `one_by_one` take the shorter one; each then has a time of its own, and still all of them are there or none is."""
    if not observing.watchers:
        return _appended(connection, stream, events, guard, epoch, key, kind, root, meanwhile, one_by_one)
    with observing.watching("append", session=stream, events=len(events)) as found:
        done = _appended(connection, stream, events, guard, epoch, key, kind, root, meanwhile, one_by_one)
        found["version"] = done.last_version
    if not done.repeated:
        tell_of(events)
    return done


def _appended(
    connection: psycopg.Connection,
    stream: UUID,
    events: Sequence[PendingEvent],
    guard: Guard,
    epoch: int | None,
    key: Key | None,
    kind: str | None,
    root: Root,
    meanwhile: Callable[[], None] | None,
    one_by_one: bool,
) -> Appended:
    few = len(events) <= (FEW if one_by_one else 1) and max(len(event.contents) for event in events) < 2
    ordinary = few and not guard.items and key is None and kind is None and root is NO_ROOT
    if not ordinary or not may_append_quickly(connection):
        first, last, recorded, reached, repeated = _append(
            connection, stream, events, guard, epoch, key, kind, root
        )
        return Appended(first, last, from_microseconds(recorded), reached, bool(repeated))
    numbers = quick_append(
        connection,
        stream,
        guard.expected,
        guard.recorded,
        epoch,
        [(_quick_event(event), _quick_content(event)) for event in events],
        meanwhile,
    )
    _, last, recorded, reached, _ = numbers[-1]
    earlier = tuple(from_microseconds(one[2]) for one in numbers[:-1])
    return Appended(numbers[0][0], last, from_microseconds(recorded), reached, False, earlier)


def _quick_event(event: PendingEvent) -> QuickEvent:
    return (
        event.type,
        event.schema_version,
        event.occurred_at,
        event.actor,
        event.cause,
        event.effects,
        event.payload,
    )


def _quick_content(event: PendingEvent) -> QuickContent | None:
    if not event.contents:
        return None
    (content,) = event.contents
    return content.part, _media_type(content), content.salt, content.data


def _append(
    connection: psycopg.Connection,
    stream: UUID,
    events: Sequence[PendingEvent],
    guard: Guard,
    epoch: int | None,
    key: Key | None,
    kind: str | None,
    root: Root,
) -> Sequence[int]:
    """The call in general: several events, keys, guards on items, new streams."""
    parameters = {
        "stream": stream,
        "kind": kind,
        "expected": _int4(guard.expected),
        "items": list(guard.items) or None,
        "since": _int4(guard.since),
        "epoch": _int4(epoch),
        "key": key.key if key else None,
        "fingerprint": key.fingerprint if key else None,
        **(_one_event(events[0]) if len(events) == 1 else _many_events(events)),
        **_contents(events),
        "origin_chain": root.chain,
        "base": Jsonb(root.base) if root.base is not None else None,
        "recorded": None if guard.recorded is None else from_microseconds(guard.recorded),
    }
    given = {name: value for name, value in parameters.items() if value is not None}
    row = connection.execute(_append_call(tuple(given)), given, binary=True).fetchone()
    assert row is not None
    numbers: Sequence[int] = row[0]
    return numbers


@cache
def _append_call(given: tuple[str, ...]) -> bytes:
    """The call with null written out where a parameter is absent: most are, and each one sent costs the client. There
    are few such calls in practice, so each is prepared once."""
    return re.sub(
        rb"%\((\w+)\)s", lambda place: place[0] if place[1].decode() in given else b"null", query("append")
    )


def _one_event(event: PendingEvent) -> dict[str, Any]:
    return {
        "type": event.type,
        "schema": Int2(event.schema_version),
        "occurred": event.occurred_at,
        "actor": event.actor,
        "cause": _int4(event.cause),
        "effects": event.effects,
        "payload": event.payload,
    }


def _many_events(events: Sequence[PendingEvent]) -> dict[str, Any]:
    return {
        "types": [event.type for event in events],
        "schemas": [event.schema_version for event in events],
        "occurreds": [event.occurred_at for event in events],
        "actors": [event.actor for event in events],
        "causes": [event.cause for event in events],
        "effectses": [event.effects for event in events],
        "payloads": [event.payload for event in events],
    }


def _contents(events: Sequence[PendingEvent]) -> dict[str, Any]:
    """One content of one event as plain parameters, several as arrays that tell which event each belongs to."""
    contents = [(place, content) for place, event in enumerate(events, 1) for content in event.contents]
    if not contents:
        return {}
    if len(events) == 1 and len(contents) == 1:
        ((_, content),) = contents
        return {
            "part": Int2(content.part),
            "media": _media_type(content),
            "salt": content.salt,
            "bytes": content.data,
        }
    return {
        "content_events": [place for place, _ in contents],
        "content_parts": [content.part for _, content in contents],
        "content_medias": [_media_type(content) for _, content in contents],
        "content_salts": [content.salt for _, content in contents],
        "content_bytes": [content.data for _, content in contents],
    }


def _media_type(content: StoredContent) -> str | None:
    return None if content.media_type == PLAIN_TEXT else content.media_type


def _int4(value: int | None) -> Int4 | None:
    # The wrapper keeps the parameter's type the same for every value, so that one prepared statement serves all.
    return None if value is None else Int4(value)
