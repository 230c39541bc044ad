"""What becomes of a draft beside the memories that a project has: the same fact again is no second copy."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from backstory.application.archive.drafts import Draft
from backstory.application.memory.memories import Memory, MemoryReader
from backstory.application.memory.recall import ranked
from backstory.application.runtime import Runtime
from backstory.domain.memory.sameness import compared
from backstory.domain.memory.values import Source
from backstory.domain.state import ContextState
from backstory.domain.trust import Trust
from backstory.domain.values import microseconds

MOST_COMPARED = 10
"""The memories most like a draft that it is compared with."""


class NewMemory(NamedTuple):
    """A draft that becomes a memory, maybe in place of others."""

    draft: Draft
    sources: tuple[Source, ...]
    candidate: bool
    supersedes: tuple[int, ...] = ()


class Again(NamedTuple):
    """A draft that says what a memory says."""

    memory: int
    sources: tuple[Source, ...]
    confirms: bool
    """Whether it confirms a candidate."""
    agent: str | None
    """The agent that alone sees the memory."""


@dataclass(frozen=True)
class KnownMemories:
    """The memories that drafts are compared with."""

    runtime: Runtime
    project: UUID
    state: ContextState
    _read: dict[int, Memory] = field(default_factory=dict, init=False)

    def settled(self, drafts: Sequence[Draft]) -> tuple[list[NewMemory], list[Again]]:
        """What becomes of drafts. What was dismissed or forgotten is not noticed again, unless it is said anew: then it
        is a candidate. What contradicts a memory supersedes it where it is surer, later and trusted as far."""
        new: list[NewMemory] = []
        again: list[Again] = []
        for draft in drafts:
            twin = next((place for place, one in enumerate(new) if _is_twin(one.draft, draft)), None)
            if twin is not None:
                known = new[twin]
                new[twin] = known._replace(
                    sources=(*known.sources, *draft.memory.sources),
                    candidate=known.candidate and not draft.sure,
                )
                continue
            outcome = self._outcome(draft)
            if isinstance(outcome, NewMemory):
                new.append(outcome)
            elif outcome is not None:
                again.append(outcome)
        return new, again

    def _outcome(self, draft: Draft) -> NewMemory | Again | None:
        fresh = NewMemory(draft, draft.memory.sources, not draft.sure)
        if draft.memory.kind == "fragment":
            return fresh
        said_again = False
        for id, relation in self._related(draft):
            note = self.state.memories[id]
            if relation == "same" and note.left is None:
                read = self._read[id]
                known = {
                    (one.session, item) for one in (*read.sources, *read.said_again) for item in one.items
                }
                told = {(one.session, item) for one in draft.memory.sources for item in one.items}
                if told <= known:
                    return None
                return Again(id, draft.memory.sources, note.candidate and draft.sure, note.agent)
            if relation == "same" and note.left is not None:
                if microseconds(draft.at) <= note.left:
                    return None
                said_again = True
            elif relation == "opposite" and note.left is None and not note.candidate:
                if self._may_supersede(draft, id):
                    return fresh._replace(supersedes=(id,))
                return fresh._replace(candidate=True)
        return fresh._replace(candidate=fresh.candidate or said_again)

    def _may_supersede(self, draft: Draft, id: int) -> bool:
        item = self.state.items.get(id)
        trusted = item is not None and draft.trust >= Trust(item.trust)
        return draft.sure and trusted and microseconds(draft.at) > self.state.memories[id].at

    def _related(self, draft: Draft) -> Iterator[tuple[int, str]]:
        """The memories that say the same as a draft or the opposite: those that hold first."""
        notes = self.state.memories
        open_to = [
            id for id, note in notes.items() if note.agent == draft.memory.agent and note.kind != "fragment"
        ]
        if not open_to:
            return
        near, _ = ranked(
            self.runtime,
            self.project,
            self.state,
            open_to,
            draft.memory.text,
            draft.memory.agent,
            MOST_COMPARED,
            least=0.0,
            by_words=True,
        )
        self._load(near)
        for id in sorted(near, key=lambda id: (notes[id].left is not None, -id)):
            text = self._read[id].text
            relation = None if text is None else compared(text, draft.memory.text)
            if relation is not None:
                yield id, relation

    def _load(self, ids: Sequence[int]) -> None:
        reader = MemoryReader(self.runtime, self.project, self.state)
        self._read.update({one.id: one for one in reader.read(id for id in ids if id not in self._read)})


def _is_twin(one: Draft, other: Draft) -> bool:
    if "fragment" in (one.memory.kind, other.memory.kind) or one.memory.agent != other.memory.agent:
        return False
    return compared(one.memory.text, other.memory.text) == "same"
