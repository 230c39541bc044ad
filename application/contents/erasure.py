"""The erasure of contents. The events and every proof stay."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import psycopg

from backstory.application.contents.batching import in_batches
from backstory.application.contents.derivation import derived_in_sessions, derived_memories
from backstory.application.contents.reader import ContentReader
from backstory.application.runtime import PROJECT, Runtime
from backstory.application.safety.policy import screen_of
from backstory.application.writing.append import insist
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Provenance, Request
from backstory.domain import events as e
from backstory.domain.errors import InvalidInput, Refused, UnknownItem
from backstory.domain.events.base import Change
from backstory.domain.log.guards import Guard
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.records import Place
from backstory.domain.values import LARGEST, build, version_number
from backstory.infrastructure.postgres.locks import lock_stream
from backstory.infrastructure.postgres.queries import query

VERSIONS_AT_ONCE = 500


class ErasedContent(NamedTuple):
    """An erased content."""

    stream: UUID
    version: int
    part: int
    project: str | None = None
    """The project, if it is of a memory."""


class Erased(NamedTuple):
    """The result of an erasure: the version of its event in each stream that held some of the bytes, and the erased
    contents. `derived` are those of them that were derived from the item. A dry run has no events."""

    events: dict[UUID, int]
    contents: tuple[ErasedContent, ...]
    derived: tuple[ErasedContent, ...] = ()
    files: tuple[Path, ...] = ()
    """The files in the synced folder, if a setting names one, that showed it and are written again."""


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
    """Erases the contents of an item in each stream that holds some: the one that brought it and, for a tool exchange
    that a fork continued, the fork. Also erases the transcript line that the item was imported from and, unless
    `keep_derived`, everything derived from it, the memories of projects too. `item` may also be an event without an
    item, such as one with a title, a reason or a command. Each stream is one transaction; after a crash, a repeated
    erasure does the rest."""
    version_number("item", item)
    if provenance.key is not None:
        raise InvalidInput("key", "has no use for an erasure: what is gone cannot be erased again")
    head = runtime.require_head(stream)
    if item > head.version:
        raise UnknownItem(f"item {item} does not exist: the session is at version {head.version}.")
    ContentBundle().text("why", why)
    held = _holders(runtime, stream, item, head.version)
    sources = _sources(runtime, held, item, everywhere=everywhere)
    derived = {} if keep_derived else derived_in_sessions(runtime, sources)
    memories = {} if keep_derived else derived_memories(runtime, set(sources))
    events: dict[UUID, int] = {}
    gone: list[ErasedContent] = []
    made: list[ErasedContent] = []

    def erase_in(holder: UUID, own: list[int], others: list[int]) -> None:
        versions = [*own, *(version for version in others if version not in own)]
        lines = _lines_behind(runtime, holder, versions)
        places = runtime.log.sharing(holder, versions, lines, everywhere=everywhere)
        if places and not dry_run:
            # A cause is a version of the one stream, and the item is not an item of a project.
            writer = provenance if holder == stream else replace(provenance, cause=None)
            named = item if holder in held or holder in derived else versions[0]
            events[holder], places = _erase_in(runtime, holder, named, versions, why, writer, everywhere)
        head = runtime.require_head(holder)
        project = head.labels["project"] if head.kind == PROJECT else None
        erased = [ErasedContent(holder, version, part, project) for version, part in places]
        gone.extend(erased)
        made.extend(content for content in erased if content.version in others)

    for holder in dict.fromkeys([*held, *derived]):
        erase_in(holder, held.get(holder, []), derived.get(holder, []))
    if not dry_run and not keep_derived:
        # Of a memory that is made meanwhile, either it is seen here or its maker sees the erasure.
        memories = derived_memories(runtime, sources)
    for project, versions in memories.items():
        erase_in(project, [], versions)
    if not gone:
        raise Refused(f"version {item} has no contents left to erase.")
    return Erased(events, tuple(gone), tuple(made))


def _holders(runtime: Runtime, stream: UUID, item: int, version: int) -> dict[UUID, list[int]]:
    """The versions of an item, by the stream that holds them."""
    holders = [range_.stream for range_ in runtime.reader.log_of(stream, version) if range_.last >= item]
    held = {holder: [version for version, _ in runtime.log.versions_of(holder, item)] for holder in holders}
    owner = runtime.reader.owner(stream, item)
    if item not in held[owner]:
        held[owner].append(item)
    return held


def _sources(
    runtime: Runtime, held: Mapping[UUID, Sequence[int]], item: int, *, everywhere: bool
) -> set[tuple[UUID, int]]:
    """All items that lose words: also the one that a tool's result belongs to, those that share the item's bytes, and
    those that an erasure of the item before this one took them from."""
    found: set[tuple[UUID, int]] = set()
    for holder, versions in held.items():
        own = ContentReader(runtime, Lineage([VersionRange(holder, 1, LARGEST)]))
        shared = runtime.log.sharing(holder, versions, everywhere=everywhere)
        before = [
            place
            for event in own.events_of_type(e.ContentsErased.type)
            if isinstance(event.body, e.ContentsErased) and event.body.item == item
            for place in event.body.erased
        ]
        found |= {(holder, version) for version in versions}
        found |= {(holder, version) for version, _ in (*shared, *before)}
        for event in own.events(versions).values():
            grown = event.effects.extends or event.effects.revises
            if grown is not None:
                found.add((runtime.reader.owner(holder, grown.item), grown.item))
    return found


def erase_versions(
    runtime: Runtime, stream: UUID, versions: Sequence[int], why: str, provenance: Provenance
) -> None:
    """Erases the contents of some events of a stream, and nothing that was made from them."""
    for group in in_batches(versions, lambda version: 1, VERSIONS_AT_ONCE):
        _erase_in(runtime, stream, group[0], group, why, provenance, everywhere=False)


def erase_everything(
    runtime: Runtime, stream: UUID, why: str, provenance: Provenance, *, keep_memories: bool = False
) -> int:
    """Erases all contents of a stream, except the reasons of erasures, and, unless `keep_memories`, the memories that
    were made from its items. Returns the number of its contents. Each batch is recorded as an event."""
    gone = 0
    while True:
        # Before each batch: after the last one, the stream is not looked at again.
        if not keep_memories:
            _erase_memories_of(runtime, stream, why, provenance)
        rows = runtime.database.read(
            lambda c: c.execute(query("versions_with_contents"), (stream, VERSIONS_AT_ONCE)).fetchall()
        )
        if not rows:
            return gone
        versions = [row[0] for row in rows]
        _, places = _erase_in(runtime, stream, versions[0], versions, why, provenance, everywhere=False)
        gone += len(places)


def _erase_memories_of(runtime: Runtime, stream: UUID, why: str, provenance: Provenance) -> None:
    version = runtime.require_head(stream).version
    sources = {(stream, item) for item in range(1, version + 1)}
    for project, versions in derived_memories(runtime, sources).items():
        reader = ContentReader(runtime, Lineage([VersionRange(project, 1, LARGEST)]))
        present = sorted({place[0] for place in reader.present(versions)})
        erase_versions(runtime, project, present, why, replace(provenance, cause=None))


def _erase_in(
    runtime: Runtime,
    stream: UUID,
    item: int,
    versions: list[int],
    why: str,
    provenance: Provenance,
    everywhere: bool,
) -> tuple[int, list[tuple[int, int]]]:
    """Erases and records the event in one transaction. The exact version guards the list: if a content that shares the
    bytes came meanwhile, the list is read again."""
    draft = ContentBundle(screen_of(runtime, stream))
    reason = draft.text("why", why)

    def decide() -> Callable[[psycopg.Connection], tuple[int, list[tuple[int, int]]]]:
        version = runtime.require_head(stream).version
        lines = _lines_behind(runtime, stream, versions)
        places = runtime.log.sharing(stream, versions, lines, everywhere=everywhere)
        change = Change(build(e.ContentsErased, item=item, erased=tuple(places), why=reason))
        event = Request(draft, change, provenance).pending(change)

        def attempt(connection: psycopg.Connection) -> tuple[int, list[tuple[int, int]]]:
            with connection.transaction():
                # The bytes go first, under the stream's lock: else a reason with the same text would share their
                # bytes, and lose them.
                lock_stream(connection, stream)
                connection.execute(
                    query("erase_contents"),
                    (stream, [place[0] for place in places], [place[1] for place in places]),
                )
                done = runtime.append_on(
                    connection, stream, [event], guard=Guard(expected=version), epoch=None
                )
            return done.last_version, places

        return attempt

    def locked(connection: psycopg.Connection) -> tuple[int, list[tuple[int, int]]]:
        return decide()(connection)

    return insist(
        runtime,
        stream,
        lambda: runtime.database.repeat(decide(), certain=False),
        locked,
    )


def _lines_behind(runtime: Runtime, stream: UUID, versions: Collection[int]) -> list[Place]:
    """The places of the transcript lines that these events were imported from."""
    imported = set(versions)
    lines = [
        (event.version, event.body.file, line)
        for event in ContentReader(runtime, Lineage([VersionRange(stream, 1, LARGEST)])).events_of_type(
            e.LinesImported.type
        )
        if isinstance(event.body, e.LinesImported)
        for line in event.body.lines
    ]
    behind = {(file, line.number) for _, file, line in lines if not imported.isdisjoint(line.events.values())}
    return [
        (version, ref.part)
        for version, file, line in lines
        if (file, line.number) in behind
        for ref in line.contents
    ]
