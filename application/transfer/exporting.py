"""Sessions to one file: their streams and those they began in, oldest first, in little memory however long they are."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from backstory import __version__
from backstory.branch_replay import BranchReplay
from backstory.core import Core
from backstory.domain.chain import next_chain
from backstory.domain.errors import InvalidInput, VerificationFailed
from backstory.domain.fold import FOLD_VERSION
from backstory.domain.lineage import Seam, first_own_version, lineage
from backstory.domain.references import PLAIN_TEXT
from backstory.domain.state import ContextState
from backstory.evidence import GROUP_BYTES
from backstory.identifiers import session_id
from backstory.infrastructure.log import Head
from backstory.infrastructure.mapper import StoredRow
from backstory.infrastructure.moment import Moment, at_one_moment
from backstory.infrastructure.queries import query
from backstory.transfer.files import ExportWriter, written
from backstory.transfer.lines import FORMAT, content_line, encode, event_line

Progress = Callable[[int, int], None]
"""Called now and then with the events written so far and those there are."""

BATCH = 200
STATE_EVERY = 500
"""A state's digest is noted at least this often: a reader who disagrees learns where."""


class Exported(NamedTuple):
    """What an export wrote. `streams` are all that are in it, each with its newest version and the chain there."""

    file: Path
    sessions: tuple[UUID, ...]
    streams: tuple[tuple[UUID, int, str], ...]
    lines: int
    events: int
    contents: int
    bytes: int
    """Before they were compressed."""
    sha256: str
    """Of every line but the closing one, which says the same."""


