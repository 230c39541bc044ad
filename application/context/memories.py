"""The project's memories in a context: what a query finds among them, then what the user prefers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from backstory.application.contents.memories import memory_texts
from backstory.application.context.request import ContextRequest
from backstory.application.context.token_costs import TokenCosts
from backstory.application.memory.memories import MemoryFilter, MemoryReader
from backstory.application.memory.recall import ranked
from backstory.application.memory.streams import newest_version
from backstory.application.runtime import Runtime
from backstory.domain.commands.memory import project_id
from backstory.domain.context.loaded_items import MemoryText
from backstory.domain.state import ContextState

MOST_READ = 50
"""Memories whose texts are read: a share of a usual budget holds fewer."""


@dataclass(frozen=True)
class ShownMemories:
    """The memories that stand in a context, in the order of time, and their tokens."""

    project: str | None = None
    version: int | None = None
    """The version of the project that they were chosen from."""
    texts: tuple[MemoryText, ...] = ()
    tokens: int = 0
    ranker: int | None = None
    """The version of the ranking, where a query was asked."""

    @property
    def items(self) -> tuple[int, ...]:
        return tuple(sorted(one.id for one in self.texts))


@dataclass(frozen=True)
class MemoryChooser:
    """Chooses among the memories of a session's project."""

    runtime: Runtime
    session: ContextState
    request: ContextRequest
    costs: TokenCosts
    nothing: ShownMemories = field(default=ShownMemories(), init=False)

    def choose(self, query: str | None, allowance: int) -> ShownMemories:
        """Memories that fit: what matches the query, the best first, then preferences, the newest first; one that does
        not fit is skipped."""
        name = self.session.labels.get("project")
        if name is None or allowance <= 0:
            return self.nothing
        project = project_id(name)
        version = newest_version(self.runtime, project)
        if not version:
            return self.nothing
        state = self.runtime.reader.past(project, version)
        reader = MemoryReader(self.runtime, project, state)
        wanted = MemoryFilter(agent=self.request.agent, as_of=self.request.told_as_of)
        chosen = reader.chosen(wanted)
        found: Sequence[int] = ()
        ranker = None
        if query is not None and chosen:
            by_words = self.request.query is None
            found, ranker = ranked(
                self.runtime,
                project,
                state,
                chosen,
                query,
                wanted.agent,
                MOST_READ,
                least=self.request.policy.memory_least,
                by_words=by_words,
            )
        preferred = [id for id in reversed(chosen) if state.memories[id].kind == "preference"]
        order = [*dict.fromkeys((*found, *preferred))][:MOST_READ]
        texts = memory_texts(self.runtime, project, order)
        fitting = list(self._fitting([texts[id] for id in order if id in texts], allowance))
        return self._exactly(fitting, allowance, ShownMemories(name, version, ranker=ranker))

    def _fitting(self, texts: Sequence[MemoryText], allowance: int) -> Iterator[MemoryText]:
        left = allowance - self.costs.text_tokens(self.costs.layout.memories([]))
        for text in texts:
            tokens = self.costs.count(self.costs.layout.memory(text) + "\n")
            if tokens <= left:
                left -= tokens
                yield text

    def _exactly(self, fitting: list[MemoryText], allowance: int, shown: ShownMemories) -> ShownMemories:
        """The memories as a whole, without the last ones where dates and seams between lines take it over."""
        while fitting:
            tokens = self.costs.text_tokens(self.costs.layout.memories(fitting))
            if tokens <= allowance:
                texts = tuple(sorted(fitting, key=lambda one: one.id))
                return ShownMemories(shown.project, shown.version, texts, tokens, shown.ranker)
            fitting.pop()
        return self.nothing
