"""What a context is made of: the state, and what the chosen items say."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from backstory.domain.entities.entities import Mention
from backstory.domain.events import Event
from backstory.domain.log.references import ContentRef
from backstory.domain.messages import inner_parts
from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.prose import prose
from backstory.domain.records import Item, Place
from backstory.domain.state import ContextState

MOST_JSON = 100_000
"""Characters of a tool's JSON: more is read as text, like a file."""


@dataclass(frozen=True)
class Rules:
    """The items of the part that seldom changes."""

    constraints: tuple[int, ...] = ()
    decisions: tuple[int, ...] = ()
    task: str | None = None
    pins: tuple[int, ...] = ()


@dataclass(frozen=True)
class Work:
    """The items of the part that changes with the work."""

    goals: tuple[int, ...] = ()
    actions: tuple[int, ...] = ()
    questions: tuple[int, ...] = ()
    files: int = 0
    """How many of those in focus, the first ones."""


@dataclass
class LoadedItems:
    """The state at one version and the contents that are needed of it. What was erased is not there."""

    state: ContextState
    events: dict[int, Event] = field(default_factory=dict)
    texts: dict[Place, str] = field(default_factory=dict)
    messages: dict[int, Sequence[Message]] = field(default_factory=dict)
    left: dict[int, Item] = field(default_factory=dict)
    """Items that are wanted although they have left every window, as they came."""

    def item(self, item: int) -> Item:
        return self.state.items.get(item) or self.left[item]

    def items_of(self, wanted: Iterable[int]) -> list[Item]:
        """Those of these that are live, or wanted although they have left."""
        live, left = self.state.items, self.left
        return [found for item in wanted if (found := live.get(item) or left.get(item)) is not None]

    def text(self, place: Place) -> str:
        return self.texts[place]

    def said_in(self, version: int, ref: ContentRef | None) -> str | None:
        return None if ref is None else self.texts[version, ref.part]

    def item_text(self, item: Item) -> str:
        """What an item says, in plain words."""
        parts = [part for message in self.messages[item.id] for part in message.parts]
        return "\n".join(filter(None, map(prose, parts)))

    def own_words(self, item: Item) -> str:
        """What an item says without what only links its parts."""
        return own_words(self.messages[item.id])


def own_words(messages: Sequence[Message]) -> str:
    """What messages say without what only links their parts, such as the ids of calls: what they can be searched by."""
    parts = [part for message in messages for part in message.parts]
    return "\n".join(filter(None, map(_words, parts)))


def subject_words(messages: Sequence[Message]) -> str:
    """What messages talk about: their own words, and of JSON that tools take and give the values, not their names."""
    parts = [part for message in messages for part in message.parts]
    return "\n".join(filter(None, (_subject(part) for part in parts)))


def _subject(part: Part) -> str:
    if part.kind not in ("tool_use", "tool_result"):
        return prose(part)
    words = _words(part)
    if len(words) > MOST_JSON or not words.lstrip().startswith(("{", "[")):
        return words
    try:
        return "\n".join(_texts_in(json.loads(words)))
    except (ValueError, RecursionError):
        return words


def _texts_in(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return [text for one in inner for text in _texts_in(one)]
    return []


def _words(part: Part) -> str:
    if part.kind == "tool_use":
        return part.data.decode(errors="replace")
    if part.kind == "tool_result":
        return "\n".join(prose(inner) for inner in inner_parts(part))
    return prose(part)


@dataclass(frozen=True)
class Chosen:
    """Which items stand in each part of a context."""

    system: tuple[int, ...] = ()
    rules: Rules = Rules()
    summary: int | None = None
    history: tuple[int, ...] = ()
    work: Work = Work()
    entities: tuple[Mention, ...] = ()
    older: tuple[int, ...] = ()


def speaker(item: Item) -> str:
    """Who an item comes from: the agent where it has a name, else the role, else what it is."""
    return item.agent or item.role or item.type.replace("_", " ")


Texts = Mapping[str, str]
