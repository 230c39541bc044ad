"""What was made from an item: noticed decisions, summaries, compactions and whatever else names its sources. Where the
item goes, these may still quote it."""

from collections.abc import Iterator
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.runtime import Runtime
from backstory.domain.events.base import BODIES, EventBody
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.values import LARGEST
from backstory.infrastructure.postgres.queries import query


def derived_from(runtime: Runtime, owner: UUID, item: int) -> dict[UUID, list[int]]:
    """The events that were made from an item of this stream, and those that were made from them, and so on: by stream,
    their versions. Forks that have the item are looked through as well. Branches that were left are no exception."""
    gone = {(owner, item)}
    found: dict[UUID, list[int]] = {}
    types = [name for name, body in BODIES.items() if body.derived_from is not EventBody.derived_from]
    for stream in _with_forks(runtime, owner, item):
        log = runtime.reader.log_of(stream, runtime.require_head(stream).version)
        own = ContentReader(runtime, Lineage([VersionRange(stream, 1, LARGEST)]))
        events = [event for name in types for event in own.events_of_type(name)]
        for event in sorted(events, key=lambda one: one.version):
            if not isinstance(event.body, EventBody):
                continue
            sources = [source for source in event.body.derived_from() if log.contains(source)]
            if any((log.owner(source), source) in gone for source in sources):
                gone.add((stream, event.version))
                found.setdefault(stream, []).append(event.version)
    return found


def _with_forks(runtime: Runtime, stream: UUID, item: int) -> Iterator[UUID]:
    """The stream, and every one that has the item from it, each after the one it began in."""
    yield stream
    rows = runtime.database.read(lambda c: c.execute(query("forks"), {"id": stream}).fetchall())
    for fork, at in rows:
        if at >= item:
            yield from _with_forks(runtime, fork, item)
