"""Memories as they are read: their texts, times and sources, and the choice among them."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.runtime import Runtime
from backstory.application.search.visible import Place
from backstory.domain.errors import InvalidInput
from backstory.domain.events import Event, MemoryCorroborated, MemoryRecorded
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.log.ranges import from_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.memory.values import MEMORY_KINDS, Source
from backstory.domain.records import MemoryNote
from backstory.domain.state import ContextState
from backstory.domain.trust import Trust
from backstory.domain.values import Tier, aware, from_microseconds, label, listed, microseconds


class Memory(NamedTuple):
    """A memory of a project."""

    project: str
    id: int
    """The version that recorded it."""
    kind: str
    title: str | None
    text: str | None
    """None where it was erased."""
    agent: str | None
    """The agent that alone sees it; None for everybody."""
    key: str | None
    """The name of what it tells, under which a later one supersedes it."""
    entities: tuple[str, ...]
    sources: tuple[Source, ...]
    """The items that it was made from."""
    at: datetime
    """The time at which it was known."""
    recorded_at: datetime
    """The time at which it was recorded; later than `at` for what was imported."""
    by: str | None
    """The agent or person who recorded it."""
    valid_from: datetime | None
    valid_until: datetime | None
    left_at: datetime | None
    """The time at which it was superseded or forgotten; None while it holds."""
    superseded_by: int | None
    """The memory that took its place."""
    importance: float
    tier: str | None
    """None once it is superseded or forgotten."""
    tokens: int
    origin: str
    """Whose words it is made of: user, model, internal_tool, external_tool, document, import."""
    trust: str
    """How far it is trusted: untrusted, derived or trusted. No further than what it was made from."""
    quarantined: bool
    """Whether it is in quarantine, and stands in no prompt."""
    flags: tuple[str, ...]
    """The suspicions that its text raised when it was written: a secret, instructions."""
    candidate: bool
    """Whether it waits to be confirmed or dismissed."""
    said_again: tuple[Source, ...]
    """Other items that say the same."""
    made_by: str | None
    """The rules or the summarizer that wrote it; None for its author's own words."""
    details: dict[str, Any] | None
    """More about it: of a fragment its decisions, entities, files and times."""


class MemoryPage(NamedTuple):
    """Some of a project's memories, the newest first."""

    memories: tuple[Memory, ...]
    next: int | None
    """Passed as `after`, it continues here. None at the end."""


@dataclass(frozen=True)
class MemoryFilter:
    """The memories that are asked for, checked."""

    agent: str | None = None
    """The agent that asks: it sees its own memories, and nobody else's."""
    kinds: Collection[str] = ()
    entity: str | None = None
    tier: str | None = None
    since: datetime | None = None
    before: datetime | None = None
    as_of: datetime | None = None
    """The time whose knowledge is asked for; None for now."""
    past: bool = False
    """Whether those that no longer hold are asked for, too."""
    quarantined: bool = False
    """Whether those in quarantine are asked for, too."""
    candidates: bool = False
    """Whether those that wait to be confirmed or dismissed are asked for, and no others."""

    def __post_init__(self) -> None:
        for name, given in (("agent", self.agent), ("entity", self.entity)):
            if given is not None:
                label(name, given)
        for kind in listed("kinds", self.kinds):
            if kind not in MEMORY_KINDS:
                raise InvalidInput("kinds", f"must be among {', '.join(MEMORY_KINDS)}, got {kind!r}")
        if self.tier is not None and self.tier not in list(Tier):
            raise InvalidInput("tier", f"must be one of {', '.join(Tier)}, got {self.tier!r}")
        for name, time in (("since", self.since), ("before", self.before), ("as_of", self.as_of)):
            aware(name, time)
        for name, wanted in (
            ("past", self.past),
            ("quarantined", self.quarantined),
            ("candidates", self.candidates),
        ):
            if not isinstance(wanted, bool):
                raise InvalidInput(name, f"must be true or false, got {wanted!r}")

    def admits(self, state: ContextState, id: int, note: MemoryNote) -> bool:
        """Whether a memory is asked for, as far as a state tells."""
        item = state.items.get(id)
        return (
            note.agent in (None, self.agent)
            and (self.quarantined or id not in state.quarantined)
            and (not self.kinds or note.kind in self.kinds)
            and (self.tier is None or (item is not None and item.tier == self.tier))
            and (self.since is None or note.at >= microseconds(self.since))
            and (self.before is None or note.at < microseconds(self.before))
            and (self._waits(note) if self.candidates else self._holds(note) or self._held(note))
        )

    def _waits(self, note: MemoryNote) -> bool:
        return note.candidate and (self.past or note.left is None)

    def _held(self, note: MemoryNote) -> bool:
        """Whether what no longer holds is asked for, and it is no candidate."""
        return self.past and not note.candidate

    def _holds(self, note: MemoryNote) -> bool:
        if self.as_of is None:
            return note.holds_at(microseconds(datetime.now(UTC)))
        return note.holds_at(microseconds(self.as_of), microseconds(self.as_of))


