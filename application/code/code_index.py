"""The index of a project's code: what is kept of its files and commits in Postgres, brought up to date."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from backstory.application.code.code_base import CodeBase, FileKey
from backstory.application.contents.batching import in_batches
from backstory.domain.code.bag import Bag, bag_of, pack, unpack
from backstory.domain.code.languages import LANGUAGES, LeftOut, language_of
from backstory.domain.code.ranking import Change, RankedFile
from backstory.domain.errors import InvalidInput
from backstory.domain.search.terms import VERSION as TERMS_VERSION
from backstory.infrastructure.code.extraction import extract, version_for
from backstory.infrastructure.code.git_history import Commit, commit_ids, read_commits
from backstory.infrastructure.code.parsers import PARSED, parses
from backstory.infrastructure.code.source_tree import SourceTree, read_tree
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.queries import query

Progress = Callable[[int, int], None]
"""Told of how many files of how many are indexed."""
BATCH = 200
"""Files that are saved together."""
EMPTY = bag_of("")


class _Kept(NamedTuple):
    """What is kept of a file, as far as the ranking needs it."""

    refusal: str | None
    content: Bag
    imports: tuple[str, ...]


class CodeIndex:
    """The index of the code in a folder. Files and commits are read once, whichever process reads them first."""

    def __init__(self, database: Database, root: Path) -> None:
        self._database = database
        self._root = root
        self._kept: Mapping[FileKey, _Kept] = {}
        self._changes: Mapping[str, Change] = {}

    def refresh(self, progress: Progress | None = None) -> CodeBase:
        """The code as it is now. What was changed since the last time is read, and nothing else."""
        if not self._root.is_dir():
            raise InvalidInput("path", f"must be a folder, got {str(self._root)!r}")
        return self.read(read_tree(self._root), progress)

    def read(self, tree: SourceTree, progress: Progress | None = None) -> CodeBase:
        """The code of a tree."""
        paths = {path: _key(path, digest) for path, digest in tree.digests.items()}
        self._kept = self._contents(tree, paths, progress)
        self._changes = self._history(tree)
        changes = [_below(tree.prefix, change) for change in self._changes.values()]
        ages: dict[str, int] = {}
        for age, change in enumerate(changes):
            for path in change.files:
                ages.setdefault(path, age)
        refused = [
            LeftOut(path, self._kept[key].refusal or "")
            for path, key in paths.items()
            if self._kept[key].refusal
        ]
        files = [
            RankedFile(path, self._kept[key].content, bag_of(path), ages.get(path))
            for path, key in sorted(paths.items())
            if self._kept[key].refusal is None
        ]
        return CodeBase(
            self._database,
            tree,
            files,
            paths,
            {file.path: self._kept[paths[file.path]].imports for file in files},
            changes,
            left_out=(*tree.left_out, *refused),
            notes=tuple(_notes(tree, {language for _, language in paths.values()})),
        )

    # Files

    def _contents(
        self, tree: SourceTree, paths: Mapping[str, FileKey], progress: Progress | None
    ) -> Mapping[FileKey, _Kept]:
        kept = {key: self._kept[key] for key in paths.values() if key in self._kept}
        by_key = {key: path for path, key in paths.items() if key not in kept}
        stale = []
        rows = self._database.read(
            lambda c: c.execute(
                query("code_contents"), ([digest for digest, _ in by_key],), binary=True
            ).fetchall()
        )
        for digest, language, version, refusal, content, imports, aged in rows:
            key = (digest, language)
            if key in by_key and version == version_for(language):
                kept[key] = _Kept(refusal, _first(content), _names(imports))
                if aged:
                    stale.append(digest)
        missing = {path: key for key, path in by_key.items() if key not in kept}
        for batch in in_batches(missing, _one, BATCH):
            kept |= self._index(tree, {path: missing[path] for path in batch})
            if progress is not None:
                progress(len(kept), len(paths))
        if stale or missing:
            self._use(stale, [])
        return kept

    def _index(self, tree: SourceTree, wanted: Mapping[str, FileKey]) -> Mapping[FileKey, _Kept]:
        """Reads files and keeps what is in them. One that vanished meanwhile is kept for nobody."""
        found = {key: _Kept("gone", EMPTY, ()) for key in wanted.values()}
        rows = []
        for path, data in tree.read(list(wanted)):
            digest, language = wanted[path]
            one = extract(data, language)
            found[digest, language] = _Kept(one.refusal, _first(one.content), _names(one.imports))
            rows.append((digest, language, one))
        for version in {version_for(language) for _, language, _ in rows}:
            same = [row for row in rows if version_for(row[1]) == version]
            columns = list(zip(*((digest, language, *one) for digest, language, one in same), strict=True))
            parameters = [version, *map(list, columns)]
            self._write(query("save_code_files"), parameters)
        return found

    # Commits

    def _history(self, tree: SourceTree) -> Mapping[str, Change]:
        """The newest commits, the newest first."""
        if tree.commit is None:
            return {}
        ids = commit_ids(tree.root, tree.commit)
        if ids == list(self._changes):
            return self._changes
        kept = {id: self._changes[id] for id in ids if id in self._changes}
        wanted = [bytes.fromhex(id) for id in ids if id not in kept]
        rows = self._database.read(
            lambda c: c.execute(query("code_commits"), (wanted, TERMS_VERSION), binary=True).fetchall()
        )
        kept |= {id.hex(): Change(_first(message), _paths(files)) for id, message, files, _ in rows}
        stale = [id for id, _, _, aged in rows if aged]
        missing = [id for id in ids if id not in kept]
        for batch in in_batches(missing, _one, BATCH * 5):
            kept |= self._index_commits(list(read_commits(tree.root, batch)))
        if stale:
            self._use([], stale)
        return {id: kept[id] for id in ids if id in kept}

    def _index_commits(self, commits: Sequence[Commit]) -> Mapping[str, Change]:
        found = {one.id: Change(bag_of(one.message), one.files) for one in commits}
        columns = (
            [bytes.fromhex(id) for id in found],
            [pack([change.message]) for change in found.values()],
            [
                "".join(f"{path}\0" for path in change.files).encode("utf-8", "surrogateescape")
                for change in found.values()
            ],
        )
        self._write(query("save_code_commits"), (TERMS_VERSION, *columns))
        return found

    def _use(self, digests: Sequence[bytes], commits: Sequence[bytes]) -> None:
        self._write(query("use_code"), (digests, commits))

    def _write(self, statement: bytes, parameters: Sequence[Any]) -> None:
        # Repeated, it saves the same again.
        self._database.repeat(lambda c: c.execute(statement, parameters), certain=True)


def _one(_: object) -> int:
    return 1


def _key(path: str, digest: str) -> FileKey:
    return bytes.fromhex(digest), language_of(path) or ""


def _first(packed: bytes) -> Bag:
    return unpack(packed)[0] if packed else EMPTY


def _names(packed: bytes) -> tuple[str, ...]:
    return tuple(packed.decode().split("\n")) if packed else ()


def _joined(paths: Sequence[str]) -> bytes:
    return "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")


def _paths(packed: bytes) -> tuple[str, ...]:
    return tuple(packed.decode("utf-8", "surrogateescape").split("\0")[:-1])


def _below(prefix: str, change: Change) -> Change:
    """A change with the paths that lie below a folder, as seen from there."""
    if not prefix:
        return change
    files = tuple(path.removeprefix(prefix) for path in change.files if path.startswith(prefix))
    return change._replace(files=files)


def _notes(tree: SourceTree, languages: set[str]) -> Sequence[str]:
    """What the index does without."""
    notes = []
    if tree.commit is None:
        notes.append("no git history: files are ranked by their paths and words")
    unparsed = sorted(one for one in languages if one in PARSED and not parses(one))
    if unparsed:
        notes.append(f"no parser for {', '.join(unparsed)}: the extra backstory[code] has them")
    if not tree.digests:
        notes.append(f"no code files in {len(LANGUAGES)} known suffixes")
    return notes
