"""A context's bytes from items that are chosen: the same for a new context and for one that is made again."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar

from backstory.domain.context import composition, layout
from backstory.domain.context.composition import Composed, Rendered, Said, Told
from backstory.domain.context.loaded_items import Chosen, LoadedItems, subject_words
from backstory.domain.entities.entities import (
    EXTRACTOR_VERSION,
    NAMED_KINDS,
    Entity,
    Mention,
    Weighed,
    extract,
    heaviest,
    rank,
    weighed,
)
from backstory.domain.errors import InvalidInput
from backstory.domain.messages.contents import Message
from backstory.domain.records import Item

T = TypeVar("T")

MOST_MENTIONED = 12
"""Entities of one message: a listing of a thousand files is not about each of them."""
LAYOUTS: dict[int, Any] = {1: layout}
EXTRACTORS: dict[int, Callable[[Sequence[Message]], Iterable[Mention]]] = {
    1: lambda messages: extract(subject_words(messages))
}
"""By version. A version that recorded contexts name stays, unchanged, when a newer one is added."""


class Gathers(Protocol):
    """What reads items: from a database, or from a file."""

    material: LoadedItems
    erased: set[int]

    def items(self, wanted: Iterable[int]) -> None: ...

    def kept_of(
        self, items: Sequence[Item], what: Hashable, make: Callable[[Item], T], size: Callable[[T], int] = ...
    ) -> dict[int, T]: ...


class MadeText(NamedTuple):
    """The text of a part, and what it shows."""

    shown: Any
    text: str


class Known(NamedTuple):
    """What of a context is made already: lines of older items, rendered messages, texts of parts."""

    lines: Mapping[int, str] = MappingProxyType({})
    rendered: Mapping[int, Rendered] = MappingProxyType({})
    texts: Mapping[str, MadeText] = MappingProxyType({})


NOTHING_KNOWN = Known()


def layout_of(renderer: int) -> Any:
    if renderer not in LAYOUTS:
        raise InvalidInput("renderer", f"must be one of {', '.join(map(str, LAYOUTS))}, got {renderer!r}")
    return LAYOUTS[renderer]


def compose(
    format: str,
    layout: Any,
    material: LoadedItems,
    chosen: Chosen,
    known: Known = NOTHING_KNOWN,
) -> Composed:
    """The bytes of a context whose items are chosen."""
    state = material.state

    def text_of(part: str, shown: Any, make: Callable[[Any], str]) -> tuple[str, str]:
        made = known.texts.get(part)
        return part, made.text if made is not None and made.shown == shown else make(shown)

    lead = [text_of("rules", chosen.rules, partial(layout.rules, material))]
    if chosen.summary is not None:
        lead.append(text_of("summary", chosen.summary, partial(layout.summary, material)))
    tail = [
        text_of("state", chosen.work, partial(layout.work, material)),
        text_of("entities", chosen.entities, layout.entities),
    ]
    if chosen.older:
        lines = known.lines
        quoted = [lines.get(item) or layout.older(material, material.item(item)) for item in chosen.older]
        tail.append(("older", "\n".join([layout.OLDER_HEADING, *quoted])))
    in_words = format == "markdown"

    def said(item: int) -> Said:
        text = layout.said(material, state.items[item]) if in_words else ""
        return Said(item, material.messages[item], text, known.rendered.get(item))

    told = Told(
        system=[said(item) for item in chosen.system],
        lead=[(name, text) for name, text in lead if text],
        history=[said(item) for item in chosen.history],
        tail=[(name, text) for name, text in tail if text],
        frame=(layout.CONTEXT_OPENS, layout.CONTEXT_CLOSES),
    )
    return composition.compose(format, told)


def mentioned_in(
    item_reader: Gathers, sources: Sequence[int], most: int, extractor: int = EXTRACTOR_VERSION
) -> tuple[Mention, ...]:
    """What the messages mention, most recent and most frequent first. Those that were erased mention nothing."""
    return heaviest(mentions_by_item(item_reader, sources, extractor).items(), most)


def entities_in(item_reader: Gathers, sources: Sequence[int], most: int) -> tuple[Entity, ...]:
    """The same, with where they are mentioned."""
    return rank(mentions_by_item(item_reader, sources, EXTRACTOR_VERSION).items(), most)


def mentions_by_item(item_reader: Gathers, sources: Sequence[int], extractor: int) -> dict[int, Weighed]:
    """What each of the messages mentions. Those that were erased have nothing here."""
    if extractor not in EXTRACTORS:
        raise InvalidInput(
            "extractor", f"must be one of {', '.join(map(str, EXTRACTORS))}, got {extractor!r}"
        )
    state, said = item_reader.material.state, item_reader.material.messages
    return item_reader.kept_of(
        [state.items[item] for item in sources],
        ("mentions", extractor),
        lambda item: mentions_in(said[item.id], extractor),
        size_of_mentions,
    )


def mentions_in(messages: Sequence[Message], extractor: int = EXTRACTOR_VERSION) -> Weighed:
    """What the messages of one item mention, the most frequent."""
    said = Counter(EXTRACTORS[extractor](messages))
    # As `most_common` does it for a few of many; these are few.
    most = sorted(said.items(), key=itemgetter(1), reverse=True)[:MOST_MENTIONED]
    named = dict.fromkeys(mention.name for mention in said if mention.kind in NAMED_KINDS)
    return weighed(Counter(dict(most)))._replace(named=tuple(named))


def size_of_mentions(made: Weighed) -> int:
    return 200 * len(made.weights) + 100 * len(made.named)
