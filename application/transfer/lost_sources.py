"""Imported memories whose sources were erased in this store while the memories were away."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from backstory.application.contents.derivation import derived_memories
from backstory.application.contents.erasure import erase_versions
from backstory.application.contents.reader import ContentReader
from backstory.application.runtime import Runtime
from backstory.application.writing.requests import Provenance
from backstory.domain.events import ContentsErased, MemoryRecorded
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.log.ranges import from_ranges
from backstory.domain.values import LARGEST

ACTOR = "import"
WHY = "its source was erased before it was imported"


def erase_lost(
    runtime: Runtime, project: UUID, known: Mapping[UUID, int], purged_at: datetime | None
) -> None:
    """Erases the memories of a project whose sources were erased here, and those made from them. `known` are the
    versions of streams that the memories came with, and `purged_at` is the time at which they left this store: they
    stood an erasure from before that, since somebody wanted to keep them."""
    erasures: dict[UUID, set[int]] = {}
    lost: set[tuple[UUID, int]] = set()
    for event in _log(runtime, project).events_of_type(MemoryRecorded.type):
        assert isinstance(event.body, MemoryRecorded)
        for source in event.body.sources:
            if runtime.log.head(source.session) is None:
                continue
            for item in from_ranges(source.items):
                owner = runtime.reader.owner(source.session, item)
                if owner not in erasures:
                    erasures[owner] = _erased(runtime, owner, known.get(owner, 0), purged_at)
                if item in erasures[owner]:
                    lost.add((project, event.version))
    gone = {project: [version for _, version in sorted(lost)]}
    for stream, versions in derived_memories(runtime, set(lost)).items():
        gone.setdefault(stream, []).extend(versions)
    for stream, versions in gone.items():
        present = sorted({place[0] for place in _log(runtime, stream).present(versions)})
        erase_versions(runtime, stream, present, WHY, Provenance(actor=ACTOR))


def _erased(runtime: Runtime, stream: UUID, after: int, since: datetime | None) -> set[int]:
    """The versions of a stream that lost contents in the events after a version and a time."""
    return {
        version
        for event in _log(runtime, stream).events_of_type(ContentsErased.type)
        if event.version > after and (since is None or event.recorded_at > since)
        if isinstance(event.body, ContentsErased)
        for version, _ in event.body.erased
    }


def _log(runtime: Runtime, stream: UUID) -> ContentReader:
    return ContentReader(runtime, Lineage([VersionRange(stream, 1, LARGEST)]))
