"""The texts of a part of a session that memories are made of.

What tools answered is not among them: whoever writes a web page or a file does not write to the memory. Private items
stay with their agents, and what is in quarantine or reads like instructions of somebody else becomes no memory.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from operator import attrgetter, itemgetter
from typing import NamedTuple
from uuid import UUID

from backstory.application.archive.parts import Part
from backstory.application.contents.reader import ContentReader
from backstory.application.contents.source import Bytes, message_of
from backstory.application.context.noticing import own_text
from backstory.application.runtime import Runtime
from backstory.domain.context.taken_in import without_shown
from backstory.domain.entities.entities import Mention, extract, heaviest, weighed
from backstory.domain.errors import ContentErased
from backstory.domain.events import (
    DecisionConfirmed,
    DecisionRecorded,
    Event,
    ItemSaved,
    ItemsCompacted,
    MessageAdded,
)
from backstory.domain.log.references import ContentRef
from backstory.domain.memory.noticed import Noticed
from backstory.domain.memory.values import MemoryKind
from backstory.domain.records import Item, Place
from backstory.domain.state import ContextState
from backstory.domain.summaries.source import SourceMessage
from backstory.domain.values import Role

REMEMBERED: dict[str, MemoryKind] = {
    "lesson": "lesson",
    "preference": "preference",
    "knowledge": "knowledge",
    "glossary": "knowledge",
    "business_rule": "knowledge",
    "integration": "knowledge",
    "known_issue": "knowledge",
}
"""The types of saved items that become memories, with the kinds of these."""
MOST_ENTITIES = 20
_PARAGRAPHS = re.compile(r"\n\s*\n")
_NOBODYS = ("meta", "summary")
"""The kinds of messages that a tool wrote in a user's name."""


class Saved(NamedTuple):
    """Something that was recorded in the session as what it is: a decision, a lesson, a preference."""

    noticed: Noticed
    agent: str | None
    """The agent that alone sees it."""
    title: str | None


class Material(NamedTuple):
    """A part of a session with its texts."""

    part: Part
    said: tuple[SourceMessage, ...]
    """Messages of users and agents, without the results of tools."""
    saved: tuple[Saved, ...]
    decisions: tuple[tuple[int, str, str | None], ...]
    """Decisions with their rationales."""
    mentions: tuple[Mention, ...]
    times: dict[int, datetime]
    """By item, the time at which it came."""

    @property
    def began(self) -> datetime:
        return min(self.times.values())

    @property
    def ended(self) -> datetime:
        return max(self.times.values())

    def important(self, least: float) -> int:
        """The number of its messages that are at least so important."""
        return sum(message.importance >= least for message in self.said)

    @property
    def items(self) -> tuple[int, ...]:
        """The items that it tells of."""
        return tuple(
            sorted({one.item for one in self.said if one.text.strip()} | {one[0] for one in self.decisions})
        )


def material_of(runtime: Runtime, session: UUID, state: ContextState, part: Part) -> Material:
    """Reads what a part of a session says."""
    reader = ContentReader.on_branch(runtime, session, state.version)
    rows = [item for item in part.items if not (item.quarantined or _reads_like_orders(item))]
    shared = {item.id: item for item in rows if not item.private}
    events, contents = reader.events_and_bytes([item.id for item in rows])
    texts = {place: data.decode(errors="replace") for place, data in contents.items()}
    talk = [item.id for item in part.conversation if item.id in shared]
    one_day = len({events[item].occurred_at.date() for item in talk}) < 2
    said: list[SourceMessage] = []
    for item in talk:
        message = _message(shared[item], events[item], contents, one_day)
        if message is not None:
            said.append(message)
    for row in shared.values():
        said += _told_by_another(row, events[row.id], texts)
    said.sort(key=attrgetter("item"))
    return Material(
        part,
        tuple(said),
        tuple(_saved(rows, events, texts)),
        tuple(_decisions(shared, events, texts)),
        heaviest([(one.item, weighed(extract(one.text))) for one in said], MOST_ENTITIES),
        {item.id: events[item.id].occurred_at for item in rows},
    )


def _reads_like_orders(item: Item) -> bool:
    """Whether its text was flagged, other than for a secret: secrets are masked when a memory is written."""
    return any(not flag.startswith(("secret:", "masked:")) for flag in item.flags)


def _message(item: Item, event: Event, contents: Bytes, one_day: bool) -> SourceMessage | None:
    """A message of a user or an agent. Of a tool exchange, what the agent said as it called."""
    body = event.body
    if isinstance(body, MessageAdded) and body.kind in _NOBODYS:
        return None
    try:
        message = message_of(event, contents)
    except ContentErased:
        return None
    role = str(message.role)
    if role not in (Role.USER, Role.AGENT):
        return None
    return SourceMessage(
        item=item.id,
        role=role,
        agent=item.agent,
        text=own_text([message]),
        tools=tuple(part.name for part in message.parts if part.kind == "tool_use" and part.name),
        importance=item.importance,
        day=None if one_day else event.occurred_at.date().isoformat(),
    )


def _told_by_another(item: Item, event: Event, texts: dict[Place, str]) -> Iterator[SourceMessage]:
    """The paragraphs of a summary that another tool's model wrote when it compacted its window. Backstory's own
    summaries are made of messages that are here."""
    body = event.body
    if not isinstance(body, ItemsCompacted) or body.summarizer is not None:
        return
    summary = without_shown(_text(item.id, body.summary, texts) or "")
    for paragraph in _PARAGRAPHS.split(summary):
        if paragraph.strip():
            yield SourceMessage(item.id, str(Role.AGENT), item.agent, paragraph, importance=item.importance)


def _decisions(
    rows: Iterable[int], events: dict[int, Event], texts: dict[Place, str]
) -> Iterable[tuple[int, str, str | None]]:
    for item in sorted(rows):
        body = events[item].body
        if isinstance(body, DecisionRecorded | DecisionConfirmed):
            text = _text(item, body.text, texts)
            if text is not None:
                yield item, text, _text(item, body.rationale, texts)


def _saved(rows: Iterable[Item], events: dict[int, Event], texts: dict[Place, str]) -> Iterable[Saved]:
    for item in rows:
        body = events[item.id].body
        if isinstance(body, DecisionRecorded | DecisionConfirmed):
            text = _text(item.id, body.text, texts)
            why = _text(item.id, body.rationale, texts)
            if text is not None:
                yield Saved(Noticed("decision", text, (item.id,), True, why), None, None)
        elif isinstance(body, ItemSaved) and item.type in REMEMBERED:
            parts = [texts.get((item.id, one.content.part)) for one in body.parts if one.kind == "text"]
            told = "\n".join(part for part in parts if part)
            if told.strip():
                kind = REMEMBERED[item.type]
                yield Saved(
                    Noticed(kind, told, (item.id,), True), item.agent if item.private else None, body.name
                )


def _text(item: int, ref: ContentRef | None, texts: dict[Place, str]) -> str | None:
    return None if ref is None else texts.get((item, ref.part))


def names_of(mentions: Iterable[Mention]) -> tuple[str, ...]:
    """The names that say what they stand for. A word such as "build" does not."""
    found = (one.name for one in mentions if one.kind != "concept")
    return tuple(dict.fromkeys(name for name in found if not (name.isalpha() and name.islower())))


def entities_of(text: str) -> tuple[str, ...]:
    """The names in a text."""
    return names_of(sorted(set(extract(text)), key=itemgetter(1)))