def export(
    core: Core,
    sessions: Sequence[UUID | str],
    path: Path | str,
    *,
    zstd: bool = False,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Exported:
    """Exports sessions, as all of them are at one moment; see ContextStore.export."""
    wanted = tuple(dict.fromkeys(map(session_id, sessions)))
    if not wanted:
        raise InvalidInput("sessions", "must name at least one")
    place = _path(path)

    def attempt(moment: Moment) -> Exported:
        with written(place, zstd=zstd, overwrite=overwrite) as writer:
            return _Exporting(Core.over(moment), wanted, place, writer, progress).run()

    return at_one_moment(core.database, attempt)


def _path(path: Path | str) -> Path:
    place = Path(path)
    if "\0" in str(place) or not place.name:
        raise InvalidInput("file", f"{str(place)!r} cannot be a path")
    return place


class _Own(NamedTuple):
    """A stream that is to be written."""

    head: Head
    seams: list[Seam]

    @property
    def first(self) -> int:
        return first_own_version(self.seams, self.head.stream)


class _Exporting:
    """One writing of one file."""

    def __init__(
        self,
        core: Core,
        sessions: tuple[UUID, ...],
        path: Path,
        writer: ExportWriter,
        progress: Progress | None,
    ) -> None:
        self._core = core
        self._sessions = sessions
        self._path = path
        self._writer = writer
        self._progress = progress
        self._streams: dict[UUID, _Own] = {}
        self._roots: dict[tuple[UUID, int], bytes] = {}
        self._counts = {"events": 0, "contents": 0, "appends": 0, "states": 0}

    def run(self) -> Exported:
        for session in self._sessions:
            self._add(session)
        self._write_header()
        for own in self._streams.values():
            self._write_stream(own)
        sha256 = self._writer.sha256
        totals = {"lines": self._writer.lines + 1, "streams": len(self._streams), **self._counts}
        self._writer.write(encode("closing", totals, sha256=sha256))
        self._report()
        return Exported(
            file=self._path,
            sessions=self._sessions,
            streams=tuple(
                (stream, own.head.version, own.head.chain.hex()) for stream, own in self._streams.items()
            ),
            lines=self._writer.lines,
            events=self._counts["events"],
            contents=self._counts["contents"],
            bytes=self._writer.bytes,
            sha256=sha256,
        )

    def _add(self, stream: UUID) -> None:
        """A stream, after those that it began in. Those come whole: what a fork inherited may have been erased later
        on, and only the rest of its parent's log says so."""
        line: list[_Own] = []
        while stream not in self._streams:
            head = self._core.require_head(stream)
            line.append(_Own(head, self._core.log.seams(stream)))
            if line[-1].first == 1:
                break
            stream = line[-1].seams[0].resumed_stream
        for own in reversed(line):
            self._streams[own.head.stream] = own

    def _write_header(self) -> None:
        notes: list[dict[str, Any]] = []
        for stream, own in self._streams.items():
            seams = [list(seam) for seam in own.seams]
            note = {"stream": stream, "kind": own.head.kind, "first": own.first, "last": own.head.version}
            notes.append(note | {"chain": own.head.chain.hex()} | ({"seams": seams} if seams else {}))
        self._writer.write(
            encode(
                "backstory",
                "export",
                format=FORMAT,
                made_by=f"backstory {__version__}",
                fold=FOLD_VERSION,
                sessions=self._sessions,
                streams=notes,
            )
        )

    def _write_stream(self, own: _Own) -> None:
        stream = own.head.stream
        before = dict(self._counts)
        self._writer.write(encode("stream", stream))
        branch = lineage(stream, own.head.version, lambda one: self._streams[one].seams)
        replay = BranchReplay(stream, own.seams, branch, self._root, remembers=False)
        states = {own.head.version} | {seam.version for seam in own.seams}
        resumed = self._resumed_elsewhere(stream)
        appends = self._appends(stream)
        pending = next(appends, None)
        chain = b"" if own.first == 1 else self._core.log.chain_at(*own.seams[0][1:]) or b""
        for row, contents in self._rows(own):
            version = row.originator_version
            chain = next_chain(chain, row.envelope)
            if chain != row.chain:
                raise VerificationFailed(
                    f"session {stream}: events, version {version}: does not match its chain."
                )
            self._write("events", event_line(row.envelope, chain))
            for content in contents:
                self._write("contents", content)
            while pending is not None and pending[2] <= version:
                self._write("appends", _append_line(pending))
                pending = next(appends, None)
            event, state = self._fold(replay, row)
            if version in resumed:
                self._roots[stream, version] = state.encode()
            if version in states or version % STATE_EVERY == 0 or event.effects.marks is not None:
                self._write("states", encode("state", version, digest=state.digest()))
            if self._counts["events"] % STATE_EVERY == 0:
                self._report()
        if chain != own.head.chain:
            raise VerificationFailed(f"session {stream}: streams.chain: differs from the newest event's.")
        counted = {name: count - before[name] for name, count in self._counts.items()}
        self._writer.write(encode("end", stream, **counted, chain=chain.hex()))

    def _fold(self, replay: BranchReplay, row: StoredRow) -> tuple[Any, ContextState]:
        try:
            event = self._core.mapper.to_domain_event(row)
            return event, replay.evolve(event)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            where = f"session {row.stream}: events, version {row.originator_version}"
            raise VerificationFailed(f"{where}: cannot be folded: {error!r}.") from None

    def _root(self, stream: UUID, version: int) -> ContextState:
        return ContextState.decode(self._roots[stream, version])

    def _resumed_elsewhere(self, stream: UUID) -> set[int]:
        return {
            seam.resumed_version
            for other, own in self._streams.items()
            if other != stream
            for seam in own.seams
            if seam.resumed_stream == stream
        }

    def _rows(self, own: _Own) -> Iterator[tuple[StoredRow, Iterator[bytes]]]:
        """Each event with the lines of its contents, which are to be taken before the next event is."""
        for batch in self._core.log.batches(own.head.stream, own.first - 1, own.head.version, BATCH):
            groups = groupby(self._contents(own.head.stream, batch[0], batch[-1]), itemgetter(0))
            version, lines = next(groups, (0, iter(())))
            for row in batch:
                if version != row.originator_version:
                    yield row, iter(())
                    continue
                yield row, (line for _, line in lines)
                version, lines = next(groups, (0, iter(())))

    def _contents(self, stream: UUID, first: StoredRow, last: StoredRow) -> Iterator[tuple[int, bytes]]:
        """The lines of the contents of these events, in order; few of their bytes are held at a time."""
        between = (stream, first.originator_version, last.originator_version)
        rows = self._read(query("contents_without_bytes"), *between)
        group: list[Any] = []
        held = 0
        for row in rows:
            size = row[7] or 0
            if group and held + size > GROUP_BYTES:
                yield from self._content_lines(stream, group)
                group, held = [], 0
            group.append(row)
            held += size
        yield from self._content_lines(stream, group)

    def _content_lines(self, stream: UUID, group: list[Any]) -> Iterator[tuple[int, bytes]]:
        own = [(row[0], row[1]) for row in group if row[5] is None]
        places = ([place[0] for place in own], [place[1] for place in own])
        found = {
            (version, part): data
            for version, part, data in (self._read(query("content_bytes_at"), *places, stream) if own else ())
        }
        for version, part, media, salt, _, twin_version, twin_part, _ in group:
            twin = None if twin_version is None else (twin_version, twin_part)
            data = None if twin is not None else found.pop((version, part))
            line = content_line(version, part, None if media == PLAIN_TEXT else media, salt, data, twin)
            yield version, line

    def _appends(self, stream: UUID) -> Iterator[Any]:
        """A cursor of the server's: there may be a key for every event."""
        with (
            self._core.database.connection() as connection,
            connection.cursor(name=f"appends_{stream.hex}") as cursor,
        ):
            cursor.itersize = 1000
            cursor.execute(query("appends_in_order"), (stream,), binary=True)
            yield from cursor

    def _read(self, text: bytes, *parameters: Any) -> list[Any]:
        return self._core.database.read(lambda c: c.execute(text, parameters, binary=True).fetchall())

    def _write(self, kind: str, line: bytes) -> None:
        self._counts[kind] += 1
        self._writer.write(line)

    def _report(self) -> None:
        if self._progress is not None:
            total = sum(own.head.version - own.first + 1 for own in self._streams.values())
            self._progress(self._counts["events"], total)


def _append_line(row: Any) -> bytes:
    key, first, last, fingerprint, proof = row
    return encode("append", key, first=first, last=last, fingerprint=fingerprint.hex(), proof=proof.hex())
