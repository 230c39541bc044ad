"""The corpus of a query: every text that the caller may see, from the index and, where that ends, from the log."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import NamedTuple
from uuid import UUID

from backstory.application.runtime import Runtime
from backstory.application.search.index import Segment, index_stream, read_segments, uncovered
from backstory.application.search.texts import index_entries
from backstory.domain.log.lineage import VersionRange
from backstory.domain.search.corpus import Corpus, Document
from backstory.domain.search.segment import (
    Columns,
    Entry,
    postings_of,
)

INDEXED_FROM = 200
"""A search that reads so many texts from the log, in one session or in all, leaves them indexed, so that the next one
does not, and a store without a worker has an index too. They take 50 ms to read, and more where tools returned much."""


class Piece(NamedTuple):
    """A range of a stream's own versions, and whether it leads to the version that is asked about."""

    range: VersionRange
    live: bool


class Scope(NamedTuple):
    """What is looked through of one session, in the order of its versions."""

    session: UUID
    pieces: Sequence[Piece]
    hidden: Collection[int] = frozenset()
    """Items that are not to be seen: a project's memories that no longer hold."""
    project: str | None = None
    """The project whose memory it is; None for a session."""


class Place(NamedTuple):
    """The session in which a document is found, and its item there."""

    session: UUID
    item: int


@dataclass(frozen=True)
class _Block:
    """A segment's visible documents, which have consecutive positions from `base` on."""

    base: int
    number: int
    session: UUID
    stream: UUID
    live: bool
    columns: Columns
    places: Sequence[int]
    """For each document, the place of its entry in the columns."""


class Visible:
    """Everything that the caller may see of some sessions. Nothing else is counted."""

    def __init__(self, wanted: Collection[str], agent: str | None) -> None:
        self._agent = agent
        self._blocks: list[_Block] = []
        self._bases: list[int] = []
        self._grown: dict[int, list[tuple[UUID, Entry]]] = {}
        self._positions: dict[bool, dict[int, int]] = {}
        self._count = 0
        self._length = 0
        self._speakers: set[str] = set()
        self._postings: dict[str, dict[int, int]] = {term: {} for term in sorted(wanted)}

    def add(self, number: int, scope: Scope, segments: Mapping[UUID, Sequence[Segment]]) -> None:
        """Adds a session. `segments` are those of the streams that it looks through, in the order of their versions."""
        self._positions = {True: {}, False: {}}
        for piece in scope.pieces:
            for segment in segments.get(piece.range.stream, ()):
                first = max(segment.range.first, piece.range.first)
                last = min(segment.range.last, piece.range.last)
                if first <= last:
                    self._add(number, scope, piece, segment)

    def corpus(self) -> Corpus:
        """The corpus."""
        return Corpus(_Documents(self), self._postings, self._count, self._length, self._speakers)

    def matching(self) -> set[int]:
        """The documents that a term of the query occurs in."""
        return set().union(*self._postings.values())

    def __len__(self) -> int:
        """The number of documents."""
        return self._count

    def document(self, position: int) -> Document:
        """One document."""
        block = self._block(position)
        columns, place = block.columns, block.places[position - block.base]
        document = Document(
            position,
            columns.item[place],
            block.number,
            columns.speaker[place],
            columns.type[place],
            columns.time[place],
            columns.length[place],
            columns.tokens[place],
            columns.marks[place],
        )
        if position not in self._grown:
            return document
        texts = [entry for _, entry in self._grown[position]]
        return document._replace(
            length=sum(text.length for text in texts),
            tokens=sum(text.tokens for text in texts),
            marks=reduce(or_, (text.marks for text in texts)),
        )

    def place(self, document: Document) -> Place:
        """Where a document is found."""
        return Place(self._block(document.position).session, document.id)

    def said_by(self, position: int) -> tuple[str | None, str | None]:
        """The name and the role of who said a document."""
        entry = self._entry(position)
        return entry.speaker, entry.role

    def is_live(self, position: int) -> bool:
        """Whether a document leads to the version that is asked about."""
        return self._block(position).live

    def versions(self, position: int) -> list[tuple[UUID, int]]:
        """The events that hold a document's text, oldest first, with the streams that hold them."""
        return [(stream, entry.version) for stream, entry in self._texts_of(position)]

    def _block(self, position: int) -> _Block:
        # Of several that begin at the same position, only the last has documents.
        return self._blocks[bisect_right(self._bases, position) - 1]

    def _entry(self, position: int) -> Entry:
        block = self._block(position)
        return block.columns.entry(block.places[position - block.base])

    def _texts_of(self, position: int) -> Sequence[tuple[UUID, Entry]]:
        """The texts that a document consists of."""
        return self._grown.get(position) or [(self._block(position).stream, self._entry(position))]

    def _add(self, number: int, scope: Scope, piece: Piece, segment: Segment) -> None:
        session, hidden = scope.session, scope.hidden
        columns, base, (range_, live) = segment.columns, self._count, piece
        size = len(columns.version)
        whole = size > 0 and range_.first <= columns.version[0] and columns.version[-1] <= range_.last
        self._bases.append(base)
        positions: Sequence[int | None]
        if whole and columns.item == columns.version and not any(columns.owner) and not hidden:
            # Most segments of a chat: each of their texts is a document of its own.
            positions = range(base, base + size)
            self._blocks.append(_Block(base, number, session, range_.stream, live, columns, range(size)))
            self._positions[live].update(zip(columns.item, positions, strict=True))
            self._length += sum(columns.length)
            self._count += size
            self._speakers.update(filter(None, columns.speaker))
        else:
            places: list[int] = []
            self._blocks.append(_Block(base, number, session, range_.stream, live, columns, places))
            positions = self._select(piece, columns, places, hidden)
        for term, found in self._postings.items():
            pairs = iter(segment.postings.get(term, ()))
            for place, count in zip(pairs, pairs, strict=True):
                position = positions[place]
                if position is not None:
                    found[position] = found.get(position, 0) + count

    def _select(
        self, piece: Piece, columns: Columns, places: list[int], hidden: Collection[int]
    ) -> list[int | None]:
        """Fills in the places of a segment's visible documents, and returns the position of each of its entries: that
        of the document that it begins or is more of; none where it is not to be seen."""
        (stream, first, last), live = piece
        known = self._positions[live]
        positions: list[int | None] = []
        for place, entry in enumerate(columns.entries()):
            position = None
            allowed = entry.owner in (None, self._agent) and entry.item not in hidden
            if first <= entry.version <= last and allowed:
                position = known.get(entry.item)
                if position is None:
                    position = known[entry.item] = self._count
                    places.append(place)
                    self._count += 1
                    self._length += entry.length
                    if entry.speaker:
                        self._speakers.add(entry.speaker)
                else:
                    self._grow(position, stream, entry, positions)
            positions.append(position)
        return positions

    def _grow(self, position: int, stream: UUID, entry: Entry, positions: list[int | None]) -> None:
        """Adds a text to a document. One that replaces what was there before takes its postings away."""
        texts = [*self._texts_of(position)]
        if entry.revises:
            self._length -= sum(text.length for _, text in texts)
            texts.clear()
            for found in self._postings.values():
                found.pop(position, None)
            positions[:] = [None if one == position else one for one in positions]
        self._grown[position] = [*texts, (stream, entry)]
        self._length += entry.length


