"""Older items of a context, as many as fit: HOT ones, then by what a query asks for, else by importance and age."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

import psycopg

from backstory.application.contents.items import ItemReader
from backstory.application.contents.source import load_left
from backstory.application.context.request import ContextRequest
from backstory.application.context.token_costs import TokenCosts
from backstory.domain.context.history import is_visible
from backstory.domain.context.older import by_importance, by_relevance, candidates, hot_items
from backstory.domain.context.relevance import terms
from backstory.domain.events import ItemsCompacted
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import microseconds
from backstory.infrastructure.postgres.queries import query

LEAST_TOKENS = 20
"""Few items have less."""


@dataclass
class OlderItems:
    """The older items that stand in a context, in the order in which they came, and their tokens."""

    items: tuple[int, ...] = ()
    tokens: int = 0
    lines: dict[int, str] = field(default_factory=dict)
    """The text of each."""
    matched: frozenset[int] = frozenset()
    """Live items that the query found, also those that did not fit."""


@dataclass(frozen=True)
class OlderItemChooser:
    """Chooses among the items of a state."""

    state: ContextState
    request: ContextRequest
    costs: TokenCosts

    def choose(self, apart: frozenset[int], allowance: int, for_hot: int) -> OlderItems:
        """Items that are not `apart` and fit: HOT ones, the highest score first, in the tokens that are theirs, then
        the most relevant; one that does not fit is skipped."""
        older = OlderItems()
        room = allowance - self.costs.text_tokens(self.costs.layout.OLDER_HEADING) - 2
        if room <= 0:
            return older
        request, as_of = self.request, microseconds(self.request.as_of)
        hot = hot_items(self.state, request.window, request.agent, apart)
        left = room - self._take(by_importance(hot, as_of, request.policy), min(room, for_hot), older)
        items = candidates(self.state, request.window, request.agent, apart, self._most(left))
        if request.query is None:
            ranked = by_importance(items, as_of, request.policy)
        else:
            ranked = self._by_query(request.query, [*self._decisions_that_left(apart), *items], older)
        left -= self._take([item for item in ranked if item.id not in older.lines], left, older)
        if older.lines:
            older.items, older.tokens = tuple(sorted(older.lines)), allowance - left
        return older

    def _most(self, room: int) -> int:
        most = self.request.policy.older_candidates
        if self.request.query is not None:
            return most
        # By importance alone, what is far back seldom comes first: no more than might fit is looked at, in hundreds,
        # so that they are the same from call to call.
        return min(most, 100 * max(1, -(-room // (100 * LEAST_TOKENS))))

    def _decisions_that_left(self, apart: frozenset[int]) -> list[Item]:
        request = self.request
        left = decisions_that_left(
            self.costs.item_reader, request.window, request.agent, request.policy.older_candidates
        )
        return [item for item in left if item.id not in apart]

    def _by_query(self, query: str, items: list[Item], older: OlderItems) -> list[Item]:
        texts = self.costs.terms(items)
        readable = [item for item in items if item.id in texts]
        ranked = by_relevance(readable, terms(query), texts)
        older.matched = frozenset(item.id for item in ranked if item.id in self.state.items)
        return ranked

    def _take(self, ranked: Sequence[Item], room: int, older: OlderItems) -> int:
        """Takes those that fit, and returns their tokens."""
        tokens = [item.tokens_in(self.costs.encoding) for item in ranked]
        likely: list[Item] = []
        least, roughly = max(LEAST_TOKENS, min(tokens, default=0)), room
        for item, needed in zip(ranked, tokens, strict=True):
            if roughly < least:
                break
            if needed <= roughly:
                likely.append(item)
                roughly -= needed
        lines = self.costs.older_lines(likely)
        left = room
        for item in likely:
            line = lines.get(item.id)
            if line is not None and line[1] <= left:
                older.lines[item.id] = line[0]
                left -= line[1]
        return room - left


def decisions_that_left(item_reader: ItemReader, window: str, agent: str | None, most: int) -> list[Item]:
    """The newest decisions that a compaction, a prune or a flash save took out of a window to make room, oldest first
    and as they came: they hold all the same. Not those that somebody removed by hand."""
    state = item_reader.loaded.state
    live = sum(item.type == "decision" for item in state.items.values())
    if live == state.counts.get("decision", 0):
        return []
    left = {item: by for item, by in _removed_by(item_reader, most).items() if item not in state.items}
    item_reader.versions(set(left.values()))
    events = item_reader.loaded.events
    made_room = sorted(item for item, by in left.items() if isinstance(events[by].body, ItemsCompacted))
    return [item for item in load_left(item_reader, made_room) if is_visible(item, window, agent)]


def _removed_by(item_reader: ItemReader, most: int) -> dict[int, int]:
    """The version that removed each decision. What a fork inherits is in its parent's rows only. Rows that others wrote
    after the state, and those of other branches, are skipped."""
    branch, version = item_reader.branch, item_reader.loaded.state.version
    found: dict[int, int] = {}
    seen: set[int] = set()
    for stream in dict.fromkeys(piece.stream for piece in reversed(branch)):
        for item, by in item_reader.runtime.database.read(partial(_rows, asked=(stream, version, most))):
            if (
                item not in seen
                and branch.contains(item)
                and branch.contains(by)
                and branch.owner(by) == stream
            ):
                found[item] = by
            seen.add(item)
    return dict(sorted(found.items())[-most:]) if most else {}


def _rows(connection: psycopg.Connection, asked: tuple[UUID, int, int]) -> list[tuple[int, int]]:
    return connection.execute(query("decisions_that_left"), asked).fetchall()
