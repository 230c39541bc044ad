"""Older items for a context, as many as fit: by what a query asks for, else by importance and age."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

from backstory.application.context.left_decisions import left_decisions
from backstory.application.context.request import Wanted
from backstory.application.context.token_costs import TokenCosts
from backstory.domain.context.history import is_visible
from backstory.domain.context.older import by_importance, by_relevance, candidates, is_older, newest_touch
from backstory.domain.context.relevance import terms
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import microseconds
from backstory.domain.window.selection import earlier_summaries
from backstory.infrastructure.states.newest_states import TOUCHED, Memory, changed_since

LEAST_TOKENS = 20
"""Few items have less."""
MOST_LINES = 2_000
"""Lines that are kept for the next context: several times what a large one shows."""


@dataclass
class Older:
    """The items that stand in the context, in the order in which they came, and what they cost."""

    items: tuple[int, ...] = ()
    tokens: int = 0
    lines: dict[int, str] = field(default_factory=dict)
    """The text of each."""
    matched: frozenset[int] = frozenset()
    """Live items that the query found, also those that did not fit."""
    left_out: int = 0
    erased: int = 0
    timeless: bool = True
    """Whether the same would be chosen at any later moment."""


class Found(NamedTuple):
    """The newest items that stood nowhere else at a version."""

    at: int
    most: int
    apart: frozenset[int]
    items: list[Item]
    """Oldest first."""


class Ranked(NamedTuple):
    """Items in the order of their importance, as it is from a moment on."""

    tau: float
    holds_from: int
    found: list[Item]
    ranked: list[Item]
    encoding: str
    tokens: list[int]
    """Of each of those that are ranked."""


class Lines(NamedTuple):
    """The texts of items and their tokens."""

    at: int
    erasure: int
    kept: dict[int, tuple[str, int]]


@dataclass(frozen=True)
class OlderItems:
    """Chooses among the items of a state, and keeps in its memory what holds for the next context too."""

    state: ContextState
    wanted: Wanted
    costs: TokenCosts
    memory: Memory

    def choose(self, apart: frozenset[int], allowance: int) -> Older:
        """Items that are not `apart` and fit, the most relevant first; one that does not fit is passed over."""
        found = self._found(apart, self._most(allowance))
        if self.wanted.query is not None:
            found = [*self._left(apart), *found]
        summaries = self._compaction_summaries(apart)
        if summaries:
            known = {item.id for item in found}
            found = [*(item for item in reversed(summaries) if item.id not in known), *found]
        if not found or allowance <= 0:
            return Older(left_out=len(found))
        older = Older()
        if self.wanted.query is None:
            ranked, tokens = self._by_importance(found, older)
        else:
            ranked = self._by_query(found, older)
            tokens = self._tokens(ranked)
        # A compaction's summary stands for messages that would be here: it comes before what is only like the query.
        if summaries:
            standing = {item.id for item in summaries}
            ranked = [*summaries, *(item for item in ranked if item.id not in standing)]
            tokens = self._tokens(ranked)
        self._take(ranked, tokens, allowance, older)
        older.left_out = len(found) - len(older.items) - older.erased
        return older

    def _most(self, allowance: int) -> int:
        most = self.wanted.policy.older_candidates
        if self.wanted.query is not None:
            return most
        # By importance alone, what is far back seldom comes first: no more than might fit is looked at, in hundreds,
        # so that they are the same from call to call.
        return min(most, 100 * max(1, -(-allowance // (100 * LEAST_TOKENS))))

    def _found(self, apart: frozenset[int], most: int) -> list[Item]:
        """The newest items that stand nowhere else, oldest first. Those of the last context are gone on from."""
        state, window, agent = self.state, self.wanted.window, self.wanted.agent
        key = ("older", window, agent)
        known: Found | None = self.memory.get(key)
        found = None if known is None or known.most != most else self._gone_on(known, apart)
        if found is None:
            found = candidates(state, window, agent, apart, most)
        self.memory[key] = Found(state.version, most, apart, found)
        return found

    def _gone_on(self, known: Found, apart: frozenset[int]) -> list[Item] | None:
        """The same as `candidates`, from those of an earlier version; None where one has to look further back."""
        items, window, agent = self.state.items, self.wanted.window, self.wanted.agent
        found = known.items
        if self.memory.get(TOUCHED, 0) > known.at or changed_since(self.memory, known.at):
            found = [items[item.id] for item in found]
        taken = {item for item in apart - known.apart if item <= known.at}
        if taken and not taken.isdisjoint([item.id for item in found]):
            return None
        more = [items[item] for item in known.apart - apart if item in items and item <= known.at]
        for item in reversed(items.values()):
            if item.id <= known.at:
                break
            if item.id not in apart:
                more.append(item)
        more = [item for item in more if is_older(item, window, agent)]
        if not more:
            return found
        found = sorted([*found, *more], key=itemgetter(0))
        return found[max(0, len(found) - known.most) :]

    def _left(self, apart: frozenset[int]) -> list[Item]:
        """Decisions that are in no window any more."""
        window, agent, most = self.wanted.window, self.wanted.agent, self.wanted.policy.older_candidates
        found = left_decisions(self.costs.item_reader, window, agent, most)
        return [item for item in found if item.id not in apart]

    def _compaction_summaries(self, apart: frozenset[int]) -> list[Item]:
        """Those that are live, the newest first."""
        window, agent = self.wanted.window, self.wanted.agent
        key = ("summaries", window)
        if key not in self.memory:
            self.memory[key] = tuple(item.id for item in earlier_summaries(self.state, window))
        found = [self.state.items[item] for item in reversed(self.memory[key])]
        return [item for item in found if item.id not in apart and is_visible(item, window, agent)]

    def _by_query(self, found: list[Item], older: Older) -> list[Item]:
        assert self.wanted.query is not None
        texts = self.costs.terms(found)
        older.erased = len(found) - len(texts)
        readable = [item for item in found if item.id in texts]
        ranked = by_relevance(readable, terms(self.wanted.query), texts)
        older.matched = frozenset(item.id for item in ranked if item.id in self.state.items)
        return ranked

    def _by_importance(self, found: list[Item], older: Older) -> tuple[list[Item], list[int]]:
        """The items as `by_importance` puts them in order, and their tokens, both kept for as long as they are the
        same."""
        as_of = microseconds(self.wanted.as_of)
        tau, encoding = self.wanted.policy.tau_hours, self.costs.encoding
        known: Ranked | None = self.memory.get("by importance")
        if (
            known is not None
            and (known.tau, known.encoding) == (tau, encoding)
            and known.holds_from <= as_of
            and known.found == found
        ):
            return known.ranked, known.tokens
        ranked = by_importance(found, as_of, self.wanted.policy)
        tokens = self._tokens(ranked)
        newest = newest_touch(found)
        older.timeless = newest <= as_of
        if older.timeless:
            self.memory["by importance"] = Ranked(tau, newest, found, ranked, encoding, tokens)
        return ranked, tokens

    def _tokens(self, items: Sequence[Item]) -> list[int]:
        encoding = self.costs.encoding
        return [item.tokens if item.recounts is None else item.tokens_in(encoding) for item in items]

    def _take(self, ranked: Sequence[Item], tokens: Sequence[int], allowance: int, older: Older) -> None:
        if not ranked:
            return
        room = free = allowance - self.costs.text_tokens(self.costs.layout.OLDER_HEADING) - 2
        likely: list[Item] = []
        least = max(LEAST_TOKENS, min(tokens))
        for place, needed in enumerate(tokens):
            if needed <= room:
                likely.append(ranked[place])
                room -= needed
                if room < least:
                    break
        lines = self._lines(likely)
        for item in likely:
            line = lines.get(item.id)
            if line is None:
                older.erased += 1
            elif line[1] <= free:
                older.lines[item.id] = line[0]
                free -= line[1]
        if older.lines:
            older.items, older.tokens = tuple(sorted(older.lines)), allowance - free

    def _holds(self, known: Lines) -> bool:
        same = known.erasure == self.state.last_erasure and not changed_since(self.memory, known.at)
        return same and len(known.kept) < MOST_LINES

    def _lines(self, items: Sequence[Item]) -> dict[int, tuple[str, int]]:
        """The text of each item with its tokens, but of those that were erased. What a fork has inherited can be
        erased without its log telling: it is looked up anew."""
        costs, state = self.costs, self.state
        if costs.item_reader.inherits:
            return costs.older_lines(items)
        key = ("lines", costs.encoding, costs.policy.renderer)
        known: Lines | None = self.memory.get(key)
        kept = known.kept if known is not None and self._holds(known) else {}
        new = [item for item in items if item.id not in kept]
        if new:
            kept = {**kept, **costs.older_lines(new)}
        self.memory[key] = Lines(state.version, state.last_erasure, kept)
        return kept
