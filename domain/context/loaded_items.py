"""The state and the contents that a context is made of."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from backstory.domain.context.shortened import with_cut_results
from backstory.domain.entities.entities import Mention
from backstory.domain.events import Event
from backstory.domain.log.references import ContentRef
from backstory.domain.messages import inner_parts
from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.prose import prose
from backstory.domain.messages.speakers import as_heard
from backstory.domain.records import Item, Place
from backstory.domain.state import ContextState

MOST_JSON = 100_000
"""Characters of a tool's JSON: more is read as text, like a file."""


@dataclass(frozen=True)
class Rules:
    """The items of the part that seldom changes."""

    constraints: tuple[int, ...] = ()
    decisions: tuple[int, ...] = ()
    pins: tuple[int, ...] = ()


@dataclass(frozen=True)
class Work:
    """The hot state: the part that changes with the work."""

    role: str | None = None
    """The agent that is asked, where role and layer are shown; empty for none."""
    goals: tuple[int, ...] = ()
    actions: tuple[int, ...] = ()
    questions: tuple[int, ...] = ()
    files: int = 0
    """The number of files in focus that are shown, from the first on."""


class MemoryText(NamedTuple):
    """What a memory of the project says."""

    id: int
    kind: str
    at: datetime
    """The time at which it was known."""
    title: str | None
    text: str
    by: str | None
    """The agent or person who recorded it."""


@dataclass
class LoadedItems:
    """A state, and those of its contents that were loaded. Erased contents are missing."""

    state: ContextState
    events: dict[int, Event] = field(default_factory=dict)
    texts: dict[Place, str] = field(default_factory=dict)
    messages: dict[int, Sequence[Message]] = field(default_factory=dict)
    left: dict[int, Item] = field(default_factory=dict)
    """Items that have left every window, as they came."""
    memories: dict[int, MemoryText] = field(default_factory=dict)
    """Memories of the session's project."""
    project_texts: dict[Place, str] = field(default_factory=dict)
    """Texts of files that the project holds."""

    def item(self, item: int) -> Item:
        return self.state.items.get(item) or self.left[item]

    def items_of(self, wanted: Iterable[int]) -> list[Item]:
        """Those of these items that are live or in `left`."""
        live, left = self.state.items, self.left
        return [item for id_ in wanted if (item := live.get(id_) or left.get(id_)) is not None]

    def text(self, place: Place) -> str:
        return self.texts[place]

    def said_in(self, version: int, ref: ContentRef | None) -> str | None:
        return None if ref is None else self.texts[version, ref.part]

    def item_text(self, item: Item) -> str:
        """The text of an item, in plain words."""
        parts = [part for message in self.messages[item.id] for part in message.parts]
        return "\n".join(filter(None, map(prose, parts)))

    def heard(self, item: Item, agent: str | None) -> Sequence[Message]:
        """The messages of an item as an agent hears them."""
        return as_heard(self.messages[item.id], item.agent, agent)

    def with_cut_results(self, item: int, characters: int) -> "LoadedItems":
        """The same, but that the results of a tool exchange are cut."""
        cut = with_cut_results(item, self.messages[item], characters)
        return replace(self, messages={**self.messages, item: cut})

    def own_words(self, item: Item) -> str:
        """The text of an item, without the ids that link its parts."""
        return own_words(self.messages[item.id])


def own_words(messages: Sequence[Message]) -> str:
    """The text of messages for a search, without what only links their parts, such as the ids of calls."""
    parts = [part for message in messages for part in message.parts]
    return "\n".join(filter(None, map(_words, parts)))


def subject_words(messages: Sequence[Message]) -> str:
    """The text of messages for entities: of JSON that tools take and give only the values, not their names."""
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
    """The items of each part of a context."""

    system: tuple[int, ...] = ()
    rules: Rules = Rules()
    task: str | None = None
    summaries: tuple[int, ...] = ()
    summary_lines: int = 0
    """The number of their lines that are shown, from the most important one on."""
    history: tuple[int, ...] = ()
    result_characters: int | None = None
    """The characters that results of the newest exchange are cut to, which ends the history; None where it is whole."""
    work: Work = Work()
    entities: tuple[Mention, ...] = ()
    older: tuple[int, ...] = ()
    earlier: tuple[int, ...] = ()
    """Messages and exchanges before the history, shortened."""
    memories: tuple[int, ...] = ()
    """Memories of the session's project."""
    artifacts: tuple[int, ...] = ()
    """Artifacts that were loaded."""


def speaker(item: Item) -> str:
    """The source of an item: its agent, else its role, else its type."""
    return item.agent or item.role or item.type.replace("_", " ")
