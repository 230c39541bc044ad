"""The search index: segments of each stream's own events, in Postgres.

A version that no segment covers is read from the log by whoever searches. So the index may lag, and an erasure removes
the segments with the erased words in its own transaction; the next run, or the next search, makes them anew.
"""

import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

import psycopg

from backstory.application.runtime import Runtime
from backstory.application.search.texts import index_entries
from backstory.domain.errors import VerificationFailed
from backstory.domain.log.lineage import VersionRange
from backstory.domain.search.segment import (
    BUCKET_POSTINGS,
    MOST_ENTRIES,
    MOST_POSTINGS,
    Columns,
    IndexedEntry,
    Packed,
    Postings,
    checksum,
    find_postings,
    merged,
    pack,
    unpack_documents,
    unpack_postings,
)
from backstory.domain.search.terms import VERSION
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.postgres.standby import from_primary


class Segment(NamedTuple):
    """The texts of a run of a stream's own events, and the postings of terms."""

    range: VersionRange
    columns: Columns
    postings: Postings


def read_segments(
    runtime: Runtime, streams: Sequence[UUID], wanted: Collection[str] | None = None
) -> Iterator[Segment]:
    """The segments of these streams in the order of their versions, with the postings of some terms or of all. Raises
    VerificationFailed where one cannot be read."""
    parameters = {
        "streams": list(streams),
        "terms": VERSION,
        "checksums": None if wanted is None else [checksum(term) for term in wanted],
    }
    rows = runtime.database.read(
        lambda c: c.execute(query("found_segments"), parameters, binary=True).fetchall()
    )
    for stream, first, last, documents, buckets in rows:
        try:
            columns = unpack_documents(documents)
            postings = unpack_postings(buckets) if wanted is None else find_postings(buckets, wanted)
        except (TypeError, ValueError, zlib.error):
            raise VerificationFailed(
                f"session {stream}: the search index cannot be read: "
                "'backstory projections rebuild --feed search' makes it anew."
            ) from None
        yield Segment(VersionRange(stream, first, last), columns, postings)


class _Covered(NamedTuple):
    """The versions that a segment covers, and the numbers of its texts and buckets."""

    stream: UUID
    first: int
    last: int
    entries: int
    buckets: int


def index_stream(runtime: Runtime, connection: psycopg.Connection, stream: UUID, upto: int) -> None:
    """Indexes what no segment of a stream covers, up to a version, in the connection's transaction."""
    connection.execute(query("hold_index"), (stream,))
    rows = connection.execute(query("segment_ranges"), (stream, VERSION)).fetchall()
    segments = [_Covered(stream, *row) for row in rows]
    # A standby may still have what was erased.
    with from_primary():
        for gap in uncovered(VersionRange(stream, 1, upto), segments):
            for entries, covered in _portions(runtime, gap):
                segments = _add(connection, segments, entries, covered)


def uncovered(wanted: VersionRange, segments: Iterable[VersionRange | _Covered]) -> Iterator[VersionRange]:
    """The parts of a range that no segment covers; the segments are in the order of their versions."""
    first = wanted.first
    for segment in segments:
        if segment.first > wanted.last:
            break
        if segment.first > first:
            yield wanted._replace(first=first, last=segment.first - 1)
        first = max(first, segment.last + 1)
    if first <= wanted.last:
        yield wanted._replace(first=first)


def _portions(runtime: Runtime, gap: VersionRange) -> Iterator[tuple[list[IndexedEntry], VersionRange]]:
    """The texts of a range in portions that a segment may hold, each with the versions that it covers."""
    entries: list[IndexedEntry] = []
    first, postings = gap.first, 0
    for one in index_entries(runtime, *gap):
        entries.append(one)
        postings += len(one.terms)
        if len(entries) >= MOST_ENTRIES or postings >= MOST_POSTINGS:
            yield entries, gap._replace(first=first, last=one.entry.version)
            entries, first, postings = [], one.entry.version + 1, 0
    if first <= gap.last:
        yield entries, gap._replace(first=first)


def _add(
    connection: psycopg.Connection,
    segments: list[_Covered],
    entries: list[IndexedEntry],
    covered: VersionRange,
) -> list[_Covered]:
    """Adds a segment, and returns all of them. It takes in those right before it that are no larger, so that a session
    that is indexed event by event has few."""
    stream, first, last = covered
    packed, size = pack(entries), len(entries)
    while True:
        before = next((one for one in segments if one.last == first - 1), None)
        if before is None or before.entries > size or before.entries + size > MOST_ENTRIES:
            break
        if (before.buckets + len(packed.buckets)) * BUCKET_POSTINGS > MOST_POSTINGS:
            break
        row = connection.execute(query("segment"), (stream, before.first), binary=True).fetchone()
        assert row is not None
        packed, size, first = merged(Packed._make(row), packed), before.entries + size, before.first
        segments = [one for one in segments if one is not before]
    connection.execute(
        query("save_segment"), (stream, first, last, size, VERSION, packed.documents, packed.buckets)
    )
    return sorted([*segments, _Covered(stream, first, last, size, len(packed.buckets))])
