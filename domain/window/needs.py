"""Ranks items that left a window: by what was needed of them since, and by what is likely to be needed next."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from backstory.domain.context.loaded_items import subject_words
from backstory.domain.entities.code_names import names_in
from backstory.domain.entities.entities import extract_names
from backstory.domain.events import Event, ItemSaved
from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.prose import result_text
from backstory.domain.messages.shapes import shape_in, text_of
from backstory.domain.messages.signals import signals
from backstory.domain.records import Item
from backstory.domain.search.corpus import Corpus, Document
from backstory.domain.search.features import own_scores, rarities
from backstory.domain.search.marks import CAPITALISED
from backstory.domain.search.snippets import snippet
from backstory.domain.search.terms import READ, terms
from backstory.domain.values import Role

KINDS: Mapping[str, float] = {
    "pending_call": 1.0,
    "user_words": 0.9,
    "decision": 0.8,
    "failure": 0.6,
    "file": 0.4,
    "command": 0.3,
}
"""What work needs next, by how likely it does: an answer must find its call, and what was asked for outlasts how it was
done. Files can be read again, and commands run again. A decision was recorded, or an agent's message states one."""
LIKELY = 0.5
"""The weight of what is likely to be needed, beside what was needed."""
NAMED = 3.0
"""The weight of a name as code spells it, beside that of a word as rare. Why: who writes a path had to know it, and
anybody may write a word."""
MOST_USED = 5
"""Names and words that are named of one item."""

ASKED = 1_000
"""Characters of a user's message in which every word counts. Why: what is longer was pasted for the most part."""

_SPOKEN = ("person", "technology", "class", "function", "error")
"""Kinds of entities that are spelled as words."""
_NAME = "\0"
"""Before a name as code spells it, which is counted beside the terms that it has."""
_COMMANDS = ("command", "cmd")
"""Arguments of tools that run commands."""
_FAILURE = re.compile(r"\W*(?:error|exception|traceback|fatal|exit code [1-9])", re.IGNORECASE)
"""The beginning of a result that is a failure, where its provider has no flag for that."""

Words = Counter[str]


class Needs:
    """The words that later steps used although nothing in the window had them by then."""

    def __init__(self, held: Words) -> None:
        """`held` are the words of the window after the compaction."""
        self._known = set(held)
        self.first: dict[str, int] = {}
        """The version of the step that used each first."""
        self.steps = 0

    def add_step(self, version: int, message: Message) -> None:
        """A message, or calls of tools. Of what an agent says only names count, and of what a user says every word:
        an agent takes most of its words from nowhere, a user asks with them."""
        self.steps += 1
        text, held = subject_words([message])[:READ], words_of([message])
        used = {_NAME + name.text for name in names_in(text)}
        prose = "\n".join(map(text_of, (part for part in message.parts if part.kind == "text")))[:READ]
        named = [name for kind, name in extract_names(prose) if kind in _SPOKEN]
        used.update(terms(" ".join([*named, *CAPITALISED.findall(prose)])))
        if message.role == Role.USER and len(text) <= ASKED:
            used.update(held)
        for word in used:
            if word not in self._known:
                self.first[word] = version
        self._known.update(held)

    def add_words(self, words: Words) -> None:
        """What else came into the window, such as a result: no step after that misses its words."""
        self._known.update(words)


class Used(NamedTuple):
    """The names and words of an item that later steps used, and the first such step."""

    words: tuple[str, ...] = ()
    step: int | None = None


def words_of(messages: Sequence[Message]) -> Words:
    """The search's terms of messages, and the names of files and code in them."""
    return words_in(subject_words(messages))


def words_in(text: str) -> Words:
    """The same of a text."""
    found = Words(terms(text))
    found.update(_NAME + name.text for name in names_in(text[:READ]))
    return found


class Matches(NamedTuple):
    """The items that have some words: the search's score of each as a share of the best, and the weight of each word
    by its rarity among the items."""

    shares: Mapping[int, float]
    rarity: Mapping[str, float]


