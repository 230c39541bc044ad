"""Counts the tokens of a context's parts. What depends on one item alone is counted once."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from backstory.application.contents.items import ItemReader
from backstory.domain.context import composition
from backstory.domain.context.loaded_items import LoadedItems
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.values import DEFAULT_ENCODING, MAIN_WINDOW
from backstory.infrastructure.llm.tokens import count_parts, count_tokens


class Fitting(NamedTuple):
    """The entries that fit, and their text."""

    shown: int
    tokens: int
    text: str


@dataclass(frozen=True)
class TokenCosts:
    """Counts in one encoding, for one format and layout, as one agent hears the conversation."""

    item_reader: ItemReader
    policy: AssemblyPolicy
    format: str
    encoding: str
    layout: Any
    agent: str | None

    @cached_property
    def loaded(self) -> LoadedItems:
        return self.item_reader.loaded

    def count(self, text: str) -> int:
        return count_once(text, self.encoding)

    def most_that_fit(self, count: int, text_of: Callable[[int], str], allowance: int) -> Fitting | None:
        """The most entries whose text fits. None where not even that of none does."""
        best, low, high, middle = None, 0, count, count
        while low <= high:
            text = text_of(middle)
            tokens = self.text_tokens(text)
            if tokens <= allowance:
                best, low = Fitting(middle, tokens, text), middle + 1
            else:
                high = middle - 1
            middle = (low + high) // 2
        return best

    def text_tokens(self, text: str) -> int:
        """Of a text that stands beside others, with the blank line between them."""
        return self.count(text) + 1 if text else 0

    def said_tokens(self, item: Item) -> int:
        """Of a message or exchange, as it stands in the context. What was counted when it was recorded is not counted
        again, unless it is said in another format."""
        per_message = self.policy.message_tokens
        format = self.format
        messages = self.loaded.messages[item.id]
        if format in composition.PROVIDERS and self.loaded.heard(item, self.agent) is not messages:
            return self._counted(item, (format, self.agent), self._rendered_tokens)
        if format == "markdown":
            return self._counted(item, "said", self._rendered_tokens)
        if item.type in CONVERSATION_TYPES and self._was_counted(item):
            for message in messages:
                if message.format is not None and message.format != format:
                    break
            else:
                return item.tokens + per_message * len(messages)
        return self._counted(item, format, self._rendered_tokens)

    def cut_tokens(self, item: Item, characters: int) -> int:
        """Of a tool exchange whose results are cut to so many characters."""
        return self._rendered_tokens(item, self.loaded.with_cut_results(item.id, characters))

    def _was_counted(self, item: Item) -> bool:
        # A count that came later may be of an event of the user's own, which can say any number.
        if item.recounts is not None or (item.encoding or DEFAULT_ENCODING) != self.encoding:
            return False
        events = self.loaded.events
        if len(item.versions) == 1:
            return events[item.versions[0]].type in _COUNTED_TYPES
        main = self.loaded.state.windows.get(MAIN_WINDOW)
        usual = (main.encoding if main else None) or DEFAULT_ENCODING
        return usual == self.encoding and all(events[v].type in _COUNTED_TYPES for v in item.versions)

    def _rendered_tokens(self, item: Item, loaded: LoadedItems | None = None) -> int:
        """A message in another format than its own: as much as its own parts, or as the translation's text where that
        is more."""
        loaded = loaded or self.loaded
        if self.format == "markdown":
            return self.text_tokens(self.layout.said(loaded, item))
        per_message = self.policy.message_tokens
        own = sum(per_message + count_parts(m.parts, self.encoding) for m in loaded.messages[item.id])
        if self.format == "parts":
            return own
        texts = composition.rendered(self.format, loaded.heard(item, self.agent))
        said = sum(self.count(text) for one in texts for text in texts_in(one))
        return max(own, said + per_message * len(texts))

    def older_lines(self, items: Sequence[Item]) -> dict[int, tuple[str, int]]:
        """The text and tokens of older items, but of those that were erased."""
        return self._lines("older", items, self.layout.older)

    def earlier_lines(self, items: Sequence[Item]) -> dict[int, tuple[str, int]]:
        """The same of earlier messages and exchanges, shortened."""
        return self._lines("earlier", items, self.layout.earlier)

    def _lines(
        self, part: str, items: Sequence[Item], text_of: Callable[[LoadedItems, Item], str]
    ) -> dict[int, tuple[str, int]]:
        def line_of(item: Item) -> tuple[str, int]:
            line = text_of(self.loaded, item)
            return line, count_tokens(line + "\n", self.encoding)

        key = (part, self.encoding, self.policy.renderer)
        return self.item_reader.derive(items, key, line_of, lambda pair: 4 * len(pair[0]))

    def _counted(self, item: Item, what: Hashable, count: Callable[[Item], int]) -> int:
        """Tokens that are counted once."""
        key = (what, self.encoding, self.policy.renderer, self.policy.message_tokens)
        return self.item_reader.derive([item], key, count)[item.id]


@lru_cache(maxsize=256)
def count_once(text: str, encoding: str) -> int:
    """Rules, summary and state seldom change between two calls."""
    return count_tokens(text, encoding)


_COUNTED_TYPES = frozenset({"message.added", "tool.called", "tool.answered"})


def texts_in(message: Any) -> list[str]:
    """Every text of a provider's message that its tokenizer would read."""
    if isinstance(message, str):
        return [message]
    if isinstance(message, dict):
        skipped = {
            "role",
            "type",
            "id",
            "tool_call_id",
            "tool_use_id",
            "signature",
            "source",
            "image_url",
            "data",
        }
        return [text for key, value in message.items() if key not in skipped for text in texts_in(value)]
    if isinstance(message, list):
        return [text for value in message for text in texts_in(value)]
    return [] if message is None or isinstance(message, bool) else [str(message)]
