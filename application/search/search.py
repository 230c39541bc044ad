"""Queries over sessions: what is found, best first, page by page."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from backstory.application.runtime import Runtime
from backstory.application.search.meaning import meaning
from backstory.application.search.scopes import session_scope, store_scopes
from backstory.application.search.texts import read_passages
from backstory.application.search.visible import Place, Scope, Visible, look_through
from backstory.domain.errors import InvalidInput, UnknownVersion
from backstory.domain.search.corpus import Document
from backstory.domain.search.passages import Passage
from backstory.domain.search.ranking import Hit, most_for, rank
from backstory.domain.search.snippets import snippet_of
from backstory.domain.search.terms import terms
from backstory.domain.values import (
    aware,
    from_microseconds,
    label,
    listed,
    microseconds,
    version_number,
    whole_number,
)

MOST_HITS = 1_000
"""Of one query, on all its pages: nobody reads further."""
MOST_CHARACTERS = 10_000
"""Of one query. Ranking takes milliseconds for each of its words."""


class SearchHit(NamedTuple):
    """An item that was found."""

    session: UUID
    """The session; for a memory, the project's stream."""
    item: int
    type: str
    speaker: str | None
    """The name or, without one, the role of who said it; None for items that nobody said."""
    at: datetime
    """The time at which it occurred."""
    tokens: int
    score: float
    """Its rank as a number. It compares hits of one query, and nothing else."""
    abandoned: bool
    """Whether it is on a branch that was left by a backtrack."""
    snippet: str
    """The part of its text that matches best, on one line."""
    marks: tuple[tuple[int, int], ...]
    """The words of the snippet that match: from a character up to another."""
    project: str | None = None
    """The project whose memory it is; None for an item of a session."""


class SearchPage(NamedTuple):
    """Some of what a query found, best first."""

    hits: tuple[SearchHit, ...]
    next: str | None
    """Passed as `after`, it continues here. None at the end."""
    ranker: int
    """The version of the ranking."""
    warning: str | None = None
    """The reason why it went by words alone, where a model is set that did not answer."""


class Cursor(NamedTuple):
    """The last hit of a page, and the version that it is a page of."""

    score: float
    place: Place
    version: int

    @classmethod
    def read(cls, text: str) -> "Cursor":
        try:
            score, session, item, version = text.split(":")
            cursor = cls(float(score), Place(UUID(session), int(item)), int(version))
        except (AttributeError, ValueError):
            cursor = None
        if cursor is None or not math.isfinite(cursor.score) or cursor.version < 0:
            raise InvalidInput("after", "must be the `next` of an earlier page")
        return cursor

    def __str__(self) -> str:
        return f"{self.score!r}:{self.place.session.hex}:{self.place.item}:{self.version}"


@dataclass(frozen=True)
class SearchRequest:
    """The arguments of a search, checked."""

    query: str
    agent: str | None
    types: Collection[str]
    speaker: str | None
    since: datetime | None
    before: datetime | None
    abandoned: bool
    limit: int
    after: str | None
    quarantined: bool = False

    def __post_init__(self) -> None:
        checked_query(self.query)
        for name, given in (("agent", self.agent), ("speaker", self.speaker)):
            if given is not None:
                label(name, given)
        for one in listed("types", self.types):
            label("types", one)
        for name, time in (("since", self.since), ("before", self.before)):
            aware(name, time)
        if self.since is not None and self.before is not None and self.since >= self.before:
            raise InvalidInput("before", "must be later than `since`")
        for name, wanted in (("abandoned", self.abandoned), ("quarantined", self.quarantined)):
            if not isinstance(wanted, bool):
                raise InvalidInput(name, f"must be True or False, got {wanted!r}")
        whole_number("limit", self.limit, minimum=1, maximum=MOST_HITS)

    @property
    def cursor(self) -> Cursor | None:
        """Where the page before ended."""
        return None if self.after is None else Cursor.read(self.after)

    @property
    def chooses(self) -> bool:
        """Whether only some documents are asked for."""
        return bool(self.types or self.speaker or self.since or self.before)

    def admits(self, document: Document, visible: Visible) -> bool:
        """Whether a document is one that was asked for."""
        return (
            (not self.types or document.type in self.types)
            and (self.speaker is None or self.speaker in visible.said_by(document.position))
            and (self.since is None or document.time >= microseconds(self.since))
            and (self.before is None or document.time < microseconds(self.before))
        )


@dataclass(frozen=True)
class Found:
    """What a query finds in what an agent may see."""

    runtime: Runtime
    visible: Visible
    wanted: Collection[str]
    """The query's terms."""
    documents: Mapping[int, Document]
    """Everything visible, by position."""
    hits: Sequence[Hit]
    """Best first."""
    ranker: int
    """The version of the ranking."""

    def place(self, hit: Hit) -> Place:
        """The session and the item of a hit."""
        return self.visible.place(self.documents[hit.position])

    def passages(self, positions: Iterable[int]) -> dict[int, list[Passage]]:
        """The texts of documents, but of those that were erased."""
        versions = {position: self.visible.versions(position) for position in positions}
        by_stream: dict[UUID, set[int]] = {}
        for places in versions.values():
            for stream, version in places:
                by_stream.setdefault(stream, set()).add(version)
        texts = {
            (stream, event.version): found
            for stream, wanted in by_stream.items()
            for event, found in read_passages(self.runtime, stream, sorted(wanted))
        }
        joined = {
            position: [passage for place in places for passage in texts.get(place, ())]
            for position, places in versions.items()
        }
        return {position: found for position, found in joined.items() if found}


