"""The folder with the memory files of one project: read back, then written."""

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from backstory.application.files.edits import EditConflict, apply_edits
from backstory.application.files.memory_pages import project_pages
from backstory.application.files.session_memory import SessionMemory
from backstory.application.memory.project import Project
from backstory.domain.errors import Conflict, InvalidInput
from backstory.domain.memory_pages.page import Incomplete, Malformed, Page, page_in, write_page
from backstory.domain.memory_pages.places import NOTES_END, project_folder
from backstory.infrastructure.file_tree import DISPLACED, FileTree

MEMORY = "memory"
PATIENCE = 1.0
"""Seconds that somebody who is just writing a file may take to end."""
ATTEMPTS = 20
"""Times that a file is written again because somebody else wrote it, too."""
SOMEBODY = "somebody"
"""The editor of a file whose owner has no name."""
_SET_ASIDE = ".edited-"


class MemoryFolder:
    """The memory files of one project. An edit is recorded before its file is written again."""

    def __init__(
        self,
        tree: FileTree,
        project: Project,
        sessions: Sequence[SessionMemory],
        *,
        agent: str | None,
        editor: str | None,
    ) -> None:
        self._tree = tree
        self._project = project
        self._sessions = sessions
        self._agent = agent
        self._editor = editor
        self._folder = f"{MEMORY}/{project_folder(project.name)}"
        self._seen: dict[str, bytes] = {}
        """What stands in each file now."""
        self._pages: dict[str, Page] = {}
        """The same, as pages."""
        self._edited: list[tuple[str, Page, str]] = []
        """Pages to be read back, each with the file it is of and its editor."""
        self._displaced: list[str] = []
        self._left_alone: set[str] = set()
        self.recorded = 0
        self.conflicts: list[EditConflict] = []
        self.refused: list[InvalidInput] = []

    def read(self) -> None:
        """Reads the files as somebody may have edited them. Records nothing."""
        expected = project_pages(self._project, self._sessions, self._agent)
        for name in self._tree.names(f"{self._folder}/*.md"):
            file = name.rpartition("/")[2]
            if _SET_ASIDE not in file:
                self._read_file(name, file, expected=file in expected)
        # One that stood where a page was written by a sync that did not live to look at it.
        for name in self._tree.names(f"{self._folder}/{DISPLACED}*"):
            self._take_displaced(name)

    def names(self) -> list[str]:
        """The files that will be written."""
        return [f"{self._folder}/{file}" for file in self._rendered()]

    def apply(self) -> None:
        """Records the edits that were read."""
        for file, page, editor in self._edited:
            done = apply_edits(self._project, file, page, editor)
            self.recorded += done.recorded
            self.conflicts += done.conflicts
        self._edited.clear()
        for name in self._displaced:
            self._tree.discard(name)
        self._displaced.clear()

    def write(self) -> None:
        """Writes the pages. Whoever wrote a file meanwhile is read back, too."""
        for _ in range(ATTEMPTS):
            pages = self._rendered()
            behind = {file: data for file, data in pages.items() if self._seen.get(file) != data}
            if not behind:
                written = {path.name for path in self._tree.written if path.parent.name == self._folder_name}
                self._tree.unchanged += len(pages.keys() - written)
                return
            for file, data in behind.items():
                self._swap(file, data)
            self.apply()
        raise Conflict(f"{self._folder} is being written all the time; sync again.")

    # Steps

    @property
    def _folder_name(self) -> str:
        return self._folder.rpartition("/")[2]

    def _rendered(self) -> dict[str, bytes]:
        pages = project_pages(self._project, self._sessions, self._agent, self._seen)
        return {file: self._bytes(file, page) for file, page in pages.items() if file not in self._left_alone}

    def _bytes(self, file: str, page: Page) -> bytes:
        """A page that says what its file says already keeps the version that it was written at."""
        there = self._pages.get(file)
        if there is not None and there.base is not None and page.base is not None:
            same = replace(page, base=replace(page.base, version=there.base.version))
            if (data := write_page(same).encode(errors="replace")) == self._seen.get(file):
                return data
        return write_page(page).encode(errors="replace")

    def _read_file(self, name: str, file: str, *, expected: bool) -> None:
        try:
            page, data = self._patiently(name)
        except Malformed as error:
            if expected or (error.is_ours and file.endswith(NOTES_END)):
                self._refuse(file, error.at(name))
            return
        if page.base is None:
            if not expected:
                return  # A file of somebody else.
        elif page.base.file != file:
            return  # Somebody's copy of a page.
        elif page.base.project != self._project.name:
            self._refuse(file, InvalidInput(name, f"is a page of project {page.base.project!r}"))
            return
        self._seen[file], self._pages[file] = data, page
        self._edited.append((file, page, self._by(name)))

    def _patiently(self, name: str) -> tuple[Page, bytes]:
        """The page in a file. Whoever is just writing it is given the time."""
        ends = time.monotonic() + PATIENCE
        while True:
            data = self._tree.read(name) or b""
            try:
                return page_in(data), data
            except Incomplete:
                if time.monotonic() > ends:
                    raise
            time.sleep(0.02)

    def _swap(self, file: str, data: bytes) -> None:
        """Writes a page, and takes what somebody wrote in between."""
        name, before = f"{self._folder}/{file}", self._seen.get(file)
        try:
            displaced = self._tree.swap(name, data)
        except FileExistsError:
            # It was not there a moment ago: it is read like one that was.
            self._read_file(name, file, expected=True)
            return
        self._seen[file], self._pages[file] = data, page_in(data)
        if displaced is None:
            return
        if self._tree.read(displaced) == before:
            self._tree.discard(displaced)
        else:
            self._take_displaced(displaced)

    def _take_displaced(self, name: str) -> None:
        try:
            page, _ = self._patiently(name)
        except Malformed as error:
            self._set_aside(name, error)
            return
        if page.base is None or page.base.project != self._project.name:
            self._set_aside(name, Malformed(1, "is not a page of this project any more"))
            return
        self._edited.append((page.base.file, page, self._by(name)))
        self._displaced.append(name)

    def _set_aside(self, name: str, error: Malformed) -> None:
        """Keeps what cannot be read under a name that people see."""
        data = self._tree.read(name)
        if not data or not data.strip():
            self._tree.discard(name)
            return
        kept = f"{self._folder}/kept{_SET_ASIDE}{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}.md"
        self._tree.rename(name, kept)
        self.refused.append(error.at(kept))

    def _refuse(self, file: str, error: InvalidInput) -> None:
        self._left_alone.add(file)
        self.refused.append(error)

    def _by(self, name: str) -> str:
        return self._editor or self._tree.owner(name) or SOMEBODY
