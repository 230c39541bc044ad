"""Where an item got into: what was made from it, and the prompts that showed it or something made from it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from backstory.application.contents.derivation import Owned, derived_in_sessions, derived_memories, with_forks
from backstory.application.contents.reader import ContentReader
from backstory.application.queries.read_models import read_items, require_items
from backstory.application.runtime import PROJECT, Runtime
from backstory.domain.access import Action, allows
from backstory.domain.commands.items import checked_items
from backstory.domain.commands.memory import project_id
from backstory.domain.errors import UnknownItem
from backstory.domain.events import ContextAssembled, Event, ModelCalled
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.log.ranges import from_ranges
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.trust import Trust
from backstory.domain.values import LARGEST
from backstory.infrastructure.postgres.queries import query

MEMORY_SECTION = "memory"


class ReachedItem(NamedTuple):
    """An item that was made from another one, or the one that was asked about."""

    session: UUID
    """The session that brought it; of a memory, the project's stream."""
    item: int
    type: str
    """message, memory, summary, …; of what is no item, the type of its event."""
    project: str | None
    """The project whose memory it is; None for an item of a session."""
    at: datetime
    origin: str | None
    """Whose words it is made of; None for what is no item."""
    trust: str | None
    """How far it is trusted."""
    answer: bool
    """Whether it is a model's answer to a prompt that showed one of the others, or was made from such an answer."""
    live: bool
    """Whether prompts and searches may still show it."""
    quarantined: bool
    """Whether it is in quarantine."""


class ReachedPrompt(NamedTuple):
    """A recorded context that showed one of the items."""

    session: UUID
    version: int
    at: datetime
    agent: str | None
    """The agent that it was made for."""
    items: tuple[int, ...]
    """Those of the items that it showed."""
    memories: tuple[int, ...]
    """Those of the memories that it showed, by their ids in the project."""
    answers: tuple[int, ...]
    """The messages that models answered to it."""


class Reached(NamedTuple):
    """Where an item got into."""

    items: tuple[ReachedItem, ...]
    """The item, then what was made from it, oldest first."""
    prompts: tuple[ReachedPrompt, ...]
    """The prompts that showed one of these."""


def reached(
    runtime: Runtime, stream: UUID, items: Sequence[int], *, answers: bool, asker: str | None
) -> Reached:
    """Follows items to what was made from them, directly or not, and to the prompts that showed any of it. With
    `answers`, also to what models answered to these prompts, and so on. What the caller may not see is left out, and
    private items of other agents than the `asker`, if there is one."""
    found = follow(runtime, stream, items, answers=answers)
    held = Holdings(runtime, found.everything)
    seen = {one for one in found.everything if held.is_for(one, asker)}
    if not seen >= found.begins:
        raise UnknownItem("items: some of these are private to another agent.")
    shown = [held.described(one, answer=one not in found.made) for one in seen]
    shown.sort(key=lambda one: ((one.session, one.item) not in found.begins, one.at, one.item))
    prompts = found.prompts if seen == found.everything else _prompts(runtime, seen)
    prompts = [one for one in prompts if held.may_read(one.session)]
    return Reached(tuple(shown), tuple(sorted(prompts, key=lambda one: (one.at, one.version))))


class Followed(NamedTuple):
    """Items, and where they got into."""

    begins: set[Owned]
    made: set[Owned]
    """The items and what was made from them."""
    everything: set[Owned]
    """The same with models' answers, if they were asked for, and what was made from these."""
    prompts: list[ReachedPrompt]


def follow(runtime: Runtime, stream: UUID, items: Sequence[int], *, answers: bool) -> Followed:
    """Follows items to what was made from them and, with `answers`, to what models answered to prompts that showed
    it."""
    wanted = checked_items(items)
    require_items(runtime, stream, wanted)
    begins = {(runtime.reader.owner(stream, item), item) for item in wanted}
    made = _made_from(runtime, begins)
    everything, prompts = set(made), _prompts(runtime, made)
    while answers:
        further = {(one.session, answer) for one in prompts for answer in one.answers} - everything
        if not further:
            break
        everything |= _made_from(runtime, further)
        prompts = _prompts(runtime, everything)
    return Followed(begins, made, everything, prompts)


def _made_from(runtime: Runtime, sources: set[Owned]) -> set[Owned]:
    """Some items with all that was made from them."""
    found = set(sources)
    derived_in_sessions(runtime, found)
    derived_memories(runtime, found)
    return found


def _prompts(runtime: Runtime, sources: set[Owned]) -> list[ReachedPrompt]:
    """The recorded contexts that showed one of some items."""
    streams = dict.fromkeys(with_forks(runtime, sources))
    for stream in dict.fromkeys(stream for stream, _ in sources):
        head = runtime.require_head(stream)
        if head.kind == PROJECT:
            streams.update(dict.fromkeys(_streams_of(runtime, head.labels["project"])))
    return [prompt for stream in streams for prompt in _prompts_in(runtime, stream, sources)]


def _streams_of(runtime: Runtime, project: str) -> list[UUID]:
    """A project's memory and its sessions."""
    rows = runtime.database.read(lambda c: c.execute(query("project_streams"), (project,)).fetchall())
    return [row[0] for row in rows]


