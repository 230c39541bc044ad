"""Sync of sessions to a folder, in the layouts of the short-term memory document and of the context document."""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from backstory.application.files.conversations import conversation_files, document, lines, metadata
from backstory.application.files.edits import EditConflict
from backstory.application.files.memory_folder import MEMORY, MemoryFolder
from backstory.application.files.project_files import CACHE, CACHED, project_files
from backstory.application.files.session_memory import SessionMemory, session_memory
from backstory.application.files.views import View
from backstory.application.queries.session_list import SessionFilter, SessionSummary, read_sessions
from backstory.domain.errors import InvalidInput
from backstory.domain.memory_pages.page import Malformed, page_in
from backstory.domain.memory_pages.places import project_folder
from backstory.domain.values import LARGEST, label, listed
from backstory.infrastructure.file_tree import FileTree

if TYPE_CHECKING:
    from backstory.application.store import ContextStore

FOLDERS = ("context", "memory", CACHE)
SESSIONS = "context/sessions"
CONVERSATION = ("hot_context.json", "recent_history.jsonl", "summary.md", "metadata.json")
INDEX, ACTIVE, CURRENT = (
    "context/sessions.jsonl",
    "context/active_session.txt",
    "context/current-context.json",
)
HISTORY, SUMMARIES = "context/context-history", "context/compaction-summaries"
_OWN = (
    re.compile(rf"{HISTORY}/session-\d{{4}}-\d\d-\d\d-[0-9a-f]{{12}}\.json"),
    re.compile(rf"{SUMMARIES}/\d{{4}}-\d\d-\d\d-session-[0-9a-f]{{12}}-summary\.md"),
    re.compile(rf"{CACHED}/[A-Za-z0-9][A-Za-z0-9._-]{{0,99}}\.cache"),
    re.compile(rf"{SESSIONS}/[0-9a-f-]{{36}}/(?:{'|'.join(map(re.escape, CONVERSATION))})"),
)
"""Names that only a sync uses."""


class SessionFiles(NamedTuple):
    """The files of one session, and what it adds to the files that sessions share."""

    listed: SessionSummary
    inherits: bool
    """Whether the session is a fork: a text may be erased where it began, and its own version stays the same."""
    conversation: dict[str, bytes]
    context: bytes
    summary: bytes | None
    metadata: dict[str, Any]
    memory: SessionMemory


class Synced(NamedTuple):
    """The result of a sync."""

    directory: Path
    sessions: tuple[UUID, ...]
    written: tuple[Path, ...]
    removed: tuple[Path, ...]
    unchanged: int
    edits: int = 0
    """Memories that were recorded, superseded or forgotten because somebody edited a memory file."""
    conflicts: tuple[EditConflict, ...] = ()
    """Edits that met a change of the same memory."""
    refused: tuple[str, ...] = ()
    """Memory files that cannot be read, each with the line and the rule. They are left as they are."""


def sync(
    store: "ContextStore",
    directory: Path | str,
    sessions: Sequence[UUID | str] | None,
    *,
    agent: str | None,
    editor: str | None = None,
    projects: Sequence[str] = (),
    rendered: dict[UUID, SessionFiles] | None = None,
    strict: bool = True,
) -> Synced:
    """Writes these sessions and those already in the folder, or all, and the memory of their projects and of
    `projects`. Edits of memory files are recorded first; with `strict`, a file that cannot be read is refused before
    anything is recorded or written. The folder is locked meanwhile, so that the later of two syncs wins. `rendered`
    holds the files of an earlier sync for the same agent: those of sessions that have not changed are used again, and
    it holds those of this one afterwards."""
    if not isinstance(directory, str | Path) or not str(directory).strip():
        raise InvalidInput("directory", f"must be the path of a folder, got {directory!r}")
    if agent is not None:
        label("agent", agent)
    if editor is not None:
        label("by", editor)
    ids = None if sessions is None else [store.find(session) for session in listed("sessions", sessions)]
    for id in ids or ():
        store.summary(id)
    with FileTree.alone(directory, FOLDERS) as tree:
        earlier = {} if rendered is None else rendered
        rendered_now = [
            _rendered(store, listed, agent, earlier.get(listed.id)) for listed in _listed(store, tree, ids)
        ]
        if rendered is not None:
            rendered.clear()
            rendered.update((each.listed.id, each) for each in rendered_now)
        files = _files(rendered_now)
        own, misread = _project_files(store, tree, rendered_now, projects)
        files |= own
        stale = [name for name in _present(tree) if name not in files]
        folders = _memory_folders(store, tree, rendered_now, projects, agent, editor)
        refused = [error for folder in folders for error in folder.refused] + misread
        if refused and strict:
            raise refused[0]
        tree.check([*files, *stale, *(name for folder in folders for name in folder.names())])
        for folder in folders:
            folder.apply()
        for name, data in files.items():
            tree.write(name, data)
        for name in stale:
            tree.remove(name)
        for folder in folders:
            folder.write()
        return Synced(
            tree.root,
            tuple(each.listed.id for each in rendered_now),
            tuple(dict.fromkeys(tree.written)),
            tuple(tree.removed),
            tree.unchanged,
            sum(folder.recorded for folder in folders),
            tuple(conflict for folder in folders for conflict in folder.conflicts),
            tuple(str(error) for folder in folders for error in folder.refused) + tuple(map(str, misread)),
        )


