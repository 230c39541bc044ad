"""A session's log as people read it: each event with what it says, its branch, and what it changed."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property, partial
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.branches.diff import Diff, diff_states
from backstory.application.contents.reader import ContentReader
from backstory.application.contents.source import Bytes
from backstory.application.runtime import Runtime
from backstory.application.session import Session
from backstory.domain.errors import UnknownVersion
from backstory.domain.events import Event, EventBody, UnknownBody
from backstory.domain.fold.evolve import evolve
from backstory.domain.log.references import PLAIN_TEXT
from backstory.domain.records import Item, Place
from backstory.domain.state import ContextState

_BATCH = 200


class NamedContent(NamedTuple):
    """One content of an event: which field of the event names it, and its bytes unless they were erased."""

    field: str
    kind: str
    media_type: str
    size: int
    data: bytes | None
    name: str | None = None
    call_id: str | None = None

    @property
    def erased(self) -> bool:
        return self.data is None

    @property
    def text(self) -> str | None:
        """The bytes as text; None when they were erased or are not text."""
        if self.data is None or not (self.media_type.startswith("text/") or self.media_type.endswith("json")):
            return None
        return self.data.decode(errors="replace")


class Entry(NamedTuple):
    """One line of the log. `follows` is the version that it goes on from: the one before it, but for a
    backtrack or a fork's first event. `live`: it leads to the newest version. `strays`: it is the first of a
    branch that was left, right after a live one. `inherited`: a fork has it from its parent."""

    event: Event
    contents: tuple[NamedContent, ...]
    follows: int | None
    live: bool
    strays: bool
    inherited: bool

    @property
    def version(self) -> int:
        return self.event.version


class Step(NamedTuple):
    """One event with the states around it. Of a backtrack, `before` is the state of the branch it left."""

    entry: Entry
    before: "ReadableState"
    after: "ReadableState"
    diff: Diff

    @property
    def facts(self) -> dict[str, tuple[Any, Any]]:
        """What changed besides items, as it was and as it is: status, phase, agents, open calls, …"""
        old, new = _facts(self.before.state), _facts(self.after.state)
        return {name: (old[name], new[name]) for name in new if old[name] != new[name]}


class ReadableState:
    """A state together with what it names: the texts of its items, goals, questions, decisions and the
    like. They are read when the first of them is asked for."""

    def __init__(
        self,
        state: ContextState,
        reader: Callable[[], ContentReader],
        items: Collection[int] | None = None,
    ) -> None:
        self.state = state
        self._reader = reader
        self._items = items

    @cached_property
    def _named(self) -> tuple[dict[int, Event], Bytes]:
        state = self.state
        wanted = [item for item in state.items.values() if self._items is None or item.id in self._items]
        versions = {version for item in wanted for version in item.versions}
        versions.update(place[0] for place in _places(state))
        versions.update(decision.id for decision in state.decisions)
        reader = self._reader()
        return reader.events(versions), reader.bytes_of(versions)

    @property
    def title(self) -> str | None:
        return self.text(self.state.title)

    def text(self, place: Place | None) -> str | None:
        """The text at a place of the state; None when there is none or it was erased."""
        data = None if place is None else self._named[1].get(place)
        return None if data is None else data.decode(errors="replace")

    def said_by(self, item: Item) -> tuple[NamedContent, ...]:
        """What an item says, all its events together."""
        return tuple(content for version in item.versions for content in self.said_at(version))

    def said_at(self, version: int) -> tuple[NamedContent, ...]:
        """What one event says, such as a decision's."""
        events, held = self._named
        return contents_of(events[version], held) if version in events else ()


