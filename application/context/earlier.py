"""Earlier messages and exchanges of a context: what the history has no room for, shortened."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from backstory.application.contents.source import load_left
from backstory.application.context.implied import ImpliedQuery, by_relevance
from backstory.application.context.older import LEAST_TOKENS, OlderItems
from backstory.application.context.request import ContextRequest
from backstory.application.context.token_costs import TokenCosts
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.search.ranking import BY_WORDS

READ_AT_ONCE = 20
SHORT = 150
"""Tokens that a shortened item has at most, about."""


@dataclass
class EarlierItems:
    """The line of each item, with its tokens."""

    lines: dict[int, tuple[str, int]] = field(default_factory=dict)
    repeated: set[int] = field(default_factory=set)
    """Left out, since a newer one says the same."""
    passed: list[Item] = field(default_factory=list)
    """The newest that did not fit."""
    ranker: int | None = None
    """The version of the ranking, where some were chosen by what they have to do with the implied query."""

    @property
    def items(self) -> tuple[int, ...]:
        return tuple(sorted(self.lines))

    @property
    def texts(self) -> dict[int, str]:
        return {item: line for item, (line, _) in self.lines.items()}


@dataclass(frozen=True)
class EarlierItemChooser:
    """Chooses among what was said before the history."""

    request: ContextRequest
    costs: TokenCosts

    def choose(self, said: Iterator[Item], allowance: int, implied: ImpliedQuery | None) -> EarlierItems:
        """Those that fit, each once: the newest and, in their share of the tokens, those that match the implied query
        best, also such as left the window to make room. `said` are newest first."""
        policy = self.request.policy
        worth = (item for item in said if item.importance >= policy.least_importance)
        if implied is None or not policy.relevant_share:
            return self._newest(worth, allowance)
        found = self._newest(worth, int(allowance * (1 - policy.relevant_share)))
        if allowance > 0 and (further := self._further(worth, found)):
            reader, encoding = self.costs.item_reader, self.costs.encoding
            found.ranker = BY_WORDS
            self._add(by_relevance(reader, further, implied.text, encoding, SHORT), found, allowance)
            self._add(further, found, allowance)
        return found

    def _newest(self, said: Iterator[Item], allowance: int) -> EarlierItems:
        found = EarlierItems()
        left = allowance - self._heading(self.costs.layout.EARLIER_HEADING)
        told: set[str] = set()
        while left > 0 and (some := list(islice(said, READ_AT_ONCE))):
            for item, (line, tokens) in self.costs.earlier_lines(some).items():
                text = line.partition("] ")[2]
                if text in told:
                    found.repeated.add(item)
                    continue
                told.add(text)
                left -= tokens
                if left < 0:
                    found.passed.append(self.costs.loaded.item(item))
                else:
                    found.lines[item] = line, tokens
        return found

    def _further(self, said: Iterator[Item], newest: EarlierItems) -> list[Item]:
        """What was said before the newest, so many of it, newest first."""
        most, state = self.request.policy.older_candidates, self.costs.loaded.state
        further = [*newest.passed, *islice(said, most)][:most]
        if len(further) < most and state.compactions:
            reader = self.costs.item_reader
            gone = reader.reader.made_room(self.request.window).difference(state.items, state.quarantined)
            left = load_left(reader, sorted(gone, reverse=True)[: most - len(further)])
            further += [item for item in left if item.type in CONVERSATION_TYPES and self._may_see(item)]
        return further

    def _may_see(self, item: Item) -> bool:
        return not item.private or item.agent == self.request.agent

    def _add(self, items: Sequence[Item], earlier: EarlierItems, allowance: int) -> None:
        """Adds those that fit and are not told yet, the first ones first."""
        left = allowance - self.tokens(earlier)
        told = {line.partition("] ")[2] for line, _ in earlier.lines.values()}
        waiting = iter(items)
        while left >= LEAST_TOKENS and (some := list(islice(waiting, READ_AT_ONCE))):
            for item, (line, tokens) in self.costs.earlier_lines(some).items():
                text = line.partition("] ")[2]
                if tokens <= left and text not in told:
                    told.add(text)
                    left -= tokens
                    earlier.lines[item] = line, tokens

    def tokens(self, earlier: EarlierItems) -> int:
        lines = earlier.lines.values()
        return sum(tokens for _, tokens in lines) + self._heading(self.costs.layout.EARLIER_HEADING) * bool(
            lines
        )

    def tell_whole(
        self, newest: Sequence[Item], earlier: EarlierItems, older: OlderItems, free: int
    ) -> tuple[EarlierItems, OlderItems]:
        """The newest of them among the older items instead, where they are whole, as far as there is room. In the
        history they would move its beginning with every message."""
        lines = self.costs.older_lines([item for item in newest if item.id in earlier.lines])
        if free <= 0 or not lines:
            return earlier, older
        heading = 0 if older.lines else self._heading(self.costs.layout.OLDER_HEADING)
        loaded, day = self.costs.loaded, self.costs.layout.day
        days = {day(loaded.item(item)) for item in older.lines}
        whole: dict[int, str] = {}
        tokens = heading
        for item, (line, needed) in lines.items():
            date = day(loaded.item(item))
            needed += 0 if date in days else self.costs.count(f"{date}\n")
            more = needed - earlier.lines[item][1]
            if heading + more <= free:
                free -= more
                tokens += needed
                whole[item] = line
                days.add(date)
        if not whole:
            return earlier, older
        shortened = {item: line for item, line in earlier.lines.items() if item not in whole}
        all_lines = older.lines | whole
        return (
            replace(earlier, lines=shortened),
            replace(older, items=tuple(sorted(all_lines)), tokens=older.tokens + tokens, lines=all_lines),
        )

    def _heading(self, text: str) -> int:
        return self.costs.text_tokens(text) + 2
