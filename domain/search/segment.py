"""A segment of the search index: the texts of a run of events, packed, and in which of them each term occurs.

Both are JSON, compressed. What is said of the texts stands in columns, so that ten thousand of them are unpacked in a
few milliseconds. The terms are spread over buckets by their checksums, and a query unpacks only those of its own terms.
"""

import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from pydantic_core import from_json, to_json

MOST_ENTRIES = 2_000
"""Texts of a segment. More would take long to index again after one of them was erased."""
MOST_POSTINGS = 500_000
"""Postings that a segment is begun with, at most: those of some 5,000 pages."""
BUCKET_POSTINGS = 150
"""Postings in a bucket, about. With more, a query unpacks more that it does not ask for; with fewer, the database's own
part of each row weighs more than the bucket."""

Postings = dict[str, list[int]]
"""For each term the places of the texts that have it, each followed by how often."""


class Entry(NamedTuple):
    """The text that one event holds, as the index notes it."""

    version: int
    item: int
    """The item that the text is of: the event's own version, or that of an item that it extends or revises."""
    revises: bool
    """Whether it stands in place of what the item said before."""
    owner: str | None
    """The agent that the item is private to."""
    type: str
    speaker: str | None
    """The agent or person who said it, by name."""
    role: str | None
    time: int
    """In microseconds since 1970."""
    tokens: int
    length: int
    """The number of its terms."""
    marks: int


class IndexedEntry(NamedTuple):
    """An entry with its terms."""

    entry: Entry
    terms: Mapping[str, int]


class Columns(NamedTuple):
    """The entries of a segment, a column each of their fields."""

    version: list[int]
    item: list[int]
    revises: list[bool]
    owner: list[str | None]
    type: list[str]
    speaker: list[str | None]
    role: list[str | None]
    time: list[int]
    tokens: list[int]
    length: list[int]
    marks: list[int]

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Columns":
        """The columns of entries."""
        columns = [list(column) for column in zip(*entries, strict=True)]
        return cls._make(columns or [[] for _ in cls._fields])

    def entry(self, place: int) -> Entry:
        """One of the entries."""
        return Entry._make([column[place] for column in self])

    def entries(self) -> Iterator[Entry]:
        """All entries."""
        return map(Entry._make, zip(*self, strict=True))


class Packed(NamedTuple):
    """A segment as it is stored."""

    documents: bytes
    buckets: list[bytes]


def pack(entries: Sequence[IndexedEntry]) -> Packed:
    """Packs a segment."""
    return pack_postings([one.entry for one in entries], postings_of(one.terms for one in entries))


def postings_of(texts: Iterable[Mapping[str, int]]) -> Postings:
    """The postings of texts, by their terms."""
    found: Postings = {}
    for place, terms in enumerate(texts):
        for term, count in terms.items():
            found.setdefault(term, []).extend((place, count))
    return found


def pack_postings(entries: Sequence[Entry], postings: Postings) -> Packed:
    """Packs a segment whose postings are known."""
    count = max(1, sum(map(len, postings.values())) // (2 * BUCKET_POSTINGS))
    buckets: list[Postings] = [{} for _ in range(count)]
    for term in sorted(postings):
        buckets[checksum(term) % count][term] = postings[term]
    return Packed(_packed(Columns.of(entries)), [_packed(bucket) for bucket in buckets])


def unpack_documents(documents: bytes) -> Columns:
    """The entries of a segment."""
    return Columns._make(_unpacked(documents))


def unpack_postings(buckets: Iterable[bytes]) -> Postings:
    """The postings in some buckets of a segment."""
    found: Postings = {}
    for bucket in buckets:
        found.update(_unpacked(bucket))
    return found


def find_postings(buckets: Iterable[bytes], wanted: Collection[str]) -> Postings:
    """The postings of some terms. They are cut out of the JSON: to read all of it takes twenty times as long."""
    keys = [(term, b"".join((to_json(term), b":["))) for term in wanted]
    found: Postings = {}
    for bucket in buckets:
        data = zlib.decompress(bucket)
        for term, key in keys:
            place = data.find(key)
            if place >= 0:
                start = place + len(key)
                found[term] = [*map(int, data[start : data.index(b"]", start)].split(b","))]
    return found


def merged(older: Packed, newer: Packed) -> Packed:
    """One segment in place of two that follow each other."""
    entries = [*unpack_documents(older.documents).entries()]
    postings = unpack_postings(older.buckets)
    for term, newer_postings in unpack_postings(newer.buckets).items():
        places = [place + len(entries) for place in newer_postings[::2]]
        postings.setdefault(term, []).extend(
            chain.from_iterable(zip(places, newer_postings[1::2], strict=True))
        )
    return pack_postings([*entries, *unpack_documents(newer.documents).entries()], postings)


def checksum(term: str) -> int:
    """The number by which a term's bucket is found."""
    return zlib.crc32(term.encode())


def _packed(value: Any) -> bytes:
    return zlib.compress(to_json(value))


def _unpacked(data: bytes) -> Any:
    return from_json(zlib.decompress(data))