class History:
    """The log of one session, read through any handle on it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._runtime: Runtime = session._runtime
        self._folded: ContextState | None = None
        self.refresh()

    def refresh(self) -> int:
        """Looks again which branch is the current one, and returns the newest version."""
        self.newest = self._session.version
        self._branch = self._runtime.reader.lineage(self._session.id, self.newest)
        self._log = self._runtime.reader.log_of(self._session.id, self.newest)
        return self.newest

    @property
    def session(self) -> UUID:
        return self._session.id

    @cached_property
    def title(self) -> str | None:
        """The session's title as it is now."""
        return self.state(self.newest, ()).title

    def entries(
        self,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] = (),
        actor: str | None = None,
        branch: bool = False,
    ) -> Iterator[Entry]:
        """The log, filtered as `Session.events` does it, with what each event says."""
        upto = self.newest if upto is None else upto
        events = self._session.events(after=after, upto=upto, types=types, actor=actor, branch=branch)
        while batch := list(islice(events, _BATCH)):
            yield from self._entries(batch)

    def followed(
        self,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] = (),
        actor: str | None = None,
        branch: bool = False,
    ) -> Iterator[Entry]:
        """The same of a session that goes on: what there is, then each as it comes."""
        with self._session.tail(after=after, upto=upto, types=types, actor=actor) as tail:
            for events in tail.batches():
                self.refresh()
                yield from (entry for entry in self._entries(list(events)) if entry.live or not branch)

    def entry(self, version: int) -> Entry:
        """One version."""
        if not 1 <= version <= self.newest:
            raise UnknownVersion(
                f"version {version} does not exist: the session has versions 1 to {self.newest}."
            )
        (entry,) = self.entries(after=version - 1, upto=version)
        return entry

    def step(self, version: int) -> Step:
        """What one event did. From one step to the next one it costs one event, not a fold from afar."""
        return self._step(self.entry(version))

    def steps(self, *, after: int = 0, upto: int | None = None) -> Iterator[Step]:
        """Every event of the log, one after the other, with what it did."""
        for entry in self.entries(after=after, upto=upto):
            yield self._step(entry)

    def state(self, version: int, items: Collection[int] | None = None) -> ReadableState:
        """The state at a version, with what all its items say, or these."""
        return self._readable(self._session.at(version), items)

    def _step(self, entry: Entry) -> Step:
        before = self._state_before(entry)
        if entry.event.effects.resumes is None:
            after = evolve(before.copy() if before.version else None, entry.event)
        else:
            after = self._session.at(entry.version)
        self._folded = after
        diff = diff_states(before, after)
        gone = {item.id for item in diff.items_out}
        come = {item.id for item in (*diff.items_in, *diff.items_changed)}
        return Step(entry, self._readable(before, gone), self._readable(after, come), diff)

    def _state_before(self, entry: Entry) -> ContextState:
        previous = entry.version - 1
        if previous < 1:
            return ContextState(entry.event.stream)
        if self._folded is None or self._folded.version != previous:
            self._folded = self._session.at(previous)
        return self._folded

    def _readable(self, state: ContextState, items: Collection[int] | None) -> ReadableState:
        reader = partial(ContentReader.on_branch, self._runtime, state.stream, state.version)
        return ReadableState(state, reader, items)

    def _entries(self, events: list[Event]) -> Iterator[Entry]:
        reader = ContentReader(self._runtime, self._log)
        held = reader.bytes_of(event.version for event in events)
        for event in events:
            resumes = event.effects.resumes
            follows = resumes.version if resumes is not None else event.version - 1
            live = self._branch.contains(event.version)
            yield Entry(
                event,
                contents_of(event, held),
                follows=follows or None,
                live=live,
                strays=not live and resumes is None and self._branch.contains(follows),
                inherited=event.stream != self._session.id,
            )


def contents_of(event: Event, held: Bytes) -> tuple[NamedContent, ...]:
    """Every content that an event names, of types known and unknown alike."""
    return tuple(
        _named(event.version, field, ref, part, held) for field, ref, part in _references(payload_of(event))
    )


def payload_of(event: Event) -> Any:
    """What an event says, as JSON values: without the texts, which are contents."""
    if isinstance(event.body, EventBody):
        return event.body.model_dump(mode="json", exclude_defaults=True)
    return _decoded(event.body)


def _decoded(body: UnknownBody) -> Any:
    try:
        return json.loads(body.payload)
    except ValueError:
        return None


def _named(version: int, field: str, ref: dict[str, Any], part: dict[str, Any], held: Bytes) -> NamedContent:
    return NamedContent(
        field,
        part.get("kind", "text"),
        ref.get("media_type", PLAIN_TEXT),
        ref["size"],
        held.get((version, ref.get("part", 0))),
        part.get("name"),
        part.get("call_id"),
    )


def _references(payload: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Each content reference with the field that holds it and, for a message's part, what the part is."""
    if isinstance(payload, dict):
        if "sha256" in payload and "size" in payload:
            yield path, payload, {}
            return
        for name, value in payload.items():
            if path and name == "content" and isinstance(value, dict) and "sha256" in value:
                yield path, value, payload
            else:
                yield from _references(value, f"{path}.{name}".lstrip("."))
    elif isinstance(payload, list):
        for place, value in enumerate(payload):
            yield from _references(value, f"{path}.{place}".lstrip("."))


def _facts(state: ContextState) -> dict[str, Any]:
    return {
        "status": state.status if state.version else None,
        "tags": list(state.tags),
        "project": state.project.name if state.project else None,
        "phase": state.phase,
        "project_layer": state.project_layer,
        "clarity": state.clarity,
        "current_task": state.current_task,
        "agents": list(state.agents),
        "files": list(state.focus.files),
        "open_calls": list(state.open_calls),
        "limits": {name: window.limit for name, window in state.windows.items() if window.limit},
        "last_checkpoint": state.last_checkpoint,
        "system_prompt": state.system_prompt,
        "summary": state.summary.item if state.summary else None,
        "pins": list(state.pins),
        "noticed": [note.id for note in state.decisions if not note.confirmed],
    }


def _places(state: ContextState) -> Iterable[Place]:
    """Every place of a text that a state names."""
    if state.title is not None:
        yield state.title
    yield from (goal.text for goal in state.goals.values())
    yield from state.constraints.values()
    for action in state.actions.values():
        yield from (place for place in (action.text, action.blocked_by) if place is not None)
    for question in state.questions.values():
        yield from (place for place in (question.text, question.context) if place is not None)
    for task in state.tasks.values():
        yield from (task.text, *task.acceptance_criteria)
