"""The material of a fresh context as it is recorded: with the log, enough to make the same bytes again."""

from collections.abc import Mapping
from datetime import datetime

from backstory.domain.code.codebase import CodebaseDocsSummary
from backstory.domain.code.languages import LeftOut
from backstory.domain.context.loaded_items import MemoryText
from backstory.domain.records import Place
from backstory.domain.tasks.budget import TokenBreakdown, TokenBudget
from backstory.domain.tasks.context import CodeSearchResult, FileContent, MemoryEntry
from backstory.domain.tasks.excerpt import Excerpt, Ranges
from backstory.domain.tasks.render import FreshParts
from backstory.domain.tasks.values import ContextOptions, ContextProjectConfig, TaskSpec
from backstory.domain.values import ItemId, Value

LARGE = 1_024
"""Bytes of a text from which it is recorded with the project, once for all contexts. A smaller one is part of the
material."""


class KeptText(Value):
    """A text, or the version and the part of the project's event that holds it."""

    text: str | None = None
    version: ItemId | None = None
    part: int = 0

    @property
    def place(self) -> Place | None:
        return None if self.version is None else (self.version, self.part)


class KeptFile(Value):
    """A file, whole, and the lines of it that are shown."""

    path: str
    language: str | None
    reason: str
    text: KeptText
    ranges: Ranges
    notes: tuple[str, ...] = ()


class KeptCode(Value):
    """A piece of code."""

    path: str
    first: int
    last: int
    kind: str | None
    name: str | None
    text: KeptText
    relevance: float


class KeptMemory(Value):
    """A memory of the project, by its id, or one of a caller's own system, with what it says."""

    id: int
    relevance: float
    own: tuple[str, str | None, str, datetime, str | None] | None = None
    """Of another system's memory, its kind, title, text, time and author."""

    @classmethod
    def of(cls, memory: MemoryEntry, *, foreign: bool) -> "KeptMemory":
        said = (memory.kind, memory.title, memory.text, memory.at, memory.by) if foreign else None
        return cls(id=memory.id, relevance=memory.relevance, own=said)

    def entry(self, memories: Mapping[int, MemoryText]) -> MemoryEntry:
        """The memory. Raises KeyError where the project has it no more."""
        if self.own is None:
            return memory_entry(memories[self.id], self.relevance)
        kind, title, text, at, by = self.own
        return MemoryEntry(self.id, kind, title, text, at, by, self.relevance)


class TaskMaterial(Value):
    """What a fresh context was made of."""

    task: TaskSpec
    project: ContextProjectConfig
    options: ContextOptions
    budget: TokenBudget
    system_prompt: str
    docs: CodebaseDocsSummary
    docs_text: str
    """What of the docs is shown."""
    repo_map: str
    files: tuple[KeptFile, ...] = ()
    code: tuple[KeptCode, ...] = ()
    memories: tuple[KeptMemory, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    notes_text: str = ""
    """What of the notes is shown."""
    tokens: TokenBreakdown
    """The tokens of each part."""

    @property
    def project_memories(self) -> list[int]:
        """The memories of the project."""
        return [one.id for one in self.memories if one.own is None]

    @property
    def places(self) -> list[Place]:
        """Where the project holds texts of it."""
        texts = [*(one.text for one in self.files), *(one.text for one in self.code)]
        return [text.place for text in texts if text.place is not None]


def parts_of(
    material: TaskMaterial, texts: Mapping[Place, str], memories: Mapping[int, MemoryText]
) -> FreshParts:
    """The parts of the prompt, with the texts that the project holds. Raises KeyError where one is not there."""

    def text_of(kept: KeptText) -> str:
        return (kept.text or "") if kept.place is None else texts[kept.place]

    return FreshParts(
        system_prompt=material.system_prompt,
        project=material.project.name,
        docs=material.docs_text,
        repo_map=material.repo_map,
        files=[_file(one, text_of(one.text)) for one in material.files],
        code=[
            CodeSearchResult(
                one.path, one.first, one.last, one.kind, one.name, text_of(one.text), one.relevance
            )
            for one in material.code
        ],
        memories=[one.entry(memories) for one in material.memories],
        notes=material.notes_text,
        task=material.task,
    )


def memory_entry(memory: MemoryText, relevance: float) -> MemoryEntry:
    """A memory, with how relevant it is."""
    return MemoryEntry(
        memory.id, memory.kind, memory.title, memory.text, memory.at, memory.by, round(relevance, 4)
    )


def _file(kept: KeptFile, text: str) -> FileContent:
    lines = text.split("\n")
    excerpt = Excerpt(kept.ranges, kept.notes)
    return FileContent(kept.path, excerpt.of(lines), kept.language, kept.reason, len(lines), bool(kept.notes))
