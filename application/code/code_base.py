"""The code of a project as it was when it was read: ranked, mapped, searched."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from backstory.domain.code.bag import Bag, unpack
from backstory.domain.code.definitions import Chunk, Definition, chunks_of
from backstory.domain.code.imports import ImportGraph
from backstory.domain.code.languages import LeftOut
from backstory.domain.code.neighbours import Neighbour, neighbours
from backstory.domain.code.ranking import Change, Query, RankedFile, bm25, query_of, score_files
from backstory.domain.code.relevance import relevance
from backstory.domain.code.repo_map import MappedFile, RepoMap, draw_map
from backstory.domain.errors import InvalidInput
from backstory.domain.tasks.excerpt import Block
from backstory.domain.values import is_number, whole_number
from backstory.infrastructure.code.extraction import text_of, unpacked_definitions
from backstory.infrastructure.code.source_tree import SourceTree, digest_of
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.queries import query

FileKey = tuple[bytes, str]
"""The digest of a file's bytes, and its language."""
CONSIDERED = 60
"""Files whose definitions are looked at. A file that ranks lower is hardly ever meant."""


class FileRank(NamedTuple):
    """A file and its score for a task."""

    path: str
    score: float


class CodeResult(NamedTuple):
    """A piece of code that a query finds."""

    path: str
    first: int
    """Its first line, counted from 1."""
    last: int
    kind: str | None
    """The kind of its definition; None for lines outside of all."""
    name: str | None
    text: str
    relevance: float
    """The estimated share of pieces of this score whose file the task changes."""


class _Outline(NamedTuple):
    """The definitions of a file, and its chunks with their terms."""

    definitions: Sequence[Definition]
    chunks: Sequence[Chunk]
    bags: Sequence[Bag]


class ScoredChunk(NamedTuple):
    """A piece of code with its scores."""

    path: str
    place: int
    file: float
    """The score of its file."""
    chunk: float
    """How much its own words are about the task, from 0 to 1."""
    outline: _Outline


