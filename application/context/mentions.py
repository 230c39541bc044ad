"""Entities that messages mention: files, functions, addresses, people."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from backstory.application.contents.source import ItemSource
from backstory.application.context.request import ContextRequest
from backstory.domain.context.history import newest_messages
from backstory.domain.context.loaded_items import subject_words
from backstory.domain.entities.entities import (
    EXTRACTOR_VERSION,
    NAMED_KINDS,
    Entity,
    ItemMentions,
    Mention,
    extract,
    heaviest,
    rank,
    weighed,
)
from backstory.domain.errors import InvalidInput
from backstory.domain.messages.contents import Message

MOST_MENTIONED = 12
"""Entities of one message: a listing of a thousand files is not about each of them."""
EXTRACTORS: dict[int, Callable[[Sequence[Message]], Iterable[Mention]]] = {
    1: lambda messages: extract(subject_words(messages))
}
"""By version. A version that recorded contexts name stays, unchanged, when a newer one is added."""


class MentionedEntities(NamedTuple):
    """Entities, most recent and most frequent first, and the messages they come from."""

    mentions: tuple[Mention, ...]
    sources: tuple[int, ...]
    """Messages of which nothing was erased."""


def newest_mentions(item_reader: ItemSource, request: ContextRequest) -> MentionedEntities:
    """The entities of the newest messages."""
    state, policy = item_reader.loaded.state, request.policy
    newest = newest_messages(state, request.window, request.agent, (), set(state.open_calls.values()))
    looked_at = (item.id for _, item in newest)
    by_item = mentions_by_item(item_reader, list(islice(looked_at, policy.entity_messages)))
    return MentionedEntities(heaviest(by_item.items(), policy.entities), tuple(by_item))


def mentioned_in(
    item_reader: ItemSource, sources: Sequence[int], most: int, extractor: int = EXTRACTOR_VERSION
) -> tuple[Mention, ...]:
    """The entities of these messages, most recent and most frequent first. Erased messages have none."""
    return heaviest(mentions_by_item(item_reader, sources, extractor).items(), most)


def entities_in(item_reader: ItemSource, sources: Sequence[int], most: int) -> tuple[Entity, ...]:
    """The same, with the messages that mention each."""
    return rank(mentions_by_item(item_reader, sources).items(), most)


def mentions_by_item(
    item_reader: ItemSource, sources: Sequence[int], extractor: int = EXTRACTOR_VERSION
) -> dict[int, ItemMentions]:
    """The entities of each message, without the messages that were erased."""
    if extractor not in EXTRACTORS:
        raise InvalidInput(
            "extractor", f"must be one of {', '.join(map(str, EXTRACTORS))}, got {extractor!r}"
        )
    loaded = item_reader.loaded
    return item_reader.derive(
        loaded.items_of(sources),
        ("mentions", extractor),
        lambda item: _mentions_in(loaded.messages[item.id], extractor),
        lambda made: 200 * len(made.weights) + 100 * len(made.named),
    )


def _mentions_in(messages: Sequence[Message], extractor: int) -> ItemMentions:
    """The most frequent entities of one item."""
    mentions = Counter(EXTRACTORS[extractor](messages))
    most = sorted(mentions.items(), key=itemgetter(1), reverse=True)[:MOST_MENTIONED]
    named = dict.fromkeys(mention.name for mention in mentions if mention.kind in NAMED_KINDS)
    return weighed(Counter(dict(most)))._replace(named=tuple(named))
