"""The place of each memory among the memory files: its page, and its section there."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from backstory.domain.errors import InvalidInput
from backstory.domain.memory.values import MemoryKind
from backstory.domain.values import label

PREFERENCES_FILE = "boss-preferences.md"
KNOWLEDGE_FILE = "project-knowledge.md"
NOTES_END = "-notes.md"

PREFERENCES = (
    "Communication style",
    "Decision making patterns",
    "Working hours",
    "Technical preferences",
    "Quality standards",
)
OTHER_PREFERENCES = "Other preferences"
KNOWLEDGE = (
    "Domain glossary",
    "Business rules",
    "Technical constraints",
    "Integration points",
    "Known issues",
)
OTHER_KNOWLEDGE = "Other knowledge"
TASKS, DECISIONS, QUESTIONS, LEARNED, SUMMARY, LESSONS = NOTES = (
    "Active tasks",
    "Key decisions log",
    "Open questions",
    "Boss preferences learned",
    "Current context summary",
    "Lessons learned",
)
OTHER_NOTES = "Notes"
FRAGMENTS = "Finished topics"

SECTION = "section"
"""The detail of a memory that says which section it stands in."""
NOTES_OF = "notes_of"
"""The detail of a memory that says in whose notes it stands, where somebody else recorded it."""

_KIND_OF_NOTES: dict[str, MemoryKind] = {
    DECISIONS: "decision",
    LEARNED: "preference",
    LESSONS: "lesson",
    FRAGMENTS: "fragment",
}
_SECTION_OF_KIND = {
    "preference": OTHER_PREFERENCES,
    "knowledge": OTHER_KNOWLEDGE,
    "lesson": LESSONS,
    "decision": DECISIONS,
    "fragment": FRAGMENTS,
    "note": OTHER_NOTES,
}
_UNSAFE = re.compile(r"[^a-z0-9]+")


class MemoryPlace(NamedTuple):
    """A page and a section of it."""

    file: str
    section: str


def places_of(kind: str, whose: str, details: Mapping[str, Any] | None) -> list[MemoryPlace]:
    """Where a memory stands; `whose` is who recorded it. A preference stands in the notes as well."""
    named = (details or {}).get(SECTION)
    section = named if isinstance(named, str) and _is_label(named) else _SECTION_OF_KIND[kind]
    noted_for = (details or {}).get(NOTES_OF)
    notes = notes_file(noted_for if isinstance(noted_for, str) and _is_label(noted_for) else whose)
    if kind == "preference":
        shared = OTHER_PREFERENCES if section == LEARNED else section
        return [MemoryPlace(PREFERENCES_FILE, shared), MemoryPlace(notes, LEARNED)]
    return [MemoryPlace(KNOWLEDGE_FILE if kind == "knowledge" else notes, section)]


def kind_in(file: str, section: str) -> MemoryKind:
    """The kind of what a person adds to a section of a page."""
    if file == PREFERENCES_FILE:
        return "preference"
    if file == KNOWLEDGE_FILE:
        return "knowledge"
    return _KIND_OF_NOTES.get(section, "note")


def sections_of(file: str) -> tuple[str, ...]:
    """The sections that a page always has."""
    return {PREFERENCES_FILE: PREFERENCES, KNOWLEDGE_FILE: KNOWLEDGE}.get(file, NOTES)


def notes_file(name: str) -> str:
    """The name of the file with somebody's notes. Names that differ in signs alone share one."""
    return slug(name) + NOTES_END


def project_folder(name: str) -> str:
    """The folder of a project: no two projects have the same."""
    plain = slug(name)
    return plain if plain == name else f"{_plain(name) or 'project'}-{_hash(name)}"


def slug(name: str) -> str:
    """A name as part of a file's name."""
    plain = _plain(name)
    return plain if plain and name.isascii() else f"{plain or 'agent'}-{_hash(name)}"


def _plain(name: str) -> str:
    return _UNSAFE.sub("-", name.lower()).strip("-")[:60]


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode(errors="replace")).hexdigest()[:8]


def _is_label(text: str) -> bool:
    try:
        return label("section", text) == text.strip()
    except InvalidInput:
        return False
