"""The memories of a project that a task is about."""

from collections.abc import Sequence
from uuid import UUID

from backstory.application.contents.memories import memory_texts
from backstory.application.memory.memories import MemoryFilter, MemoryReader
from backstory.application.memory.recall import scored_memories
from backstory.application.memory.streams import newest_version
from backstory.application.runtime import Runtime
from backstory.domain.context.loaded_items import MemoryText
from backstory.domain.search.terms import terms
from backstory.domain.tasks.context import MemoryEntry
from backstory.domain.tasks.material import memory_entry

SHARED = 2
"""Words that a memory and a query must share. With one, any two texts are about the same."""
MOST_READ = 50


class ProjectMemories:
    """The memory of a project."""

    def __init__(self, runtime: Runtime, project: UUID) -> None:
        self._runtime = runtime
        self._project = project

    def recall(self, query: str, limit: int, minimum: float, agent: str | None) -> Sequence[MemoryEntry]:
        """The memories that a query finds, best first, an agent's own and everybody's. The relevance is the odds that a
        memory is meant, as a share of the best one's; one that shares a single word with the query has none."""
        version = newest_version(self._runtime, self._project) if limit else 0
        if not version:
            return []
        state = self._runtime.reader.past(self._project, version)
        chosen = MemoryReader(self._runtime, self._project, state).chosen(MemoryFilter(agent=agent))
        if not chosen:
            return []
        scored, _ = scored_memories(
            self._runtime, self._project, state, chosen, query, agent, MOST_READ, by_words=True
        )
        relevance = dict(scored)
        texts = memory_texts(self._runtime, self._project, list(relevance))
        asked = set(terms(query))
        found = [texts[id] for id in relevance if id in texts and _is_about(texts[id], asked)]
        best = max((relevance[one.id] for one in found), default=1.0)
        entries = [memory_entry(one, relevance[one.id] / best) for one in found]
        return [one for one in entries if one.relevance >= minimum][:limit]


def _is_about(memory: MemoryText, asked: set[str]) -> bool:
    return len(asked & set(terms(f"{memory.title or ''} {memory.text}"))) >= SHARED