class CodeBase:
    """The code of a project at one moment."""

    def __init__(
        self,
        database: Database,
        tree: SourceTree,
        files: Sequence[RankedFile],
        keys: Mapping[str, FileKey],
        imports: Mapping[str, Sequence[str]],
        changes: Sequence[Change],
        left_out: Sequence[LeftOut],
        notes: Sequence[str],
    ) -> None:
        self._database = database
        self._tree = tree
        self._files = files
        self._keys = keys
        self._named = imports
        self._changes = changes
        self.left_out = tuple(left_out)
        self.notes = tuple(notes)

    @property
    def commit(self) -> str | None:
        """The newest commit; None without git."""
        return self._tree.commit

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The paths of all indexed files."""
        return tuple(file.path for file in self._files)

    def neighbours(self, paths: Sequence[str]) -> list[Neighbour]:
        """The files that belong to some files: what these import, tests of them, and what imports them."""
        return list(neighbours(paths, self._imports, self.paths))

    def rank(self, task: str, limit: int | None = None) -> list[FileRank]:
        """The files that a task is most likely about, the best first."""
        if limit is not None:
            whole_number("limit", limit, minimum=1)
        return self._ranked(query_of(task))[:limit]

    def repo_map(
        self, task: str, budget: int, count: Callable[[str], int], first: Collection[str] = ()
    ) -> RepoMap:
        """A map of the files that a task is most likely about, with signatures, in at most `budget` tokens as `count`
        counts them. Files in `first` come before all others."""
        whole_number("budget", budget, minimum=0)
        asked = query_of(task)
        ranked = self._ranked(asked)
        known = [file for file in ranked if file.path in first]
        best = [file for file in ranked if file.path not in first][: max(CONSIDERED - len(known), 0)]
        chosen = [*known, *best]
        outlines = self._outlines([file.path for file in chosen])
        scores = _scored_chunks(asked, outlines)
        mapped = [_mapped(file, outlines.get(file.path), scores.get(file.path, ())) for file in chosen]
        rest = [MappedFile(file.path, file.score) for file in ranked[CONSIDERED:] if file.path not in first]
        return draw_map([*mapped, *rest], len(self._files), budget, count, first)

    def search(
        self, text: str, limit: int = 5, minimum: float = 0.5, without: Collection[str] = ()
    ) -> list[CodeResult]:
        """The pieces of code that a text is most likely about, the best first, none of files in `without`."""
        whole_number("limit", limit, minimum=0)
        if not is_number(minimum) or not 0 <= minimum <= 1:
            raise InvalidInput("minimum", f"must be from 0 to 1, got {minimum!r}")
        if not limit:
            return []
        scored = [one for one in self.scored_chunks(text, without) if one.chunk > 0]
        found = [(relevance(one.file, one.chunk), one) for one in scored]
        results: list[CodeResult] = []
        for share, one in sorted(found, key=lambda pair: (-pair[0], pair[1].path, pair[1].place)):
            if share < minimum or len(results) == limit:
                break
            results += self._result(one, share)
        return results

    def scored_chunks(self, text: str, without: Collection[str] = ()) -> list[ScoredChunk]:
        """The pieces of the files that a text is most likely about, with the scores of each."""
        asked = query_of(text)
        if not asked:
            return []
        ranked = [file for file in self._ranked(asked) if file.path not in without][:CONSIDERED]
        outlines = self._outlines([file.path for file in ranked])
        scores = _scored_chunks(asked, outlines)
        return [
            ScoredChunk(file.path, place, file.score, score, outlines[file.path])
            for file in ranked
            for place, score in enumerate(scores.get(file.path, ()))
        ]

    def blocks(self, task: str, path: str, data: bytes) -> list[Block]:
        """The definitions of a file as blocks of lines, with how much each is about a task; none where the file is not
        indexed, or has other bytes by now."""
        key = self._keys.get(path)
        if key is None or bytes.fromhex(digest_of(data)) != key[0]:
            return []
        outlines = self._outlines([path])
        scores = _scored_chunks(query_of(task), outlines).get(path, ())
        found: list[Block] = []
        for chunk, score in zip(outlines[path].chunks if scores else (), scores, strict=True):
            if not found or chunk.first > found[-1].last:
                named = (
                    None if chunk.definition is None else outlines[path].definitions[chunk.definition].name
                )
                found.append(Block(chunk.first, chunk.last, score, named))
        return found

    # Steps

    @cached_property
    def _imports(self) -> Mapping[str, Sequence[str]]:
        """For each file the files that it imports."""
        graph = ImportGraph(self.paths)
        return {
            path: [one for name in names for one in graph.resolve(path, self._keys[path][1], name)]
            for path, names in self._named.items()
        }

    def _ranked(self, asked: Query) -> list[FileRank]:
        scores = score_files(asked, self._files, self._changes)
        ranked = [FileRank(file.path, score) for file, score in zip(self._files, scores, strict=True)]
        return sorted(ranked, key=lambda one: (-one.score, one.path))

    def _outlines(self, paths: Sequence[str]) -> Mapping[str, _Outline]:
        keys = {self._keys[path]: path for path in paths}
        rows = self._database.read(
            lambda c: c.execute(
                query("code_definitions"), ([digest for digest, _ in keys],), binary=True
            ).fetchall()
        )
        kept = {}
        for digest, language, _, lines, definitions, bags in rows:
            found = unpacked_definitions(definitions)
            kept[digest, language] = _Outline(found, chunks_of(found, lines), unpack(bags))
        return {path: kept[self._keys[path]] for path in paths if self._keys[path] in kept}

    def _result(self, one: ScoredChunk, share: float) -> list[CodeResult]:
        """A result, if its file still says what was indexed."""
        data = dict(self._tree.read([one.path])).get(one.path)
        if data is None or bytes.fromhex(digest_of(data)) != self._keys[one.path][0]:
            return []
        chunk = one.outline.chunks[one.place]
        text = text_of(data.decode("utf-8", "replace").split("\n"), chunk)
        definition = None if chunk.definition is None else one.outline.definitions[chunk.definition]
        kind, name = (None, None) if definition is None else (definition.kind, definition.name)
        return [CodeResult(one.path, chunk.first, chunk.last, kind, name, text, share)]


def _scored_chunks(asked: Query, outlines: Mapping[str, _Outline]) -> Mapping[str, Sequence[float]]:
    """How much each chunk is about the query, as a share of the best."""
    bags = [bag for outline in outlines.values() for bag in outline.bags]
    scores = bm25(asked, bags)
    best = max(scores, default=0.0) or 1.0
    found, at = {}, 0
    for path, outline in outlines.items():
        found[path] = [score / best for score in scores[at : at + len(outline.bags)]]
        at += len(outline.bags)
    return found


def _mapped(file: FileRank, outline: _Outline | None, scores: Sequence[float]) -> MappedFile:
    if outline is None:
        return MappedFile(file.path, file.score)
    by_definition = {
        chunk.definition: score
        for chunk, score in zip(outline.chunks, scores, strict=True)
        if chunk.definition is not None
    }
    values = [by_definition.get(place, 0.0) for place in range(len(outline.definitions))]
    return MappedFile(file.path, file.score, outline.definitions, values)
