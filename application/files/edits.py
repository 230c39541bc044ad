"""The edits of a memory file, recorded as events of the project."""

import hashlib
from typing import Any, NamedTuple

from backstory.application.memory.memories import Memory
from backstory.application.memory.project import Project
from backstory.domain.errors import Conflict, IdempotencyConflict, ItemNotLive
from backstory.domain.memory.values import Source
from backstory.domain.memory_pages.blocks import Said, block_of, words_of
from backstory.domain.memory_pages.edits import edits_of
from backstory.domain.memory_pages.page import CONFLICTS, Entry, Page
from backstory.domain.memory_pages.places import (
    NOTES_END,
    NOTES_OF,
    SECTION,
    kind_in,
    places_of,
)

ATTEMPTS = 20
CONFLICTS_WITH = "conflicts_with"
"""The detail of a memory that names those that were recorded in the same place at the same time."""
NOBODY = "project"
"""The notes of what nobody in particular recorded."""


class EditConflict(NamedTuple):
    """An edit that met a change of the same memory. Nothing of either is lost."""

    project: str
    file: str
    memory: int
    """The memory that was edited."""
    what: str
    """What was done about it."""
    recorded: int | None = None
    """The memory that holds the edit, beside the other one."""


class EditsApplied(NamedTuple):
    """What came of the edits of some files."""

    recorded: int
    """Memories that were recorded, superseded or forgotten."""
    conflicts: tuple[EditConflict, ...]


def apply_edits(project: Project, file: str, page: Page, by: str) -> EditsApplied:
    """Records the edits of a page, in the editor's name. Done twice, it changes nothing the second time."""
    work = _PageEdits(project.by(by).of_origin("user"), file, page)
    edits = edits_of(page)
    for entry in edits.changed:
        work.change(entry)
    for entry in edits.added:
        work.add(entry)
    for memory in edits.removed:
        work.remove(memory)
    return EditsApplied(work.recorded, tuple(work.conflicts))


def whose(memory: Memory) -> str:
    """The one in whose notes a memory stands, unless it says otherwise."""
    return memory.agent or memory.by or NOBODY


def conflicting(memory: Memory, holding: set[int]) -> list[int]:
    """The memories that hold beside this one, in the place of which it was written."""
    named = (memory.details or {}).get(CONFLICTS_WITH)
    return [id for id in named if id in holding] if isinstance(named, list) else []


