"""The erasure of contents. The events and every proof stay."""

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple
from uuid import UUID

import psycopg

from backstory.application.contents.reader import ContentReader
from backstory.application.runtime import Runtime
from backstory.application.writing.append import insist
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Provenance, Request
from backstory.domain import events as e
from backstory.domain.errors import InvalidInput, Refused, UnknownItem
from backstory.domain.events.base import BODIES, Change, EventBody
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


class Erased(NamedTuple):
    """The result of an erasure: the version of its event in each stream that held some of the bytes, and the erased
    contents. `derived` are those of them that were derived from the item. A dry run has no events."""

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
    """Erases the contents of an item in each stream that holds some: the one that brought it and, for a tool exchange
    that a fork continued, the fork. Also erases the transcript line that the item was imported from and, unless
    `keep_derived`, everything derived from it. `item` may also be an event without an item, such as one with a title,
    a reason or a command."""
    version_number("item", item)
    if provenance.key is not None:
        raise InvalidInput("key", "has no use for an erasure: what is gone cannot be erased again")
    head = runtime.require_head(stream)
    if item > head.version:
        raise UnknownItem(f"item {item} does not exist: the session is at version {head.version}.")
    draft = ContentBundle()
    draft.text("why", why)
    holders = [range_.stream for range_ in runtime.reader.log_of(stream, head.version) if range_.last >= item]
    held = {holder: [version for version, _ in runtime.log.versions_of(holder, item)] for holder in holders}
    owner = runtime.reader.owner(stream, item)
    if item not in held[owner]:
        held[owner].append(item)
    derived = {} if keep_derived else _derived_from(runtime, owner, item)
    events: dict[UUID, int] = {}
    gone: list[ErasedContent] = []
    made: list[ErasedContent] = []
    for holder in dict.fromkeys([*held, *derived]):
        own, others = held.get(holder, []), derived.get(holder, [])
        versions = [*own, *(version for version in others if version not in own)]
        lines = _lines_behind(runtime, holder, versions)
        places = runtime.log.sharing(holder, versions, lines, everywhere=everywhere)
        if places and not dry_run:
            events[holder], places = _erase_in(runtime, holder, item, versions, why, provenance, everywhere)
        erased = [ErasedContent(holder, version, part) for version, part in places]
        gone += erased
        made += [content for content in erased if content.version in others]
    if not gone:
        raise Refused(f"version {item} has no contents left to erase.")
    return Erased(events, tuple(gone), tuple(made))


def erase_everything(runtime: Runtime, stream: UUID, why: str, provenance: Provenance) -> int:
    """Erases all contents of a stream, except the reasons of erasures. Returns their number. Each batch is recorded as
    an event."""
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
    """Erases and records the event in one transaction. The exact version guards the list: if a content that shares the
    bytes came meanwhile, the list is read again."""
    draft = ContentBundle()
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


def _derived_from(runtime: Runtime, owner: UUID, item: int) -> dict[UUID, list[int]]:
    """Versions of the events that were derived from an item, directly or not, by stream: noticed decisions, summaries,
    compactions. Includes forks that have the item, and abandoned branches."""
    sources_gone = {(owner, item)}
    derived: dict[UUID, list[int]] = {}
    types = [name for name, body in BODIES.items() if body.derived_from is not EventBody.derived_from]
    for stream in _with_forks(runtime, owner, item):
        log = runtime.reader.log_of(stream, runtime.require_head(stream).version)
        own = ContentReader(runtime, Lineage([VersionRange(stream, 1, LARGEST)]))
        events = [event for name in types for event in own.events_of_type(name)]
        for event in sorted(events, key=lambda event: event.version):
            if not isinstance(event.body, EventBody):
                continue
            sources = [source for source in event.body.derived_from() if log.contains(source)]
            if any((log.owner(source), source) in sources_gone for source in sources):
                sources_gone.add((stream, event.version))
                derived.setdefault(stream, []).append(event.version)
    return derived


def _with_forks(runtime: Runtime, stream: UUID, item: int) -> Iterator[UUID]:
    """The stream and every fork that has the item, parents first."""
    yield stream
    rows = runtime.database.read(
        lambda c: c.execute(query("forks"), {"id": stream, "projects": None}).fetchall()
    )
    for fork, at in rows:
        if at >= item:
            yield from _with_forks(runtime, fork, item)
