"""Recall: the memories of a project that a query finds, with the passages of their sources that it matches."""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from backstory.application.memory.memories import Memory, MemoryFilter, MemoryReader
from backstory.application.memory.streams import newest_version
from backstory.application.runtime import Runtime
from backstory.application.search.meaning import Meaning, meaning
from backstory.application.search.scopes import store_scopes
from backstory.application.search.search import (
    MOST_CHARACTERS,
    Cursor,
    Found,
    SearchHit,
    SearchRequest,
    find,
    shown_hits,
)
from backstory.application.search.visible import Piece, Place, Scope, look_through
from backstory.domain.log.lineage import VersionRange
from backstory.domain.search.corpus import Document
from backstory.domain.search.ranking import BY_WORDS, Hit, rank
from backstory.domain.search.terms import terms
from backstory.domain.state import ContextState

MOST_PASSAGES = 3
"""The passages that are shown of the sources of one memory: who wants more searches the session."""
LEAST_PASSAGE = 0.02
"""The least score of a passage, as a share of the best hit's. Below that, it has a word in common and no more."""

_NOT_QUOTED = ("tool_exchange",)
"""Types of items of which no passage is shown. Of an exchange, a memory is made of what the agent said as it called,
and not of what the tool answered."""


class Recalled(NamedTuple):
    """A memory that was found."""

    memory: Memory
    score: float
    """Its rank as a number. It compares memories of one query, and nothing else."""
    passages: tuple[SearchHit, ...] = ()
    """The items that it was made from and that match the query, best first, each with the part that matches."""


class RecallPage(NamedTuple):
    """Some of what a query found, best first."""

    found: tuple[Recalled, ...]
    next: str | None
    """Passed as `after`, it continues here. None at the end."""
    ranker: int
    """The version of the ranking."""
    warning: str | None = None
    """The reason why it went by words alone, where a model is set that did not answer."""


class _Match(NamedTuple):
    """A memory with the hits that speak for it."""

    memory: int
    score: float
    passages: list[Hit]


def recall(
    runtime: Runtime, project: UUID, query: str, wanted: MemoryFilter, limit: int, after: str | None
) -> RecallPage:
    """The memories that a query finds among those that are asked for, by their own words and by those of the items that
    they were made from. Further pages are of the version of the first."""
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
    chosen = reader.chosen(wanted)
    made_from = reader.made_from(chosen)
    scopes = [
        memory_scope(project, state, chosen),
        *_scopes_of_sources(runtime, state, made_from, quarantined=wanted.quarantined),
    ]

    def is_asked_for(place: Place, document: Document) -> bool:
        return place.session == project or (place in made_from and document.type not in _NOT_QUOTED)

    found, warning = find(runtime, scopes, request, is_asked_for)
    matches = _matches(found, project, made_from)
    first = 0 if cursor is None else _after(cursor, matches)
    shown = matches[first : first + limit]
    more = first + len(shown) < len(matches)
    last = Cursor(shown[-1].score, Place(project, shown[-1].memory), version) if more else None
    return RecallPage(
        _recalled(reader, found, shown), None if last is None else str(last), found.ranker, warning
    )


def _scopes_of_sources(
    runtime: Runtime,
    state: ContextState,
    made_from: Collection[Place],
    *,
    quarantined: bool,
) -> list[Scope]:
    """The sessions of the project that memories were made from, as far as the caller may see them."""
    sessions = {place.session for place in made_from}
    if not sessions:
        return []
    scopes = store_scopes(runtime, state.labels.get("project"), None, quarantined=quarantined)
    return [scope for scope in scopes if scope.session in sessions]


def _matches(found: Found, project: UUID, made_from: Mapping[Place, Sequence[int]]) -> list[_Match]:
    """The memories that hits speak for, best first. What a memory says and what it was made from count the same, each
    as a share of the best of its sort: a text of many words outweighs any passage, and tells less."""
    said: dict[int, float] = {}
    passages: dict[int, list[Hit]] = {}
    for hit in found.hits:
        place = found.place(hit)
        if place.session == project:
            said[place.item] = hit.score
            continue
        for memory in made_from[place]:
            passages.setdefault(memory, []).append(hit)
    best_said = max(said.values(), default=1.0)
    best_passage = max((hits[0].score for hits in passages.values()), default=1.0)
    return sorted(
        (
            _Match(
                memory,
                (said.get(memory, 0.0) / best_said + _best(passages.get(memory)) / best_passage) / 2,
                [hit for hit in passages.get(memory, ())[:MOST_PASSAGES] if hit.score >= LEAST_PASSAGE],
            )
            for memory in said.keys() | passages.keys()
        ),
        key=_order,
    )


def _best(hits: Sequence[Hit] | None) -> float:
    return hits[0].score if hits else 0.0


def _order(match: _Match) -> tuple[float, int]:
    return -match.score, -match.memory


def _after(cursor: Cursor, matches: Sequence[_Match]) -> int:
    """Where the next page begins: after the last memory of the page before or, if it is gone, with what comes then."""
    last = _Match(cursor.place.item, cursor.score, [])
    at = bisect_left(matches, _order(last), key=_order)
    return at + (at < len(matches) and _order(matches[at]) == _order(last))


def _recalled(reader: MemoryReader, found: Found, matches: Sequence[_Match]) -> tuple[Recalled, ...]:
    hits = {hit.position: hit for match in matches for hit in match.passages}
    passages = {(hit.session, hit.item): hit for hit in shown_hits(found, [*hits.values()], {})}
    memories = reader.read(match.memory for match in matches)
    recalled = []
    for match, memory in zip(matches, memories, strict=True):
        places = (found.place(hit) for hit in match.passages)
        own = tuple(passages[place] for place in places if place in passages)
        # What was erased since the index was read has no text.
        if memory.text is not None:
            recalled.append(Recalled(memory, match.score, own))
    return tuple(recalled)


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