class _Documents(Mapping[int, Document]):
    """All documents, each made when it is first asked for: a query looks closely at few of them."""

    def __init__(self, visible: Visible) -> None:
        self._visible = visible
        self._made: dict[int, Document] = {}

    def __getitem__(self, position: int) -> Document:
        made = self._made.get(position)
        if made is None:
            if position not in self:
                raise KeyError(position)
            made = self._made[position] = self._visible.document(position)
        return made

    def __contains__(self, position: object) -> bool:
        return isinstance(position, int) and 0 <= position < len(self._visible)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self._visible)))

    def __len__(self) -> int:
        return len(self._visible)


def look_through(
    runtime: Runtime, scopes: Sequence[Scope], wanted: Collection[str], agent: str | None
) -> Visible:
    """Reads what an agent may see of some sessions, with the postings of these terms."""
    segments = _segments(runtime, scopes, wanted)
    visible = Visible(wanted, runtime.agent(agent))
    for number, scope in enumerate(scopes):
        visible.add(number, scope, segments)
    return visible


def _segments(
    runtime: Runtime, scopes: Sequence[Scope], wanted: Collection[str]
) -> dict[UUID, list[Segment]]:
    """The segments of the scopes' streams. Where there are none, the log is read."""
    pieces = [piece.range for scope in scopes for piece in scope.pieces]
    found: dict[UUID, list[Segment]] = {piece.stream: [] for piece in pieces}
    for segment in read_segments(runtime, [*found], wanted):
        found[segment.range.stream].append(segment)
    covered = {stream: [segment.range for segment in segments] for stream, segments in found.items()}
    read = [
        _from_log(runtime, gap, wanted)
        for piece in dict.fromkeys(pieces)
        for gap in uncovered(piece, covered[piece.stream])
    ]
    for segment in read:
        found[segment.range.stream].append(segment)
    if sum(len(segment.columns.version) for segment in read) >= INDEXED_FROM:
        for stream, upto in {segment.range.stream: segment.range.last for segment in read}.items():
            with runtime.database.apart("to index") as connection:
                index_stream(runtime, connection, stream, upto)
    for segments in found.values():
        segments.sort(key=lambda segment: segment.range.first)
    return found


def _from_log(runtime: Runtime, gap: VersionRange, wanted: Collection[str]) -> Segment:
    entries, counts = [], []
    for entry, terms in index_entries(runtime, *gap):
        entries.append(entry)
        counts.append({term: terms[term] for term in wanted if term in terms})
    return Segment(gap, Columns.of(entries), postings_of(counts))
