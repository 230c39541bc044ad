"""Live files: a projection of the feed that syncs sessions as they change, and a sync at the end of a session."""

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import psycopg

from backstory.application.bootstrap import read_settings
from backstory.application.contents.erasure import Erased
from backstory.application.feed.projections import FeedBatch, TryLater
from backstory.application.files.memory_folder import MEMORY
from backstory.application.files.tree import SESSIONS, SessionFiles, Synced, sync
from backstory.application.queries.session_list import SessionFilter, read_sessions
from backstory.application.runtime import PROJECT, Runtime
from backstory.domain.access import OWNER
from backstory.domain.errors import BackstoryError
from backstory.domain.memory_pages.edits import edits_of
from backstory.domain.memory_pages.page import Malformed, Page, page_in
from backstory.domain.values import LARGEST
from backstory.infrastructure.file_tree import DISPLACED

if TYPE_CHECKING:
    from backstory.application.store import ContextStore

_LOGGER = logging.getLogger(__name__)


class FilesProjection:
    """Writes the files of sessions to a folder as the sessions change. The files show the newest state, so a batch that
    is applied twice changes nothing."""

    name = "files"
    types: Collection[str] = ()

    def __init__(self, store: "ContextStore", directory: Path) -> None:
        self._store = store
        self._directory = directory
        self._rendered: dict[UUID, SessionFiles] = {}
        self._refused: str | None = None

    def apply(self, connection: psycopg.Connection, batch: FeedBatch) -> None:
        changed = {event.session for event in batch}
        runtime = self._store._runtime
        try:
            # Those that were purged since have no files.
            there = read_sessions(runtime, SessionFilter(ids=tuple(changed)), LARGEST)
            ids = [listed.id for listed in there]
            heads = [runtime.log.head(stream) for stream in changed.difference(ids)]
            projects = [head.labels["project"] for head in heads if head is not None and head.kind == PROJECT]
            self._sync(ids, projects)
        except BackstoryError as error:
            raise TryLater(f"{self.name}: {error}") from error

    def idle(self) -> str | None:
        """Reads back what people have edited in the memory files. Called when there are no events."""
        try:
            return self._sync([], []) if is_edited(self._directory) else self._refused
        except BackstoryError as error:
            return f"{self.name}: {error}"

    def _sync(self, sessions: Sequence[UUID], projects: Sequence[str]) -> str | None:
        done = sync(
            self._store,
            self._directory,
            sessions,
            agent=None,
            editor=read_settings().sync_by or None,
            projects=projects,
            rendered=self._rendered,
            strict=False,
        )
        tell(done)
        self._refused = done.refused[0] if done.refused else None
        return self._refused

    def reset(self, connection: psycopg.Connection) -> None:
        self._rendered.clear()


def live_files(store: "ContextStore") -> tuple[FilesProjection, ...]:
    """The projection, if the setting names a folder."""
    directory = read_settings().sync_dir
    return (FilesProjection(store, Path(directory)),) if directory else ()


def sync_ended(runtime: Runtime, session: UUID) -> None:
    """Syncs a session that has ended, if the setting names a folder. A folder that cannot be written is logged: the
    session has ended all the same."""
    _sync_again(runtime, [session], f"the files of session {session}")


def erased_from_files(runtime: Runtime, done: Erased, *, dry_run: bool) -> Erased:
    """Names the files in the folder of the setting that show erased contents, and writes them again."""
    directory = read_settings().sync_dir
    if not directory:
        return done
    files = tuple(_files_showing(Path(directory).expanduser(), done))
    if files and not dry_run:
        _sync_again(runtime, [], "files with erased contents")
    return done._replace(files=files)


def tell(done: Synced) -> None:
    """Logs what people should know of their edits."""
    for conflict in done.conflicts:
        _LOGGER.warning(
            "an edit of memory %s of project %s in %s met a change: %s",
            conflict.memory,
            conflict.project,
            conflict.file,
            conflict.what,
        )
    for refused in done.refused:
        _LOGGER.warning("a memory file is left as it is: %s", refused)


def is_edited(directory: Path) -> bool:
    """Whether somebody has edited a memory file, as far as it can be read."""
    if any(directory.glob(f"{MEMORY}/*/{DISPLACED}*")):
        return True
    return any(page.base is not None and edits_of(page) for _, page in _pages(directory))


def _files_showing(directory: Path, done: Erased) -> Iterator[Path]:
    """The files of the sessions that lost contents, and the memory files with memories that did."""
    gone = {(content.project, content.version) for content in done.contents}
    for session in dict.fromkeys(content.stream for content in done.contents if content.project is None):
        yield from sorted(directory.glob(f"{SESSIONS}/{session}/*"))
    for path, page in _pages(directory):
        if page.base is not None and any((page.base.project, id) in gone for id in page.base.memories):
            yield path


def _pages(directory: Path) -> Iterator[tuple[Path, Page]]:
    for path in sorted(directory.glob(f"{MEMORY}/*/*.md")):
        with suppress(Malformed, OSError):
            yield path, page_in(path.read_bytes())


def _sync_again(runtime: Runtime, sessions: Sequence[UUID], what: str) -> None:
    from backstory.application.store import ContextStore

    settings = read_settings()
    if not settings.sync_dir:
        return
    try:
        # The folder is the operator's: it has all sessions, whoever has written just now.
        store = ContextStore(runtime._replace(caller=OWNER, conditions=None))
        editor = settings.sync_by or None
        tell(sync(store, settings.sync_dir, sessions, agent=None, editor=editor, strict=False))
    except BackstoryError as error:
        _LOGGER.warning("%s are not written: %s", what, error)