def _prompts_in(runtime: Runtime, stream: UUID, sources: set[Owned]) -> Iterator[ReachedPrompt]:
    head = runtime.require_head(stream)
    if head.kind == PROJECT:
        return
    log = runtime.reader.log_of(stream, head.version)
    own = ContentReader(runtime, Lineage([VersionRange(stream, 1, LARGEST)]))
    shown: dict[int, ReachedPrompt] = {}
    for event in own.events_of_type(ContextAssembled.type):
        items, memories = _shown(event, log, sources)
        if items or memories:
            body = event.body
            assert isinstance(body, ContextAssembled)
            shown[event.version] = ReachedPrompt(
                stream, event.version, event.occurred_at, body.agent, items, memories, ()
            )
    answers = _answers(runtime, own, stream, shown) if shown else {}
    for version, prompt in shown.items():
        yield prompt._replace(answers=tuple(sorted(answers.get(version, ()))))


def _shown(event: Event, log: Lineage, sources: set[Owned]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Those of some items that a context showed, and those of some memories."""
    body = event.body
    assert isinstance(body, ContextAssembled)
    items: set[int] = set()
    memories: set[int] = set()
    project = None if body.project is None else project_id(body.project)
    for section in body.sections:
        named = from_ranges(section.items)
        if section.name == MEMORY_SECTION:
            memories.update(one for one in named if project is not None and (project, one) in sources)
        else:
            items.update(one for one in named if log.contains(one) and (log.owner(one), one) in sources)
    return tuple(sorted(items)), tuple(sorted(memories))


def _answers(
    runtime: Runtime, own: ContentReader, stream: UUID, shown: Mapping[int, ReachedPrompt]
) -> dict[int, set[int]]:
    """By context, the messages that were answered to it: those that have it or its call for their cause, and those that
    its call names."""
    behind = {version: version for version in shown}
    found: dict[int, set[int]] = {}
    for call in own.events_of_type(ModelCalled.type):
        body = call.body
        assembly = body.assembly if isinstance(body, ModelCalled) else None
        if isinstance(body, ModelCalled) and assembly is not None and assembly in shown:
            behind[call.version] = assembly
            if body.message is not None:
                found.setdefault(assembly, set()).add(body.message)
    caused = runtime.database.read(
        lambda c: c.execute(query("messages_caused_by"), (stream, list(behind))).fetchall()
    )
    for version, cause in caused:
        found.setdefault(behind[cause], set()).add(version)
    return found


@dataclass
class Holdings:
    """Items with what is known of them now, in the streams that hold them."""

    runtime: Runtime
    places: set[Owned]
    _rows: dict[Owned, Item] = field(default_factory=dict, init=False)
    _live: dict[UUID, list[int]] = field(default_factory=dict, init=False)
    _events: dict[Owned, Event] = field(default_factory=dict, init=False)
    _projects: dict[UUID, str | None] = field(default_factory=dict, init=False)
    _shown: set[Owned] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        by_owner: dict[UUID, list[int]] = {}
        for owner, item in self.places:
            by_owner.setdefault(owner, []).append(item)
        for owner, versions in by_owner.items():
            head = self.runtime.require_head(owner)
            self._projects[owner] = head.labels.get("project") if head.kind == PROJECT else None
            own = ContentReader(self.runtime, Lineage([VersionRange(owner, 1, LARGEST)]))
            self._events.update({(owner, version): event for version, event in own.events(versions).items()})
        for stream in with_forks(self.runtime, self.places):
            self._look_into(stream)

    def _look_into(self, stream: UUID) -> None:
        version = self.runtime.require_head(stream).version
        branch = self.runtime.reader.lineage(stream, version)
        held = [item for owner, item in self.places if branch.contains(item) and branch.owner(item) == owner]
        with self.runtime.reader.borrow(stream) as state:
            rows = {row.id: row for row in read_items(self.runtime, stream, held)}
            live = sorted(item for item in rows if _may_be_shown(state, item))
        for item, row in rows.items():
            place = (branch.owner(item), item)
            if place[0] == stream or place not in self._rows:
                self._rows[place] = row
        self._shown.update((branch.owner(item), item) for item in live)
        if live:
            self._live[stream] = live

    @property
    def live(self) -> dict[UUID, list[int]]:
        """By stream, those that prompts may still show there: an item also in each fork that has it."""
        return self._live

    def is_for(self, place: Owned, asker: str | None) -> bool:
        """Whether the caller and an agent may know of one."""
        row = self._rows.get(place)
        alone = asker is None or row is None or not row.private or row.agent == asker
        return alone and self.may_read(place[0])

    def may_read(self, stream: UUID) -> bool:
        """Whether the caller may read a stream."""
        return allows(
            self.runtime.caller, Action.READ, self.runtime.require_head(stream).labels.get("project")
        )

    def described(self, place: Owned, *, answer: bool) -> ReachedItem:
        """One of them."""
        event, row = self._events[place], self._rows.get(place)
        brings = event.effects.brings
        return ReachedItem(
            session=place[0],
            item=place[1],
            type=event.type if brings is None else brings.type,
            project=self._projects[place[0]],
            at=event.occurred_at,
            origin=None if brings is None else (brings.origin if row is None else row.origin),
            trust=_trust(event, row),
            answer=answer,
            live=place in self._shown,
            quarantined=row is not None and row.quarantined,
        )


def _may_be_shown(state: ContextState, item: int) -> bool:
    """Whether prompts may show an item of a branch: a memory while it holds, another one whether it is in a window or
    not, since contexts with a query search the log."""
    note = state.memories.get(item)
    return item not in state.quarantined and (note is None or note.left is None)


def _trust(event: Event, row: Item | None) -> str | None:
    if row is not None:
        return Trust(row.trust).word
    return None if event.effects.brings is None else event.effects.brings.own_trust.word