class MemoryReader:
    """Reads memories of a project's state."""

    def __init__(self, runtime: Runtime, project: UUID, state: ContextState) -> None:
        self._runtime = runtime
        self._project = project
        self._state = state
        self._contents = ContentReader(runtime, Lineage([VersionRange(project, 1, state.version)]))

    def chosen(self, wanted: MemoryFilter) -> list[int]:
        """The memories that are asked for, oldest first."""
        notes = self._state.memories.items()
        found = [id for id, note in notes if wanted.admits(self._state, id, note)]
        if wanted.entity is None or not found:
            return found
        name = wanted.entity.casefold()
        read = self._contents.events_with_contents(found)
        return [id for id in found if name in map(str.casefold, _entities(*read[id]))]

    def made_from(self, ids: Iterable[int]) -> dict[Place, list[int]]:
        """The items that these memories were made from or that say the same, with the memories of each."""
        notes = self._state.memories
        behind = {version: id for id in ids for version in (id, *notes[id].seen)}
        found: dict[Place, list[int]] = {}
        for version, event in self._contents.events(behind).items():
            for source in sources_of(event.body):
                for item in source.items:
                    found.setdefault(Place(source.session, item), []).append(behind[version])
        return found

    def read(self, ids: Iterable[int]) -> list[Memory]:
        """These memories, in this order."""
        wanted = list(ids)
        read = self._contents.events_with_contents(wanted)
        again = self._contents.events(version for id in wanted for version in self._state.memories[id].seen)
        return [self._memory(*read[id], again) for id in wanted]

    def _memory(self, event: Event, contents: dict[int, bytes], again: Mapping[int, Event]) -> Memory:
        body, state = event.body, self._state
        assert isinstance(body, MemoryRecorded)
        new = event.effects.brings
        assert new is not None
        note, item = state.memories[event.version], state.items.get(event.version)
        return Memory(
            project=str(state.labels.get("project")),
            id=event.version,
            kind=body.kind,
            title=_text(body.title, contents),
            text=_text(body.text, contents),
            agent=note.agent,
            key=body.key,
            entities=_entities(event, contents),
            sources=sources_of(body),
            at=event.occurred_at,
            recorded_at=event.recorded_at,
            by=event.actor,
            valid_from=body.valid_from,
            valid_until=body.valid_until,
            left_at=None if note.left is None else from_microseconds(note.left),
            superseded_by=note.by,
            importance=new.importance,
            tier=None if item is None else item.tier,
            tokens=new.tokens,
            origin=new.origin,
            trust=(new.own_trust if item is None else Trust(item.trust)).word,
            quarantined=event.version in state.quarantined,
            flags=new.flags if item is None else item.flags,
            candidate=note.candidate,
            said_again=tuple(one for version in note.seen for one in sources_of(again[version].body)),
            made_by=body.made_by,
            details=_json(body.details, contents),
        )


def sources_of(body: object) -> tuple[Source, ...]:
    """The sources that an event names, each with its items."""
    assert isinstance(body, MemoryRecorded | MemoryCorroborated)
    return tuple(Source(session=one.session, items=from_ranges(one.items)) for one in body.sources)


def page_of(reader: MemoryReader, ids: Sequence[int], limit: int, after: int | None) -> MemoryPage:
    """The newest of some memories, before the last one of the page before."""
    older = [id for id in sorted(ids, reverse=True) if after is None or id < after]
    shown = older[:limit]
    return MemoryPage(tuple(reader.read(shown)), shown[-1] if len(older) > limit else None)


def _text(ref: ContentRef | None, contents: dict[int, bytes]) -> str | None:
    data = None if ref is None else contents.get(ref.part)
    return None if data is None else data.decode(errors="replace")


def _json(ref: ContentRef | None, contents: dict[int, bytes]) -> Any:
    text = _text(ref, contents)
    return None if text is None else json.loads(text)


def _entities(event: Event, contents: dict[int, bytes]) -> tuple[str, ...]:
    body = event.body
    return tuple(_json(body.entities, contents) or ()) if isinstance(body, MemoryRecorded) else ()
