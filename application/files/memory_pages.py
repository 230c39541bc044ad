"""The memory files of a project: its memories, and beside them what its sessions are about."""

from collections.abc import Collection, Sequence

from backstory.application.files.edits import conflicting, whose
from backstory.application.files.session_memory import Sections, SessionMemory
from backstory.application.memory.memories import Memory, MemoryFilter, MemoryReader
from backstory.application.memory.project import Project
from backstory.application.memory.streams import newest_version
from backstory.domain.memory_pages.blocks import Said, block_of
from backstory.domain.memory_pages.page import CONFLICTS, Entry, Page, base_of
from backstory.domain.memory_pages.places import (
    KNOWLEDGE_FILE,
    NOTES_END,
    PREFERENCES_FILE,
    notes_file,
    places_of,
    sections_of,
)

_TITLES = {PREFERENCES_FILE: "Boss Preferences", KNOWLEDGE_FILE: "Project Knowledge"}


def project_pages(
    project: Project, sessions: Sequence[SessionMemory], agent: str | None, files: Collection[str] = ()
) -> dict[str, Page]:
    """The pages of a project by the names of their files; also those `files` that have nothing to say any more. Private
    memories are those of `agent`."""
    version, memories = _memories(project, agent)
    names = _names(memories, sessions)
    entries: dict[str, list[Entry]] = {file: [] for file in (*_TITLES, *sorted({*names, *files}))}
    holding = {memory.id for memory in memories}
    for memory in memories:
        for place in places_of(memory.kind, whose(memory), memory.details):
            if place.file not in entries:
                continue
            block = block_of(Said(memory.title, memory.text or ""))
            others = conflicting(memory, holding)
            section = CONFLICTS if others else place.section
            entries[place.file].append(Entry(section, block, memory.id))
            if others:
                told = " and ".join(f"M{id}" for id in others)
                hint = f"M{memory.id} was written while {told} took the same place: remove one of them."
                entries[place.file].append(Entry(section, hint))
    for file, found in entries.items():
        found += _session_entries(file, sessions, {entry.block for entry in found})
    return {
        file: Page(
            title=_TITLES.get(file) or ", ".join(sorted(names.get(file) or {file.removesuffix(NOTES_END)})),
            entries=tuple(found),
            base=base_of(project.name, file, version, found),
            sections=sections_of(file),
        )
        for file, found in entries.items()
    }


def _memories(project: Project, agent: str | None) -> tuple[int, list[Memory]]:
    """The memories that hold and have a text, the oldest first, and the version that they were read at."""
    runtime = project._runtime
    version = newest_version(runtime, project.id)
    if not version:
        return 0, []
    reader = MemoryReader(runtime, project.id, runtime.reader.past(project.id, version))
    found = reader.read(sorted(reader.chosen(MemoryFilter(agent=agent))))
    return version, [memory for memory in found if memory.text is not None]


def _names(memories: Sequence[Memory], sessions: Sequence[SessionMemory]) -> dict[str, set[str]]:
    """Whose notes there are, by file. Somebody's preferences alone make no notes."""
    names: dict[str, set[str]] = {}
    for session in sessions:
        for found in session.agents.values():
            names.setdefault(notes_file(found[0]), set()).update(found)
    for memory in memories:
        if memory.kind != "preference":
            for place in places_of(memory.kind, whose(memory), memory.details):
                if place.file != KNOWLEDGE_FILE:
                    known = names.setdefault(place.file, set())
                    if notes_file(whose(memory)) == place.file:
                        known.add(whose(memory))
    return names


def _session_entries(file: str, sessions: Sequence[SessionMemory], there: set[str]) -> list[Entry]:
    """What sessions add to a page, each line once."""
    found: dict[Entry, None] = {}
    for session in sessions:
        for section, lines in _sections(file, session).items():
            for line in lines:
                block = block_of(Said(None, line))
                if block and block not in there:
                    found[Entry(section, block)] = None
    return list(found)


def _sections(file: str, session: SessionMemory) -> Sections:
    if file == PREFERENCES_FILE:
        return session.preferences
    if file == KNOWLEDGE_FILE:
        return session.knowledge
    return session.notes.get(file.removesuffix(NOTES_END), {})
