"""Earlier messages and exchanges of a context: what the history has no room for, shortened."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from backstory.application.context.older import OlderItems
from backstory.application.context.token_costs import TokenCosts
from backstory.domain.records import Item

READ_AT_ONCE = 20


@dataclass
class EarlierItems:
    """The line of each item, newest first, with its tokens."""

    lines: dict[int, tuple[str, int]] = field(default_factory=dict)
    repeated: set[int] = field(default_factory=set)
    """Left out, since a newer one says the same."""

    @property
    def items(self) -> tuple[int, ...]:
        return tuple(sorted(self.lines))

    @property
    def texts(self) -> dict[int, str]:
        return {item: line for item, (line, _) in self.lines.items()}


@dataclass(frozen=True)
class EarlierItemChooser:
    """Chooses among what was said before the history."""

    costs: TokenCosts

    def choose(self, said: Iterator[Item], allowance: int) -> EarlierItems:
        """The newest that fit, each once."""
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
                    break
                found.lines[item] = line, tokens
        return found

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
            EarlierItems(shortened, earlier.repeated),
            replace(older, items=tuple(sorted(all_lines)), tokens=older.tokens + tokens, lines=all_lines),
        )

    def _heading(self, text: str) -> int:
        return self.costs.text_tokens(text) + 2
