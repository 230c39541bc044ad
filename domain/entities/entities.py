"""The things that messages are about: found in a text, and ranked over many."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import log
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from backstory.domain.entities.addresses import METHODS, as_address
from backstory.domain.entities.concepts import concepts
from backstory.domain.entities.names import NameMatch, scan
from backstory.domain.entities.tagged_words import TaggedWords
from backstory.domain.text.markdown import READ, inside_code, outside_code

EXTRACTOR_VERSION = 1
"""Raised when the same text may give other mentions than before."""

KINDS = ("file", "function", "class", "technology", "person", "url", "error", "concept")
PLURALS: Mapping[str, str] = MappingProxyType(
    {
        "file": "files",
        "function": "functions",
        "class": "classes",
        "technology": "technologies",
        "person": "people",
        "url": "urls",
        "error": "errors",
        "concept": "concepts",
    }
)
NAMED_KINDS = frozenset({"file", "function", "class", "error", "url"})
"""Kinds that can be asked for by name."""
HALF_LIFE = 8
"""After so many newer items, a mention weighs half."""


_AS_ONE = "\0"
"""Between kind and name where both are one text: it comes before every letter, so such texts have the pairs' order."""


class Mention(NamedTuple):
    kind: str
    name: str


class Entity(NamedTuple):
    """Something that was mentioned, with where."""

    kind: str
    name: str
    count: int  # type: ignore[assignment]  # hides the tuple's own method, which nobody needs here
    """Mentions in all items."""
    last: int
    """The newest item that mentions it."""
    items: tuple[int, ...]
    """All that do, newest last."""


def extract(text: str) -> tuple[Mention, ...]:
    """The mentions in a text, in order of appearance, as often as it does. One place in the text is one mention: an
    address is not a file too. The first `READ` characters are read. In code fences only names that are sure count."""
    text = text[:READ]
    prose = outside_code(text)
    found = list(scan(prose))
    taken = [(start, end) for start, end, _, _ in found]
    found += [
        NameMatch(start, end, "concept", name) for start, end, name in concepts(TaggedWords(prose), taken)
    ]
    return _mentions(found, text, prose)


def extract_names(text: str) -> tuple[Mention, ...]:
    """The mentions that `extract` finds, without concepts."""
    text = text[:READ]
    prose = outside_code(text)
    return _mentions(list(scan(prose)), text, prose)


def _mentions(found: list[NameMatch], text: str, prose: str) -> tuple[Mention, ...]:
    if prose != text:
        found += _in_code(inside_code(text))
    addressed = sorted((as_address(text, match) for match in found), key=itemgetter(0))
    return tuple(
        Mention(kind, name) for _, _, kind, name in addressed if kind is not None and name not in METHODS
    )


class ItemMentions(NamedTuple):
    """The mentions in one item, ready to be ranked: each with its count n and its weight 1 + ln n. A
    ranking goes through hundreds of them, so its kind and name are one text, whose hash Python computes once, and
    equal weights are one number. Plain tuples, since thousands of these are kept: the garbage collector passes over
    tuples of texts and numbers."""

    names: tuple[str, ...]
    counts: tuple[int, ...]
    weights: tuple[float, ...]
    named: tuple[str, ...] = ()
    """All named things that the item mentions, each once: files, functions, classes, errors, addresses."""


def weighed(said: Iterable[Mention] | Mapping[Mention, int]) -> ItemMentions:
    """Mentions one by one or counted, ready to be ranked."""
    counts = said if isinstance(said, Counter) else Counter(said)
    return ItemMentions(
        tuple(map(_AS_ONE.join, counts)), tuple(counts.values()), tuple(map(_weight, counts.values()))
    )


@lru_cache(maxsize=1024)
def _weight(count: int) -> float:
    return 1 + log(count)


def rank(mentions: Iterable[tuple[int, ItemMentions]], limit: int) -> tuple[Entity, ...]:
    """The entities that `heaviest` names, each with the items that mention it."""
    in_order = sorted(mentions, key=itemgetter(0))
    where: dict[str, list[int]] = {_AS_ONE.join(mention): [] for mention in heaviest(in_order, limit)}
    counts = dict.fromkeys(where, 0)
    for item, said in in_order:
        for name, count in zip(said.names, said.counts, strict=True):
            if name in where:
                where[name].append(item)
                counts[name] += count
    return tuple(
        Entity(*_mention(name), counts[name], found[-1], tuple(found)) for name, found in where.items()
    )


def heaviest(mentions: Iterable[tuple[int, ItemMentions]], limit: int) -> tuple[Mention, ...]:
    """The heaviest mentions, given those of each item: see `_weights_of`. Equal weights are ordered by kind and
    name. The order in which the items are given does not matter."""
    weights = _weights_of(mentions)
    heavy = sorted(_heavy_names(weights, limit))
    heavy.sort(key=lambda name: round(weights[name], _DIGITS), reverse=True)
    return tuple(map(_mention, heavy[: max(0, limit)]))


def _weights_of(mentions: Iterable[tuple[int, ItemMentions]]) -> dict[str, float]:
    """The weight of each mention in these items.

    weight = Σ over the items that mention it of (1 + ln n) · ½^(p / HALF_LIFE), where n is how often the item mentions
    it and p how many items are newer. So an entity of the newest item outranks one that was in the focus long ago, and
    one that keeps coming back outranks one that was named once.
    """
    in_order = sorted(mentions, key=itemgetter(0))
    weights: dict[str, float] = {}
    # Most are mentioned once, so this takes half the time of a dictionary with a default.
    known = weights.get
    newer = len(in_order)
    for _, said in in_order:
        newer -= 1
        share = 0.5 ** (newer / HALF_LIFE)
        for mention, weight in zip(said.names, said.weights, strict=True):
            weights[mention] = known(mention, 0.0) + weight * share
    return weights


_DIGITS = 9
"""Weights are rounded, so that the last bit of a logarithm, which machines differ in, decides nothing."""


def _mention(name: str) -> Mention:
    return Mention(*name.split(_AS_ONE, 1))


def _heavy_names(weights: Mapping[str, float], limit: int) -> list[str]:
    """Those among which the heaviest are, in no order."""
    enough = sorted(weights.values(), reverse=True)[: max(0, limit)]
    if not enough:
        return []
    least = enough[-1] - 2 * 10**-_DIGITS
    return [name for name, weight in weights.items() if weight >= least]


def by_kind(entities: Iterable[Entity | Mention]) -> dict[str, tuple[str, ...]]:
    """The names by kind, each kind in the order given: files, functions, classes, technologies, people, urls, errors,
    concepts. Every kind is there, with nothing when nothing is known."""
    names: dict[str, list[str]] = {plural: [] for plural in PLURALS.values()}
    for entity in entities:
        names[PLURALS[entity.kind]].append(entity.name)
    return {plural: tuple(found) for plural, found in names.items()}


def _in_code(code: str) -> list[NameMatch]:
    """The names in code fences. A snippet is full of words; what it defines, imports and raises is what it is about."""
    sure = ("file", "url", "error", "class", "technology")
    return [found for found in scan(code, in_code=True) if found.kind in sure or _is_defined(code, found)]


def _is_defined(code: str, found: NameMatch) -> bool:
    before = code[max(0, found.start - 10) : found.start].split()
    return found.kind == "function" and before[-1:] in (["def"], ["function"], ["func"], ["fn"], ["in"])