def search_session(runtime: Runtime, stream: UUID, request: SearchRequest, at: int | None) -> SearchPage:
    """Searches one session as of a version. Further pages are of the same version as the first."""
    cursor = request.cursor
    if at is not None:
        version_number("at", at)
    newest = runtime.require_head(stream).version
    version = at or (cursor and cursor.version) or newest
    if version > newest:
        raise UnknownVersion(f"version {version} does not exist: the session has versions 1 to {newest}.")
    scope = session_scope(
        runtime, stream, version, abandoned=request.abandoned, quarantined=request.quarantined
    )
    return _page(runtime, [scope], request, version)


def search_store(
    runtime: Runtime, request: SearchRequest, project: str | None, sessions: Sequence[UUID] | None
) -> SearchPage:
    """Searches the sessions of a project, or all, or these, as they are now."""
    if project is not None:
        label("project", project)
    scopes = store_scopes(
        runtime, project, sessions, abandoned=request.abandoned, quarantined=request.quarantined
    )
    return _page(runtime, scopes, request, 0)


def find_items(
    runtime: Runtime,
    stream: UUID,
    version: int,
    query: str,
    *,
    agent: str | None,
    budget: int,
) -> Found:
    """What a query finds in a session as of a version, also what has left every window, and after that what is newest:
    for a context of so many tokens."""
    wanted = [*terms(query)]
    most = most_for(budget)
    visible = look_through(runtime, [session_scope(runtime, stream, version)], wanted, agent)
    corpus = visible.corpus()
    meant = meaning(runtime, visible, query)
    hits = rank(query, corpus, most=most, unmatched=True, likeness=meant.likeness)
    documents = {position: corpus.documents[position] for position, _ in hits}
    return Found(runtime, visible, wanted, documents, hits, meant.ranker)


def checked_query(query: str) -> str:
    """The query, if it is text of a length that can be ranked."""
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput("query", "must be text that is not empty")
    if len(query) > MOST_CHARACTERS:
        raise InvalidInput("query", f"must have at most {MOST_CHARACTERS:,} characters, got {len(query):,}")
    return query


def find(
    runtime: Runtime,
    scopes: Sequence[Scope],
    request: SearchRequest,
    admits: Callable[[Place, Document], bool] | None = None,
) -> tuple[Found, str | None]:
    """Everything that a query finds, of the places that are admitted, and the reason why it went by words alone, where
    a model is set that did not answer."""
    wanted = [*terms(request.query)]
    visible = look_through(runtime, scopes, wanted, request.agent)
    corpus = visible.corpus()
    matching, among = visible.matching(), None
    if request.chooses:
        among = {place for place in matching if request.admits(corpus.documents[place], visible)}
    elif admits is not None:
        documents = (corpus.documents[position] for position in matching)
        among = {one.position for one in documents if admits(visible.place(one), one)}
    meant = meaning(runtime, visible, request.query)
    ranked = rank(request.query, corpus, most=MOST_HITS, among=among, likeness=meant.likeness)
    hits = [hit for hit in ranked if hit.position in matching]
    shown = {hit.position: corpus.documents[hit.position] for hit in hits}
    return Found(runtime, visible, wanted, shown, hits, meant.ranker), meant.warning


def _page(runtime: Runtime, scopes: Sequence[Scope], request: SearchRequest, version: int) -> SearchPage:
    """The hits of one page. `version` is the one that further pages are of, too."""
    found, warning = find(runtime, scopes, request)
    cursor = request.cursor
    first = 0 if cursor is None else _after(cursor, found)
    shown = found.hits[first : first + request.limit]
    more = first + len(shown) < len(found.hits)
    last = str(Cursor(shown[-1].score, found.place(shown[-1]), version)) if more else None
    projects = {scope.session: scope.project for scope in scopes}
    return SearchPage(tuple(shown_hits(found, shown, projects)), last, found.ranker, warning)


def _after(cursor: Cursor, found: Found) -> int:
    """Where the next page begins: after the last hit of the page before or, if it is gone, with what scores less."""
    for number, hit in enumerate(found.hits):
        if found.place(hit) == cursor.place:
            return number + 1
    return sum(hit.score >= cursor.score for hit in found.hits)


def shown_hits(found: Found, hits: Sequence[Hit], projects: Mapping[UUID, str | None]) -> Iterator[SearchHit]:
    """Hits as they are shown, but of what was erased."""
    visible = found.visible
    passages = found.passages(hit.position for hit in hits)
    for hit in hits:
        if hit.position not in passages:
            continue  # Erased since the index was read.
        document = found.documents[hit.position]
        part = snippet_of(passages[hit.position], found.wanted)
        name, role = visible.said_by(hit.position)
        place = found.place(hit)
        yield SearchHit(
            *place,
            type=document.type,
            speaker=name or role,
            at=from_microseconds(document.time),
            tokens=document.tokens,
            score=hit.score,
            abandoned=not visible.is_live(hit.position),
            snippet=part.text,
            marks=part.marks,
            project=projects.get(place.session),
        )
