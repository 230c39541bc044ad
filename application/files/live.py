"""Live files: a projection of the feed that syncs sessions as they change, and a sync at the end of a session."""

import logging
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import psycopg

from backstory.application.bootstrap import read_settings
from backstory.application.feed.projections import FeedBatch, TryLater
from backstory.application.files.tree import SessionFiles, sync
from backstory.application.queries.session_list import SessionFilter, read_sessions
from backstory.application.runtime import Runtime
from backstory.domain.errors import BackstoryError
from backstory.domain.values import LARGEST

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

    def apply(self, connection: psycopg.Connection, batch: FeedBatch) -> None:
        changed = {event.session for event in batch}
        try:
            # Those that were purged since have no files.
            there = read_sessions(self._store._runtime, SessionFilter(ids=tuple(changed)), LARGEST)
            ids = [listed.id for listed in there]
            sync(self._store, self._directory, ids, agent=None, rendered=self._rendered)
        except BackstoryError as error:
            raise TryLater(f"{self.name}: {error}") from error

    def reset(self, connection: psycopg.Connection) -> None:
        self._rendered.clear()


def live_files(store: "ContextStore") -> tuple[FilesProjection, ...]:
    """The projection, if the setting names a folder."""
    directory = read_settings().sync_dir
    return (FilesProjection(store, Path(directory)),) if directory else ()


def sync_ended(runtime: Runtime, session: UUID) -> None:
    """Syncs a session that has ended, if the setting names a folder. A folder that cannot be written is logged: the
    session has ended all the same."""
    from backstory.application.store import ContextStore

    directory = read_settings().sync_dir
    if not directory:
        return
    try:
        sync(ContextStore(runtime), directory, [session], agent=None)
    except BackstoryError as error:
        _LOGGER.warning("the files of session %s are not written: %s", session, error)
