"""A session's log for people: each event with its texts, its branch, and its changes."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from functools import cached_property, partial
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.branches.diff import Diff, diff_states
from backstory.application.contents.reader import ContentReader
from backstory.application.context.reproduce import Saw
from backstory.application.queries.event_contents import NamedContent, contents_of
from backstory.application.queries.readable_state import ReadableState
from backstory.application.queries.session_list import SessionSummary, summary_of
from backstory.application.runtime import Runtime
from backstory.application.session import Session
from backstory.domain.errors import UnknownVersion
from backstory.domain.events import Event
from backstory.domain.fold.evolve import evolve
from backstory.domain.records import Item
from backstory.domain.state import ContextState

_BATCH = 200


class LogEntry(NamedTuple):
    """One entry of the log. `follows` is the version it continues: the one before it, except for a backtrack and a
    fork's first event. `live`: it leads to the newest version. `strays`: it is the first of an abandoned branch,
    right after a live one. `inherited`: it belongs to the parent of a fork."""

    event: Event
    contents: tuple[NamedContent, ...]
    follows: int | None
    live: bool
    strays: bool
    inherited: bool

    @property
    def version(self) -> int:
        return self.event.version


class ReplayStep(NamedTuple):
    """One event with the states around it. For a backtrack, `before` is the state of the branch it left."""

    entry: LogEntry
    before: "ReadableState"
    after: "ReadableState"
    diff: Diff

    @property
    def facts(self) -> dict[str, tuple[Any, Any]]:
        """Changed values besides items, old and new: status, phase, agents, open calls, …"""
        old, new = _facts(self.before.state), _facts(self.after.state)
        return {name: (old[name], new[name]) for name in new if old[name] != new[name]}


class SessionHistory:
    """The log of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._runtime: Runtime = session._runtime
        self._folded: ContextState | None = None
        self.refresh()

    def refresh(self) -> int:
        """Reads the current branch again. Returns the newest version."""
        self.newest = self._session.version
        self._branch = self._runtime.reader.lineage(self._session.id, self.newest)
        self._log = self._runtime.reader.log_of(self._session.id, self.newest)
        return self.newest

    @property
    def session(self) -> UUID:
        return self._session.id

    @cached_property
    def summary(self) -> SessionSummary:
        """The session's entry in the list of sessions, as it is now."""
        return summary_of(self._session)

    def entries(
        self,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] = (),
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        branch: bool = False,
    ) -> Iterator[LogEntry]:
        """The log, filtered like `Session.events`, with contents."""
        upto = self.newest if upto is None else upto
        events = self._session.events(
            after=after, upto=upto, types=types, actor=actor, since=since, until=until, branch=branch
        )
        while batch := list(islice(events, _BATCH)):
            yield from self._entries(batch)

    def followed(
        self,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] = (),
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        branch: bool = False,
    ) -> Iterator[LogEntry]:
        """Existing and then new entries, as they come."""
        with self._session.tail(
            after=after, upto=upto, types=types, actor=actor, since=since, until=until
        ) as tail:
            for events in tail.batches():
                self.refresh()
                yield from (entry for entry in self._entries(list(events)) if entry.live or not branch)

    def of(self, events: Sequence[Event]) -> Iterator[LogEntry]:
        """The entries of events, as of the last refresh."""
        return self._entries(list(events))

    def entry(self, version: int) -> LogEntry:
        """One version."""
        if not 1 <= version <= self.newest:
            raise UnknownVersion(
                f"version {version} does not exist: the session has versions 1 to {self.newest}."
            )
        (entry,) = self.entries(after=version - 1, upto=version)
        return entry

    def at(self, versions: Collection[int]) -> list[LogEntry]:
        """These versions, oldest first."""
        wanted = [version for version in versions if 1 <= version <= self.newest]
        events, _ = ContentReader(self._runtime, self._log).events_and_bytes(wanted)
        return list(self._entries([events[version] for version in sorted(events)]))

    def step(self, version: int) -> ReplayStep:
        """One event with the states around it. Consecutive steps cost one event each."""
        return self._step(self.entry(version))

    def steps(self, *, after: int = 0, upto: int | None = None) -> Iterator[ReplayStep]:
        """Every event of the log with its changes."""
        for entry in self.entries(after=after, upto=upto):
            yield self._step(entry)

    def state(self, version: int, items: Collection[int] | None = None) -> ReadableState:
        """The state at a version with the texts of all its items, or of these."""
        return self._readable(self._session.at(version), items)

    def items(self, items: Collection[Item]) -> ReadableState:
        """The newest state with these items alone, live or not, and their texts."""
        state = self._session.state.copy()
        # The state knows all events of an item; the read model, where they may come from, only the first one.
        state.items = {item.id: state.items.get(item.id, item) for item in items}
        return self._readable(state, None)

    def chain(self, saw: Saw) -> list[LogEntry]:
        """The events from a decision back to the context that the model saw."""
        links = [version for version in (saw.message, saw.call, saw.assembly) if version is not None]
        if saw.version not in links:
            links.insert(0, saw.version)
        return [self.entry(version) for version in links]

    def _step(self, entry: LogEntry) -> ReplayStep:
        before = self._state_before(entry)
        if entry.event.effects.resumes is None:
            after = evolve(before.copy() if before.version else None, entry.event)
        else:
            after = self._session.at(entry.version)
        self._folded = after
        diff = diff_states(before, after)
        gone = {item.id for item in diff.items_out}
        come = {item.id for item in (*diff.items_in, *diff.items_changed)}
        return ReplayStep(entry, self._readable(before, gone), self._readable(after, come), diff)

    def _state_before(self, entry: LogEntry) -> ContextState:
        previous = entry.version - 1
        if previous < 1:
            return ContextState(entry.event.stream)
        if self._folded is None or self._folded.version != previous:
            self._folded = self._session.at(previous)
        return self._folded

    def _readable(self, state: ContextState, items: Collection[int] | None) -> ReadableState:
        reader = partial(ContentReader.on_branch, self._runtime, state.stream, state.version)
        return ReadableState(state, reader, items)

    def _entries(self, events: list[Event]) -> Iterator[LogEntry]:
        reader = ContentReader(self._runtime, self._log)
        held = reader.bytes_of(event.version for event in events)
        for event in events:
            resumes = event.effects.resumes
            follows = resumes.version if resumes is not None else event.version - 1
            live = self._branch.contains(event.version)
            yield LogEntry(
                event,
                contents_of(event, held),
                follows=follows or None,
                live=live,
                strays=not live and resumes is None and self._branch.contains(follows),
                inherited=event.stream != self._session.id,
            )


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
        "candidates": [candidate.id for candidate in state.candidates],
    }
