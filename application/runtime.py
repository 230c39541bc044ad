"""The parts that all sessions of a store share."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from backstory.application.conditions import Conditions
from backstory.application.contents.cache import ContentCache
from backstory.domain.access import OWNER, Action, Caller, allows
from backstory.domain.errors import AccessDenied, BranchMoved, SessionPurged, UnknownSession
from backstory.domain.events import Change, Event
from backstory.domain.log.chain import Envelope
from backstory.domain.log.guards import Guard
from backstory.domain.policies.safety import DEFAULT_SAFETY, SafetyPolicy
from backstory.domain.state import ContextState
from backstory.infrastructure.eventsourcing_library.mapper import EventMapper
from backstory.infrastructure.feed.horizon import Horizon
from backstory.infrastructure.llm.embeddings import Embedder
from backstory.infrastructure.llm.summarizers import Summarizer
from backstory.infrastructure.postgres.append import NO_ROOT, Appended, Key, PendingEvent, Root, append
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.log import EventLog, Head
from backstory.infrastructure.states.replay import StateReader

DecidedEvent = tuple[Change, PendingEvent]
"""A change, and the event that it is appended as."""

SESSION, PROJECT = STREAM_KINDS = ("session", "project")
"""The kinds of streams."""
MOST_CACHED = 32
"""Events of one append that are cached for the reads that follow. A caller who appends more of them imports a session,
and may never read it."""


class Runtime(NamedTuple):
    """The parts behind a store."""

    database: Database
    log: EventLog
    reader: StateReader
    mapper: EventMapper
    contents: ContentCache
    horizon: Horizon
    summarizer: Summarizer
    embedder: Embedder | None = None
    on_alert: Callable[[Any], None] | None = None
    """Called with every alert of a window that a session of this store raises."""
    record_reads: bool = False
    """Whether plain reads of items are recorded as accesses, too."""
    caller: Caller = OWNER
    """On whose behalf the store is used."""
    safety: SafetyPolicy = DEFAULT_SAFETY
    """What is done with suspicious texts, where a project has not chosen."""
    conditions: Conditions | None = None
    """Those of the request that the store is used for."""
    roots: tuple[Path, ...] | None = None
    """The folders below which files of projects may be read and written; None for any, where the caller is the user of
    this machine."""

    @property
    def projects(self) -> list[str] | None:
        """The projects that queries are filtered by; None for no filter."""
        return None if self.caller.projects is None else sorted(self.caller.projects)

    def agent(self, named: str | None) -> str | None:
        """The agent to read or write as: the one that was named, else the one that the caller is limited to. Raises
        AccessDenied for any other than that one."""
        only = self.caller.agent
        if named is not None and not allows(self.caller, Action.READ, agent=named):
            raise AccessDenied(f"the key {self.caller.name} acts for the agent {only} alone.")
        return only if named is None else named

    def append(
        self,
        stream: UUID,
        events: Sequence[PendingEvent],
        *,
        guard: Guard,
        epoch: int | None,
        key: Key | None = None,
        kind: str | None = None,
        root: Root = NO_ROOT,
        certain: bool = False,
    ) -> Appended:
        """One append, repeated when the connection is lost only if a key, or its nature, makes that safe."""
        done = self.database.repeat(
            lambda connection: self.append_on(
                connection, stream, events, guard=guard, epoch=epoch, key=key, kind=kind, root=root
            ),
            certain=certain or key is not None,
        )
        self.database.announcer.appended(stream)
        self.reader.newest.has_version(stream, done.last_version)
        return done

    def append_on(
        self,
        connection: psycopg.Connection,
        stream: UUID,
        events: Sequence[PendingEvent],
        *,
        guard: Guard,
        epoch: int | None,
        key: Key | None = None,
        kind: str | None = None,
        root: Root = NO_ROOT,
    ) -> Appended:
        """One append on a connection, on the caller's behalf. Every write of a store goes through here."""
        events = self._signed(events)
        self._require_projects(events, starts=kind is not None and root is NO_ROOT)
        if self.conditions is not None:
            guard = self.conditions.guard(stream, guard)
        done = append(connection, stream, events, guard=guard, epoch=epoch, key=key, kind=kind, root=root)
        if self.conditions is not None:
            self.conditions.note(stream, done)
        return done

    def recorded(self, stream: UUID, event: PendingEvent, done: Appended) -> Event:
        """The event that an append made of a pending one."""
        envelope = Envelope(
            stream,
            done.last_version,
            event.type,
            event.schema_version,
            done.recorded_at,
            event.occurred_at,
            done.epoch,
            event.cause,
            event.actor,
            event.caller,
            event.effects,
            event.payload,
        )
        return envelope.event()

    def append_and_cache(
        self, stream: UUID, events: Sequence[DecidedEvent], guard: Guard, epoch: int, key: Key | None
    ) -> Appended:
        """Appends, and folds what was appended into the cached state, for the reads that follow."""
        cached = self.reader.newest.version(stream)
        pending = self._signed([event for _, event in events])
        done = self.append(stream, pending, guard=guard, epoch=epoch, key=key)
        if cached is not None and not done.repeated and len(events) <= MOST_CACHED:
            changes = (change for change, _ in events)
            for version, (change, event) in enumerate(zip(changes, pending, strict=True), done.first_version):
                self._cache(stream, version, change, event, done, cached.last_erasure)
        return done

    def _signed(self, events: Sequence[PendingEvent]) -> Sequence[PendingEvent]:
        """The events, with the caller on whose behalf they are appended."""
        name = self.caller.name
        return events if name is None else [event._replace(caller=name) for event in events]

    def _require_projects(self, events: Sequence[PendingEvent], *, starts: bool) -> None:
        """Refuses events that put the session into a project which the caller does not reach. A session that starts
        without one belongs to none."""
        if self.caller.projects is None:
            return
        named = [json.loads(event.effects or "{}").get("labels", {}) for event in events]
        for number, labels in enumerate(named):
            if "project" not in labels and not (starts and number == 0):
                continue
            project = labels.get("project")
            if not allows(self.caller, Action.APPEND, project):
                raise AccessDenied(
                    f"project: the key {self.caller.name} does not reach {project or 'what has none'}."
                )

    def _cache(
        self,
        stream: UUID,
        version: int,
        change: Change,
        pending: PendingEvent,
        done: Appended,
        last_erasure: int,
    ) -> None:
        event = pending.recorded(change, stream, version, done.recorded_at, done.epoch)
        self.reader.newest.appended(event)
        if pending.contents:
            contents = {content.part: content.data for content in pending.contents}
            size = 1_000 + sum(map(len, contents.values()))
            self.contents.put(stream, last_erasure, version, (event, contents), size)

    def state_in_epoch(self, stream: UUID, epoch: int) -> ContextState:
        """The newest state, for a writer who saw this epoch. Raises BranchMoved before any other reason to refuse:
        after a backtrack, what the writer refers to may be gone or may be something else."""
        return in_epoch(self.reader.state(stream), epoch)

    def require_head(self, stream: UUID) -> Head:
        """The head of a session or a project. One that the caller may not see does not exist for it."""
        head = self.log.head(stream)
        if head is None or head.kind not in STREAM_KINDS:
            raise self._gone(stream)
        if not allows(self.caller, Action.READ, head.labels.get("project")):
            raise _unknown(stream)
        return head

    def require_session(self, stream: UUID) -> Head:
        """The head of a session."""
        head = self.require_head(stream)
        if head.kind != SESSION:
            raise UnknownSession(f"{stream} is a project, not a session.")
        return head

    def _gone(self, stream: UUID) -> UnknownSession:
        left = self.log.tombstone(stream)
        if left is None or self.caller.projects is not None:
            return _unknown(stream)
        return SessionPurged(
            f"session {stream} was purged on {left.purged_at:%Y-%m-%d %H:%M:%S} UTC: it had {left.version} versions, "
            f"and its final chain was {left.chain.hex()}."
        )


def _unknown(stream: UUID) -> UnknownSession:
    return UnknownSession(f"session {stream} does not exist.")


def in_epoch(state: ContextState, epoch: int) -> ContextState:
    """The state, unless a backtrack came after this epoch."""
    if state.epoch != epoch:
        raise BranchMoved(
            f"the session was backtracked and is in epoch {state.epoch}: this append belongs to an older one."
        )
    return state
