"""The parts that a fresh context is made with: a caller may bring its own, or do without."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from backstory.application.code.code_base import CodeBase
from backstory.application.code.code_index import CodeIndex, Progress
from backstory.application.code.docs import read_docs
from backstory.application.runtime import Runtime
from backstory.domain.code.codebase import CodebaseDocsSummary
from backstory.domain.tasks.context import MemoryEntry


class RepoMapGenerator(Protocol):
    """Draws maps of a project's code."""

    def repo_map(
        self, task: str, budget: int, count: Callable[[str], int], first: Collection[str] = ()
    ) -> Any:
        """A map for a task within a budget, in its `text`. Files in `first` come before all others."""


class CodebaseAnalyzer(Protocol):
    """Tells of a codebase."""

    def analyze(self) -> CodebaseDocsSummary:
        """What the project says of itself."""


class CodeMemory(Protocol):
    """Searches code."""

    def search(self, text: str, limit: int = 5, minimum: float = 0.5, without: Collection[str] = ()) -> Any:
        """The pieces of code that a text is most likely about, best first, none of files in `without`: each with its
        `path`, `first` and `last` line, `kind`, `name`, `text` and `relevance`."""


class MemorySystem(Protocol):
    """Recalls memories of a project."""

    def recall(self, query: str, limit: int, minimum: float, agent: str | None) -> Sequence[MemoryEntry]:
        """The memories that a query finds, best first, with at least so much relevance."""


class Own(Enum):
    """Stands for Backstory's own part, where a caller brings none."""

    OWN = "own"


OWN = Own.OWN


@dataclass(frozen=True)
class ContextDependencies:
    """The parts that fresh contexts are made with. Each is Backstory's own, unless the caller gives another one, or
    None to do without."""

    repo_map_generator: RepoMapGenerator | Own | None = OWN
    """Without it, the map says which folders there are."""
    codebase_analyzer: CodebaseAnalyzer | Own | None = OWN
    """Without it, the docs are the project's name, language and framework."""
    code_memory: CodeMemory | Own | None = OWN
    """Without it, no code is searched."""
    memory_system: MemorySystem | Own | None = OWN
    """Without it, nothing is remembered. Memories of a caller's own system are shown, and recorded with the context."""


NOTHING = ContextDependencies(None, None, None, None)
"""No part at all."""


class ProjectCode:
    """The code of a project's folder, read again for every context. What is unchanged is not read twice."""

    def __init__(self, runtime: Runtime, root: Path, progress: Progress | None = None) -> None:
        self.root = root
        self._progress = progress
        self._index = CodeIndex(runtime.database, root)
        self._reading = Lock()

    def read(self) -> CodeBase:
        """The code as it is now."""
        with self._reading:
            return self._index.refresh(self._progress)

    def docs(self, name: str, base: CodeBase | None) -> CodebaseDocsSummary:
        """What the project says of itself."""
        return read_docs(name, self.root, () if base is None else base.paths)
