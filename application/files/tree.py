"""Sync of sessions to a folder, in the layouts of the short-term memory document and of the context document."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from backstory.application.files.conversations import conversation_files, document, lines, metadata
from backstory.application.files.memory import MARK, memory_files
from backstory.application.files.views import View
from backstory.application.queries.session_list import SessionSummary
from backstory.domain.errors import InvalidInput, UnknownSession
from backstory.domain.values import LARGEST, label, listed
from backstory.infrastructure.file_tree import FileTree

if TYPE_CHECKING:
    from backstory.application.store import ContextStore

FOLDERS = ("context", "memory")
SESSIONS = "context/sessions"
CONVERSATION = ("hot_context.json", "recent_history.jsonl", "summary.md", "metadata.json")
INDEX, ACTIVE, CURRENT = (
    "context/sessions.jsonl",
    "context/active_session.txt",
    "context/current-context.json",
)
HISTORY, SUMMARIES, MEMORY = "context/context-history", "context/compaction-summaries", "memory"
_OWN = (
    re.compile(rf"{HISTORY}/session-\d{{4}}-\d\d-\d\d-[0-9a-f]{{12}}\.json"),
    re.compile(rf"{SUMMARIES}/\d{{4}}-\d\d-\d\d-session-[0-9a-f]{{12}}-summary\.md"),
    re.compile(rf"{SESSIONS}/[0-9a-f-]{{36}}/(?:{'|'.join(map(re.escape, CONVERSATION))})"),
)
"""Names that only a sync uses. Files in the memory folder are recognized by their first line."""


class Synced(NamedTuple):
    """The result of a sync."""

    directory: Path
    sessions: tuple[UUID, ...]
    written: tuple[Path, ...]
    removed: tuple[Path, ...]
    unchanged: int


def sync(
    store: "ContextStore",
    directory: Path | str,
    sessions: Sequence[UUID | str] | None,
    *,
    agent: str | None,
) -> Synced:
    """Writes these sessions and those already in the folder, or all. The folder is locked meanwhile, so that the
    later of two syncs wins."""
    if not isinstance(directory, str | Path) or not str(directory).strip():
        raise InvalidInput("directory", f"must be the path of a folder, got {directory!r}")
    if agent is not None:
        label("agent", agent)
    ids = None if sessions is None else [store.find(session) for session in listed("sessions", sessions)]
    for id in ids or ():
        store.summary(id)
    with FileTree.alone(directory, FOLDERS) as tree:
        views = _views(store, tree, ids, agent)
        files = _files(views)
        stale = [name for name in _present(tree) if name not in files]
        tree.check([*files, *stale])
        for name, data in files.items():
            tree.write(name, data)
        for name in stale:
            tree.remove(name)
        done = tuple(view.session.id for view in views)
        return Synced(tree.root, done, tuple(tree.written), tuple(tree.removed), tree.unchanged)


def _views(
    store: "ContextStore", tree: FileTree, ids: Sequence[UUID] | None, agent: str | None
) -> list[View]:
    """The sessions to write, the most recently active first."""
    summaries: list[SessionSummary] = []
    if ids is None:
        summaries = store.sessions(limit=LARGEST)
    else:
        for id in dict.fromkeys([*ids, *_known(tree)]):
            # One that was purged since is not there, and then its files go.
            try:
                summaries.append(store.summary(id))
            except UnknownSession:
                continue
    summaries.sort(key=lambda summary: (summary.last_activity, summary.id), reverse=True)
    return [View(store.session(summary.id), summary, agent) for summary in summaries]


def _known(tree: FileTree) -> list[UUID]:
    """The sessions that the folder has already."""
    known = []
    for name in tree.names(f"{SESSIONS}/*"):
        try:
            known.append(UUID(name.rpartition("/")[2]))
        except ValueError:
            continue
    return known


def _files(views: Sequence[View]) -> dict[str, bytes]:
    """Every file, by its path below the folder."""
    files: dict[str, bytes] = {}
    for view in views:
        for name, data in conversation_files(view).items():
            files[f"{SESSIONS}/{view.id}/{name}"] = data
        day, end = f"{view.listed.started_at:%Y-%m-%d}", view.session.id.hex[-12:]
        if view is not views[0]:
            files[f"{HISTORY}/session-{day}-{end}.json"] = document(view.current_context())
        if view.summary is not None:
            files[f"{SUMMARIES}/{day}-session-{end}-summary.md"] = view.summary.encode(errors="replace")
    if views:
        files[INDEX] = lines([metadata(view) for view in views])
        files[ACTIVE] = f"{views[0].id}\n".encode()
        files[CURRENT] = document(views[0].current_context())
    for name, data in memory_files(views).items():
        files[f"{MEMORY}/{name}"] = data
    return files


def _present(tree: FileTree) -> list[str]:
    """The files of earlier syncs."""
    folders = (f"{HISTORY}/*", f"{SUMMARIES}/*", f"{SESSIONS}/*/*")
    names = [name for folder in folders for name in tree.names(folder)]
    own = [name for name in names if any(pattern.fullmatch(name) for pattern in _OWN)]
    own += [name for name in (INDEX, ACTIVE, CURRENT) if tree.names(name)]
    return own + [name for name in tree.names(f"{MEMORY}/*.md") if tree.begins_with(name, MARK.encode())]