def _project_files(
    store: "ContextStore", tree: FileTree, sessions: Sequence[SessionFiles], projects: Sequence[str]
) -> tuple[dict[str, bytes], list[InvalidInput]]:
    """The configuration and the cache of the one project that the folder is of: that of the newest session."""
    names = [each.listed.project for each in sessions[:1]] + list(projects)
    name = next((one for one in names if one is not None), None)
    if name is None:
        return {}, []
    files, refused = project_files(store.project(name), tree)
    return files, [] if refused is None else [refused]


def _memory_folders(
    store: "ContextStore",
    tree: FileTree,
    sessions: Sequence[SessionFiles],
    projects: Sequence[str],
    agent: str | None,
    editor: str | None,
) -> list[MemoryFolder]:
    """The memory of the projects that are asked for, that sessions belong to, or that are in the folder already; read,
    but not applied."""
    names = [*projects, *(each.listed.project for each in sessions), *_known_projects(tree)]
    folders = []
    for name in dict.fromkeys(name for name in names if name is not None):
        parts = [each.memory for each in sessions if each.listed.project == name]
        folder = MemoryFolder(tree, store.project(name), parts, agent=agent, editor=editor)
        folder.read()
        folders.append(folder)
    return folders


def _known_projects(tree: FileTree) -> list[str]:
    """The projects that have memory files in the folder."""
    found: dict[str, None] = {}
    for name in tree.names(f"{MEMORY}/*/*.md"):
        with suppress(Malformed):
            page = page_in(tree.read(name) or b"")
            if page.base is not None and project_folder(page.base.project) == name.split("/")[1]:
                found[page.base.project] = None
    return list(found)


def _listed(store: "ContextStore", tree: FileTree, ids: Sequence[UUID] | None) -> list[SessionSummary]:
    """The sessions to write, the most recently active first. One that was purged is not there, and its files go."""
    wanted = None if ids is None else (*dict.fromkeys([*ids, *_known(tree)]),)
    found = read_sessions(store._runtime, SessionFilter(ids=wanted), LARGEST)
    return sorted(found, key=lambda listed: (listed.last_activity, listed.id), reverse=True)


def _rendered(
    store: "ContextStore", listed: SessionSummary, agent: str | None, earlier: SessionFiles | None
) -> SessionFiles:
    if earlier is not None and earlier.listed == listed and not earlier.inherits:
        return earlier
    view = View(store.session(listed.id), listed, agent)
    return SessionFiles(
        listed=listed,
        inherits=view.inherits,
        conversation=conversation_files(view),
        context=document(view.current_context()),
        summary=None if view.summary is None else view.summary.encode(errors="replace"),
        metadata=metadata(view),
        memory=session_memory(view),
    )


def _known(tree: FileTree) -> list[UUID]:
    """The sessions that the folder has already."""
    known = []
    for name in tree.names(f"{SESSIONS}/*"):
        try:
            known.append(UUID(name.rpartition("/")[2]))
        except ValueError:
            continue
    return known


def _files(sessions: Sequence[SessionFiles]) -> dict[str, bytes]:
    """Every file, by its path below the folder."""
    files: dict[str, bytes] = {}
    for each in sessions:
        id = each.listed.id
        for name, data in each.conversation.items():
            files[f"{SESSIONS}/{id}/{name}"] = data
        day, end = f"{each.listed.started_at:%Y-%m-%d}", id.hex[-12:]
        if each is not sessions[0]:
            files[f"{HISTORY}/session-{day}-{end}.json"] = each.context
        if each.summary is not None:
            files[f"{SUMMARIES}/{day}-session-{end}-summary.md"] = each.summary
    if sessions:
        files[INDEX] = lines([each.metadata for each in sessions])
        files[ACTIVE] = f"{sessions[0].listed.id}\n".encode()
        files[CURRENT] = sessions[0].context
    return files


def _present(tree: FileTree) -> list[str]:
    """The files of earlier syncs."""
    folders = (f"{HISTORY}/*", f"{SUMMARIES}/*", f"{SESSIONS}/*/*", f"{CACHED}/*")
    names = [name for folder in folders for name in tree.names(folder)]
    own = [name for name in names if any(pattern.fullmatch(name) for pattern in _OWN)]
    return own + [name for name in (INDEX, ACTIVE, CURRENT) if tree.names(name)]
