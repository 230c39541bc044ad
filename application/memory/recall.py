"""Recall: the memories of a project that a query finds."""

from collections.abc import Collection, Sequence
from typing import NamedTuple
from uuid import UUID

from backstory.application.memory.memories import Memory, MemoryFilter, MemoryReader
from backstory.application.memory.streams import newest_version
from backstory.application.runtime import Runtime
from backstory.application.search.meaning import Meaning, meaning
from backstory.application.search.search import MOST_CHARACTERS, SearchRequest, find_page
from backstory.application.search.visible import Piece, Scope, look_through
from backstory.domain.log.lineage import VersionRange
from backstory.domain.search.ranking import BY_WORDS, rank
from backstory.domain.search.terms import terms
from backstory.domain.state import ContextState


class Recalled(NamedTuple):
    """A memory that was found."""

    memory: Memory
    score: float
    """Its rank as a number. It compares memories of one query, and nothing else."""


class RecallPage(NamedTuple):
    """Some of what a query found, best first."""

    found: tuple[Recalled, ...]
    next: str | None
    """Passed as `after`, it continues here. None at the end."""
    ranker: int
    """The version of the ranking."""
    warning: str | None = None
    """The reason why it went by words alone, where a model is set that did not answer."""


def recall(
    runtime: Runtime, project: UUID, query: str, wanted: MemoryFilter, limit: int, after: str | None
) -> RecallPage:
    """The memories that a query finds among those that are asked for. Further pages are of the version of the first."""
    request = SearchRequest(
        query=query,
        agent=wanted.agent,
        types=(),
        speaker=None,
        since=None,
        before=None,
        abandoned=False,
        limit=limit,
        after=after,
    )
    cursor = request.cursor
    version = newest_version(runtime, project) if cursor is None else cursor.version
    if not version:
        return RecallPage((), None, BY_WORDS)
    state = runtime.reader.past(project, version)
    reader = MemoryReader(runtime, project, state)
    scope = memory_scope(project, state, reader.chosen(wanted))
    page = find_page(runtime, [scope], request, version)
    scores = {page.found.place(hit).item: hit.score for hit in page.hits}
    found = tuple(Recalled(memory, scores[memory.id]) for memory in reader.read(scores))
    # What was erased since the index was read has no text.
    shown = tuple(one for one in found if one.memory.text is not None)
    return RecallPage(shown, page.next, page.found.ranker, page.warning)


def memory_scope(project: UUID, state: ContextState, shown: Collection[int]) -> Scope:
    """Some of a project's memories, as what a search looks through."""
    hidden = state.memories.keys() - set(shown)
    return Scope(project, [Piece(VersionRange(project, 1, state.version), True)], frozenset(hidden))


def ranked(
    runtime: Runtime,
    project: UUID,
    state: ContextState,
    shown: Collection[int],
    query: str,
    agent: str | None,
    most: int,
    *,
    least: float,
    by_words: bool,
) -> tuple[Sequence[int], int]:
    """Those of some memories that match a query with a score of `least` or more, best first, and the version of the
    ranking. `by_words` asks no model."""
    scored, ranker = scored_memories(runtime, project, state, shown, query, agent, most, by_words=by_words)
    return [id for id, score in scored if score >= least], ranker


def scored_memories(
    runtime: Runtime,
    project: UUID,
    state: ContextState,
    shown: Collection[int],
    query: str,
    agent: str | None,
    most: int,
    *,
    by_words: bool,
) -> tuple[Sequence[tuple[int, float]], int]:
    """Some memories that match a query, each with its odds of being meant as a share of the best one's, best first, and
    the version of the ranking."""
    query = query[:MOST_CHARACTERS]
    visible = look_through(runtime, [memory_scope(project, state, shown)], [*terms(query)], agent)
    meant = Meaning() if by_words else meaning(runtime, visible, query)
    corpus, matching = visible.corpus(), visible.matching()
    hits = rank(query, corpus, most=most, among=matching, ranker=meant.ranker, likeness=meant.likeness)
    return [(corpus.documents[hit.position].id, hit.score) for hit in hits], meant.ranker
