"""Derived contents: the summaries, noticed decisions and memories that were made from items."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.runtime import Runtime
from backstory.domain.events import MemoryRecorded
from backstory.domain.events.base import BODIES, EventBody
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.log.ranges import from_ranges
from backstory.domain.values import LARGEST
from backstory.infrastructure.eventsourcing_library.mapper import StoredRow
from backstory.infrastructure.postgres.queries import query

Owned = tuple[UUID, int]
"""An item, by the stream that brought it and its version there."""


def derived_in_sessions(runtime: Runtime, sources: set[Owned]) -> dict[UUID, list[int]]:
    """Versions of the events that were derived from items, directly or not, by stream: noticed decisions, summaries,
    compactions. Includes forks that have an item, and abandoned branches. They are added to the sources."""
    derived: dict[UUID, list[int]] = {}
    types = [name for name, body in BODIES.items() if body.derived_from is not EventBody.derived_from]
    for stream in with_forks(runtime, sources):
        log = runtime.reader.log_of(stream, runtime.require_head(stream).version)
        own = ContentReader(runtime, Lineage([VersionRange(stream, 1, LARGEST)]))
        events = [event for name in types for event in own.events_of_type(name)]
        for event in sorted(events, key=lambda event: event.version):
            if isinstance(event.body, EventBody) and _any_of(log, event.body.derived_from(), sources):
                sources.add((stream, event.version))
                derived.setdefault(stream, []).append(event.version)
    return derived


def derived_memories(runtime: Runtime, sources: set[Owned]) -> dict[UUID, list[int]]:
    """Versions of the memories that were made from items, directly or from other memories, by project. They are added
    to the sources."""
    derived: dict[UUID, list[int]] = {}
    streams = list(with_forks(runtime, sources))
    while streams:
        logs = {
            stream: runtime.reader.log_of(stream, runtime.require_head(stream).version) for stream in streams
        }
        found: dict[UUID, list[int]] = {}
        for memory, body in memories_of(runtime, streams):
            made_from = [
                (logs[one.session], from_ranges(one.items)) for one in body.sources if one.session in logs
            ]
            if memory not in sources and any(_any_of(log, items, sources) for log, items in made_from):
                sources.add(memory)
                found.setdefault(memory[0], []).append(memory[1])
        for project, versions in found.items():
            derived.setdefault(project, []).extend(versions)
        streams = list(found)
    return derived


def memories_of(runtime: Runtime, streams: Iterable[UUID]) -> Iterator[tuple[Owned, MemoryRecorded]]:
    """The memories that were made from items of some streams, by project, oldest first. An index knows them."""
    named = [str(stream) for stream in streams]
    rows = runtime.database.read(
        lambda c: c.execute(query("memories_made_from"), (named,), binary=True).fetchall()
    )
    for row in map(StoredRow.of, rows):
        body = runtime.mapper.to_domain_event(row).body
        if isinstance(body, MemoryRecorded):
            yield (row.stream, row.originator_version), body


def _any_of(log: Lineage, items: Iterable[int], sources: set[Owned]) -> bool:
    return any((log.owner(item), item) in sources for item in items if log.contains(item))


def with_forks(runtime: Runtime, sources: Iterable[Owned]) -> list[UUID]:
    """The streams of some items and every fork that has one, parents first."""
    oldest: dict[UUID, int] = {}
    for stream, item in sources:
        oldest[stream] = min(item, oldest.get(stream, item))
    found: dict[UUID, None] = {}
    for stream, item in oldest.items():
        found.update(dict.fromkeys(_forks(runtime, stream, item)))
    return list(found)


def _forks(runtime: Runtime, stream: UUID, item: int) -> Iterator[UUID]:
    yield stream
    rows = runtime.database.read(
        lambda c: c.execute(query("forks"), {"id": stream, "projects": None}).fetchall()
    )
    for fork, at in rows:
        if at >= item:
            yield from _forks(runtime, fork, item)
