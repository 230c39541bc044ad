"""Erasing what an item says, for good, while every proof of it still holds."""

from collections.abc import Callable, Collection
from typing import NamedTuple
from uuid import UUID

import psycopg

from backstory.application.contents.reader import ContentReader
from backstory.application.integrity.derivation import derived_from
from backstory.application.runtime import Runtime
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Provenance, Request
from backstory.domain import events as e
from backstory.domain.errors import InvalidInput, Refused, UnknownItem
from backstory.domain.events.base import Change
from backstory.domain.log.guards import Guard
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.records import Place
from backstory.domain.values import LARGEST, build, version_number
from backstory.infrastructure.postgres.append import append
from backstory.infrastructure.postgres.database import lock_stream
from backstory.infrastructure.postgres.queries import query

VERSIONS_AT_ONCE = 500


class ErasedContent(NamedTuple):
    """One content that is gone: where it was."""

    stream: UUID
    version: int
    part: int


class Erased(NamedTuple):
    """What an erasure did: the version of its event in each stream that held some of the bytes, and the contents
    that are gone. `derived` are those of them that were made from the item, by somebody who had read it. A dry run has
    no events."""

    events: dict[UUID, int]
    contents: tuple[ErasedContent, ...]
    derived: tuple[ErasedContent, ...] = ()


def erase(
    runtime: Runtime,
    stream: UUID,
    item: int,
    why: str,
    provenance: Provenance,
    *,
    everywhere: bool,
    dry_run: bool,
    keep_derived: bool = False,
) -> Erased:
    """Erases the contents of an item in each stream that holds some: the one that brought it and, for a tool
    exchange that a fork went on with, the fork. An event that brought no item has contents of its own to erase: a
    title, a reason, a command. The line of a transcript that an item was imported from says the same, and goes too; and
    so does what was made from it, unless that is to be kept."""
    version_number("item", item)
    if provenance.key is not None:
        raise InvalidInput("key", "has no use for an erasure: what is gone cannot be erased again")
    head = runtime.require_head(stream)
    if item > head.version:
        raise UnknownItem(f"item {item} does not exist: the session is at version {head.version}.")
    draft = ContentBundle()
    draft.text("why", why)
    holders = [piece.stream for piece in runtime.reader.log_of(stream, head.version) if piece.last >= item]
    held = {holder: [version for version, _ in runtime.log.versions_of(holder, item)] for holder in holders}
    owner = runtime.reader.owner(stream, item)
    if item not in held[owner]:
        held[owner].append(item)
    derived = {} if keep_derived else derived_from(runtime, owner, item)
    events: dict[UUID, int] = {}
    gone: list[ErasedContent] = []
    made: list[ErasedContent] = []
    for holder in dict.fromkeys([*held, *derived]):
        own, others = held.get(holder, []), derived.get(holder, [])
        versions = [*own, *(version for version in others if version not in own)]
        lines = _lines_behind(runtime, holder, versions)
        places = runtime.log.twins(holder, versions, lines, everywhere=everywhere)
        if places and not dry_run:
            events[holder], places = _erase_in(runtime, holder, item, versions, why, provenance, everywhere)
        erased = [ErasedContent(holder, version, part) for version, part in places]
        gone += erased
        made += [one for one in erased if one.version in others]
    if not gone:
        raise Refused(f"version {item} has no contents left to erase.")
    return Erased(events, tuple(gone), tuple(made))


def erase_everything(runtime: Runtime, stream: UUID, why: str, provenance: Provenance) -> int:
    """Erases all that a stream of its own says, but for the reasons of erasures, and returns how many contents went.
    An event for each batch: what happened and when, and every proof of it, stays."""
    gone = 0
    while True:
        rows = runtime.database.read(
            lambda c: c.execute(query("versions_with_contents"), (stream, VERSIONS_AT_ONCE)).fetchall()
        )
        if not rows:
            return gone
        versions = [row[0] for row in rows]
        _, places = _erase_in(runtime, stream, versions[0], versions, why, provenance, everywhere=False)
        gone += len(places)


def _erase_in(
    runtime: Runtime,
    stream: UUID,
    item: int,
    versions: list[int],
    why: str,
    provenance: Provenance,
    everywhere: bool,
) -> tuple[int, list[tuple[int, int]]]:
    """The event and the erasure in one transaction. The exact version guards the list: a twin that came meanwhile
    is on the next one."""
    draft = ContentBundle()
    reason = draft.text("why", why)

    def decide() -> Callable[[psycopg.Connection], tuple[int, list[tuple[int, int]]]]:
        version = runtime.require_head(stream).version
        lines = _lines_behind(runtime, stream, versions)
        places = runtime.log.twins(stream, versions, lines, everywhere=everywhere)
        change = Change(build(e.ContentErased, item=item, erased=tuple(places), why=reason))
        event = Request(draft, change, provenance).pending(change)

        def attempt(connection: psycopg.Connection) -> tuple[int, list[tuple[int, int]]]:
            with connection.transaction():
                # The bytes go first, under the stream's lock: else a reason that says the same would be stored as
                # their twin, and lose its own bytes with them.
                lock_stream(connection, stream)
                connection.execute(
                    query("erase_contents"),
                    (stream, [place[0] for place in places], [place[1] for place in places]),
                )
                done = append(connection, stream, [event], guard=Guard(expected=version))
            return done.last_version, places

        return attempt

    def locked(connection: psycopg.Connection) -> tuple[int, list[tuple[int, int]]]:
        return decide()(connection)

    return runtime.insist(
        stream,
        lambda: runtime.database.repeat(decide(), certain=False),
        locked,
    )


def _lines_behind(runtime: Runtime, stream: UUID, versions: Collection[int]) -> list[Place]:
    """Where a stream of its own keeps the lines that these events were imported from."""
    wanted = set(versions)
    found = [
        (event.version, event.body.file, line)
        for event in ContentReader(runtime, Lineage([VersionRange(stream, 1, LARGEST)])).events_of_type(
            e.LinesImported.type
        )
        if isinstance(event.body, e.LinesImported)
        for line in event.body.lines
    ]
    behind = {(file, line.number) for _, file, line in found if not wanted.isdisjoint(line.events.values())}
    return [
        (version, ref.part)
        for version, file, line in found
        if (file, line.number) in behind
        for ref in line.contents
    ]