class _PageEdits:
    """The edits of one page."""

    def __init__(self, project: Project, file: str, page: Page) -> None:
        self._project = project
        self._file = file
        self._version = 0 if page.base is None else page.base.version
        self._written: set[int] = set()
        self.recorded = 0
        self.conflicts: list[EditConflict] = []

    def change(self, entry: Entry) -> None:
        """Supersedes a memory by what its entry says now."""
        assert entry.memory is not None
        for _ in range(ATTEMPTS):
            if self._changed(entry, entry.memory):
                return
        raise Conflict(f"memory {entry.memory} is being changed all the time; sync again.")

    def _changed(self, entry: Entry, id: int) -> bool:
        old = self._memory(id)
        if old is None:
            self.add(entry)
        elif old.text is None:
            # What was made from erased words must not bring them back.
            self._conflict(id, "was erased meanwhile, so the edit was not recorded")
        elif old.left_at is not None:
            self._change_gone(entry, old)
        else:
            said = words_of(entry.block)
            try:
                self._project.supersede(id, said.text, agent=old.agent, **self._fields_of(entry, old, said))
            except ItemNotLive:
                return False
            self.recorded += 1
        return True

    def _change_gone(self, entry: Entry, old: Memory) -> None:
        """Records what was edited while another one took the memory's place, beside that."""
        line = self._successors(old)
        if any(_block(memory) == entry.block for memory in line):
            return
        newest = line[-1]
        holds = newest.left_at is None
        said = words_of(entry.block)
        fields = self._fields_of(entry, old, said)
        if holds:
            fields["details"] = {**(fields["details"] or {}), CONFLICTS_WITH: [newest.id]}
        kept = self._remember(entry, said.text, kind=old.kind, agent=old.agent, **fields)
        if kept is not None:
            done = f"M{newest.id} took its place meanwhile" if holds else "it was forgotten meanwhile"
            self._conflict(old.id, f"{done}; the edit was recorded as M{kept}", kept)

    def add(self, entry: Entry) -> None:
        """Remembers an entry that is new."""
        said, kind = words_of(entry.block), kind_in(self._file, entry.section)
        details: dict[str, Any] = {}
        if self._file.endswith(NOTES_END):
            details[NOTES_OF] = self._file.removesuffix(NOTES_END)
        if entry.section not in (CONFLICTS, self._section_of(kind, NOBODY, details)):
            details[SECTION] = entry.section
        self._remember(entry, said.text, kind=kind, title=said.title, details=details or None)

    def remove(self, id: int) -> None:
        """Forgets a memory whose entry is gone. One that was changed meanwhile stays."""
        for _ in range(ATTEMPTS):
            memory = self._memory(id)
            if memory is None or memory.text is None:
                return
            if memory.left_at is not None:
                newest = self._successors(memory)[-1]
                if newest.left_at is None and newest.id != id and newest.id not in self._written:
                    self._conflict(id, f"M{newest.id} took its place meanwhile, and stays")
                return
            try:
                self._project.forget(id, f"removed from {self._file}", agent=memory.agent)
            except ItemNotLive:
                continue
            self.recorded += 1
            return

    # Steps

    def _fields_of(self, entry: Entry, old: Memory, said: Said) -> dict[str, Any]:
        """The fields of what takes a memory's place: its own, but for what was edited."""
        details = dict(old.details or {})
        fields: dict[str, Any] = {}
        stood = [CONFLICTS] if CONFLICTS_WITH in details else []
        if entry.section not in [*stood, self._section_of(old.kind, whose(old), details)]:
            # It was moved to another section, so it may be of another kind there.
            details.pop(CONFLICTS_WITH, None)
            details[SECTION] = entry.section
            fields["kind"] = kind_in(self._file, entry.section)
        if self._file.endswith(NOTES_END):
            details[NOTES_OF] = self._file.removesuffix(NOTES_END)
        return {
            "title": said.title,
            "details": details or None,
            "entities": old.entities,
            "importance": old.importance,
            "valid_from": old.valid_from,
            "valid_until": old.valid_until,
            "sources": [Source(session=self._project.id, items=(old.id,))],
            **fields,
        }

    def _section_of(self, kind: str, name: str, details: dict[str, Any]) -> str | None:
        places = [place for place in places_of(kind, name, details) if place.file == self._file]
        return places[0].section if places else None

    def _remember(self, entry: Entry, text: str, **fields: Any) -> int | None:
        """Remembers an entry once, however often the same file is read."""
        told = (self._project.name, self._file, self._version, entry.memory, entry.section, entry.block)
        key = "file-" + hashlib.sha256(repr(told).encode(errors="replace")).hexdigest()[:40]
        before = self._project.version
        try:
            memory = self._project.once(key).remember(text, **fields)
        except IdempotencyConflict:
            return None
        self._written.add(memory)
        if memory <= before:
            return None
        self.recorded += 1
        return memory

    def _memory(self, id: int) -> Memory | None:
        if not self._project.version:
            return None
        note = self._project.state.memories.get(id)
        return None if note is None else self._project.memory(id, agent=note.agent)

    def _successors(self, memory: Memory) -> list[Memory]:
        """A memory and those that took its place, one after the other."""
        line = [memory]
        while (after := line[-1].superseded_by) is not None and (found := self._memory(after)) is not None:
            line.append(found)
        return line

    def _conflict(self, id: int, what: str, recorded: int | None = None) -> None:
        self.conflicts.append(EditConflict(self._project.name, self._file, id, what, recorded))


def _block(memory: Memory) -> str | None:
    return None if memory.text is None else block_of(Said(memory.title, memory.text))
