"""Older items of a context, as many as fit: HOT ones, then what a search finds in the log, or by importance and age."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from backstory.application.contents.items import ItemReader
from backstory.application.contents.source import load_left
from backstory.application.context.implied import ImpliedQuery, by_relevance
from backstory.application.context.request import ContextRequest
from backstory.application.context.token_costs import TokenCosts
from backstory.application.search.search import Found, find_items
from backstory.domain.context.history import is_visible
from backstory.domain.context.older import UNSEARCHED, by_importance, candidates, hot_items
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.search.ranking import BY_WORDS, by_worth
from backstory.domain.state import ContextState
from backstory.domain.values import microseconds

LEAST_TOKENS = 20
"""Few items have less."""
SPEAKER_TOKENS = 4
"""About what a line has besides its text."""


@dataclass
class OlderItems:
    """The older items that stand in a context, in the order in which they came, and their tokens."""

    items: tuple[int, ...] = ()
    tokens: int = 0
    lines: dict[int, str] = field(default_factory=dict)
    """The text of each."""
    further: tuple[int, ...] = ()
    """Of those that have left every window, the versions of their further texts."""
    matched: frozenset[int] = frozenset()
    """Live items that match the query, also those that did not fit."""
    ranker: int | None = None
    """The version of the ranking, where a query was asked."""


class _Candidate(NamedTuple):
    """An item that may stand among the older ones."""

    id: int
    tokens: int
    further: tuple[int, ...] | None = None
    """None for a live one; for one that has left, the versions of its further texts."""


@dataclass(frozen=True)
class OlderItemChooser:
    """Chooses among the items of a state and, for a query, those that have left it."""

    item_reader: ItemReader
    request: ContextRequest
    costs: TokenCosts

    @property
    def state(self) -> ContextState:
        return self.item_reader.loaded.state

    def choose(
        self, apart: frozenset[int], allowance: int, for_hot: int, implied: ImpliedQuery | None
    ) -> OlderItems:
        """Items that are not `apart` and fit: HOT ones, the highest score first, in the tokens that are theirs, then
        what the query finds, or else what matches the `implied` one and the most important; one that does not fit is
        skipped."""
        older = OlderItems()
        room = allowance - self.costs.text_tokens(self.costs.layout.OLDER_HEADING) - 2
        if room <= 0:
            return older
        request, as_of = self.request, microseconds(self.request.as_of)
        hot = hot_items(self.state, request.window, request.agent, apart)
        page = _Page(self, older)
        left = room - page.take(self._live(by_importance(hot, as_of, request.policy)), min(room, for_hot))
        if request.query is None:
            items = candidates(self.state, request.window, request.agent, apart, self._most(left))
            # What was said is told in short.
            items = [item for item in items if item.type not in CONVERSATION_TYPES]
            if implied is not None and items:
                relevant = by_relevance(self.item_reader, items, implied.text, self.costs.encoding)
                older.ranker = BY_WORDS
                left -= page.take(self._live(relevant), left)
            left -= page.take(self._live(by_importance(items, as_of, request.policy)), left)
        else:
            left -= page.take(self._searched(request.query, apart, left, older), left)
        if older.lines:
            older.items, older.tokens = tuple(sorted(older.lines)), allowance - left
        return older

    def _most(self, room: int) -> int:
        # By importance alone, what is far back seldom comes first: no more than might fit is looked at, in hundreds,
        # so that they are the same from call to call.
        return min(self.request.policy.older_candidates, 100 * max(1, -(-room // (100 * LEAST_TOKENS))))

    def _live(self, items: Iterable[Item]) -> list[_Candidate]:
        return [_Candidate(item.id, item.tokens_in(self.costs.encoding)) for item in items]

    def _searched(
        self, query: str, apart: frozenset[int], room: int, older: OlderItems
    ) -> Iterator[_Candidate]:
        """What a query finds in everything that was recorded, the best for their tokens first."""
        reader, request = self.item_reader, self.request
        found = find_items(
            reader.runtime, reader.stream, self.state.version, query, agent=request.agent, budget=room
        )
        older.ranker = found.ranker
        items = self._found(found, apart)
        matching = found.visible.matching()
        older.matched = frozenset(
            item.id for position, item in items.items() if item.further is None and position in matching
        )
        hits = [hit for hit in found.hits if hit.position in items]
        tokens = {position: item.tokens + SPEAKER_TOKENS for position, item in items.items()}
        return (items[position] for position in by_worth(hits, tokens))

    def _found(self, found: Found, apart: frozenset[int]) -> dict[int, _Candidate]:
        """By position those that may be shown: live ones, and those that left to make room."""
        live: dict[int, _Candidate] = {}
        gone: dict[int, _Candidate] = {}
        request, encoding = self.request, self.costs.encoding
        for hit in found.hits:
            id_, document = found.place(hit).item, found.documents[hit.position]
            if id_ in apart or document.type in UNSEARCHED:
                continue
            item = self.state.items.get(id_)
            if item is not None and is_visible(item, request.window, request.agent):
                live[hit.position] = _Candidate(id_, item.tokens_in(encoding))
            else:
                versions = [version for _, version in found.visible.versions(hit.position)]
                further = tuple(version for version in versions if version != id_)
                gone[hit.position] = _Candidate(id_, document.tokens, further)
        if gone:
            made_room = self.item_reader.reader.made_room(request.window)
            live |= {position: item for position, item in gone.items() if item.id in made_room}
        return live

    def load(self, wanted: Sequence[_Candidate]) -> list[Item]:
        """The candidates as items."""
        gone = [one for one in wanted if one.id not in self.state.items]
        further = chain.from_iterable(one.further or () for one in gone)
        load_left(self.item_reader, [one.id for one in gone], further)
        return self.item_reader.loaded.items_of(one.id for one in wanted)


class _Page:
    """Fills in older items, below the days that they are from."""

    def __init__(self, chooser: OlderItemChooser, older: OlderItems) -> None:
        self._chooser = chooser
        self._older = older
        self._days: set[str] = set()

    def take(self, ranked: Iterable[_Candidate], room: int) -> int:
        """Takes those that fit and are not there yet, and returns their tokens."""
        older, costs, left = self._older, self._chooser.costs, room
        waiting = (one for one in ranked if one.id not in older.lines)
        while left >= LEAST_TOKENS and (likely := _likely(waiting, left)):
            further = {one.id: one.further or () for one in likely}
            items = self._chooser.load(likely)
            lines = costs.older_lines(items)
            for item in items:
                if item.id not in lines:
                    continue
                line, tokens = lines[item.id]
                day = costs.layout.day(item)
                if day not in self._days:
                    tokens += costs.count(f"{day}\n")
                if tokens <= left:
                    left -= tokens
                    self._days.add(day)
                    older.lines[item.id] = line
                    older.further = (*older.further, *further[item.id])
        return room - left


def _likely(waiting: Iterator[_Candidate], room: int) -> list[_Candidate]:
    """The next that fit by about their tokens."""
    likely = []
    for one in waiting:
        if one.tokens <= room:
            likely.append(one)
            room -= one.tokens
            if room < LEAST_TOKENS:
                break
    return likely