def matches(wanted: Collection[str], items: Mapping[int, Words]) -> Matches:
    """The items that have one of these words."""
    corpus = _corpus(wanted, items)
    found = rarities(wanted, corpus)
    rarity = {word: weight * (NAMED if word.startswith(_NAME) else 1) for word, weight in found.items()}
    scores = own_scores(rarity, corpus)
    best = max(scores.values(), default=1.0)
    ids = [*items]
    return Matches({ids[position]: score / best for position, score in scores.items()}, rarity)


def score(used: float, likely: float, kinds: Collection[str]) -> float:
    """The rank of an item as a number from 0 to 1.5: the share of what was used of it, and half of what makes it likely
    to be needed, which is its kind before its share of what the window is about now."""
    worth = max((KINDS[kind] for kind in kinds), default=0.0)
    return used + LIKELY * (2 * worth + likely) / 3


def used_of(needs: Needs, rarity: Mapping[str, float], words: Words, messages: Sequence[Message]) -> Used:
    """What later steps used of an item: names first, then the rarest words as the item spells them."""
    shared = sorted((word for word in words if word in rarity), key=lambda word: (-rarity[word], word))
    if not shared:
        return Used()
    names = [word for word in shared if word.startswith(_NAME)][:MOST_USED]
    plain = [word for word in shared if not word.startswith(_NAME)][: MOST_USED - len(names)]
    shown = [name.removeprefix(_NAME) for name in names]
    text, marks = snippet(subject_words(messages), plain)
    spelled = dict.fromkeys(text[first:last] for first, last in marks)
    shown += [word for word in spelled if not any(word in name for name in shown)]
    return Used(tuple(shown[:MOST_USED]), min(needs.first[word] for word in (*names, *plain)))


def kinds_of(
    item: Item, events: Iterable[Event], messages: Sequence[Message], *, pending: bool
) -> tuple[str, ...]:
    """The KINDS that an item is of, most needed first. None for mere talk and plain results."""
    found = {*_kinds(item, events, messages)}
    if pending:
        found.add("pending_call")
    return tuple(kind for kind in KINDS if kind in found)


def _kinds(item: Item, events: Iterable[Event], messages: Sequence[Message]) -> Iterator[str]:
    if item.type == "decision":
        yield "decision"
    if item.type == "error":
        yield "failure"
    if any(isinstance(event.body, ItemSaved) and event.body.path is not None for event in events):
        yield "file"
    parts = [part for message in messages for part in message.parts]
    if item.type == "message" and any(part.kind == "text" for part in parts):
        text = "\n".join(text_of(part) for part in parts if part.kind == "text")
        if item.role == Role.USER:
            yield "user_words"
        elif signals(text, item.role or "").decision:
            yield "decision"
    for part in parts:
        if part.kind == "tool_use":
            yield from _called(part)
        elif part.kind == "tool_result" and _is_failure(part):
            yield "failure"


def _called(part: Part) -> Iterator[str]:
    try:
        arguments: Any = json.loads(part.data)
    except (ValueError, RecursionError):
        return
    if isinstance(arguments, dict) and any(arguments.get(name) for name in _COMMANDS):
        yield "command"
    elif any(name.kind == "path" for name in names_in(part.data.decode(errors="replace")[:READ])):
        yield "file"


def _is_failure(part: Part) -> bool:
    if shape_in(part).get("is_error") is True:
        return True
    return _FAILURE.match(result_text(part)) is not None


def _corpus(wanted: Collection[str], items: Mapping[int, Words]) -> Corpus:
    documents, postings = {}, {word: dict[int, int]() for word in wanted}
    for position, (item, words) in enumerate(items.items()):
        length = words.total()
        documents[position] = Document(position, item, 0, None, "", 0, length, 0)
        for word in words.keys() & postings.keys():
            postings[word][position] = words[word]
    length = sum(document.length for document in documents.values())
    return Corpus(documents, postings, len(documents), length, ())
