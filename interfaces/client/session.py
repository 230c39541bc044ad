"""A session of a service."""

from collections.abc import Collection, Iterator
from datetime import datetime
from functools import cached_property
from typing import Any, Literal
from uuid import UUID

from backstory.application.artifacts.session_artifacts import SessionArtifacts
from backstory.application.branches.diff import Diff, diff_states
from backstory.application.context.reproduce import Saw
from backstory.application.feed.event_filter import EventFilter
from backstory.application.feed.tail import Tail
from backstory.application.identifiers import new_session_id, session_id
from backstory.application.items.session_decisions import SessionDecisions
from backstory.application.items.session_items import SessionItems
from backstory.application.memory.session_memory import SessionMemory
from backstory.application.queries.views import SessionViews
from backstory.application.safety.session_safety import Safety
from backstory.application.session import Session
from backstory.application.tiers.agents import ContextAgent
from backstory.application.tiers.session_tiers import SessionTiers
from backstory.application.tiers.session_work import SessionWork
from backstory.application.transaction import Transaction
from backstory.application.triggers.session_triggers import SessionTriggers
from backstory.application.writing.details import DetailWriter
from backstory.application.writing.progress import ProgressWriter
from backstory.domain.errors import InvalidInput, UnknownVersion
from backstory.domain.events import Event
from backstory.domain.messages.contents import Message, text_of
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, whole_number
from backstory.interfaces.client.agent import RemoteContextAgent
from backstory.interfaces.client.arguments import as_query
from backstory.interfaces.client.calls import get, over_http, post
from backstory.interfaces.client.groups import (
    RemoteArtifacts,
    RemoteCheckpoints,
    RemoteDecisions,
    RemoteItems,
    RemoteSafety,
    RemoteTiers,
    RemoteTriggers,
    RemoteViews,
    RemoteWindow,
    RemoteWork,
)
from backstory.interfaces.client.handle import RemoteHandle
from backstory.interfaces.client.project import RemoteSessionMemory
from backstory.interfaces.client.reading import events_after
from backstory.interfaces.client.results import value_of
from backstory.interfaces.client.transactions import (
    OWN_EVENTS,
    VIEWS,
    RemoteDetailWriter,
    RemoteProgressWriter,
    RemoteQueueHandle,
    RemoteTransaction,
)


def _saw(document: Any) -> Saw:
    saw: Saw = value_of(Saw, document | {"version": document["asked"]})
    return saw


ANCHORS = (
    "anchors are compared beside the database: compare `Verification.chain` with the chain that you kept."
)


@over_http(
    local=(*VIEWS, "atomically", "refresh"),
    absent={"record": OWN_EVENTS},
    context=post(),
    reproduce=get(),
    saw=get(read=_saw),
    summarize=post(keyed=False),
    before_call=post(keyed=False),
    search=get(names={"types": "type"}, accesses=True, by_agent=True, keyed=False),
    verify=get(here={"anchors": ANCHORS}),
    erase=post(keyed=False),
    command=post(),
)
class RemoteSession(Session):
    """See Session."""

    _handle: RemoteHandle

    # Groups

    @cached_property
    def items(self) -> SessionItems:
        return RemoteItems(self._handle)

    @cached_property
    def decisions(self) -> SessionDecisions:
        return RemoteDecisions(self._handle)

    @cached_property
    def work(self) -> SessionWork:
        return RemoteWork(self._handle)

    @cached_property
    def progress(self) -> ProgressWriter:
        return RemoteProgressWriter(self._handle)

    @cached_property
    def details(self) -> DetailWriter:
        return RemoteDetailWriter(self._handle)

    @cached_property
    def window(self) -> RemoteWindow:
        return RemoteWindow(self._handle)

    @cached_property
    def checkpoints(self) -> RemoteCheckpoints:
        return RemoteCheckpoints(self._handle)

    @cached_property
    def tiers(self) -> SessionTiers:
        return RemoteTiers(self._handle)

    @cached_property
    def safety(self) -> Safety:
        return RemoteSafety(self._handle)

    @cached_property
    def memory(self) -> SessionMemory:
        return RemoteSessionMemory(self._handle)

    @cached_property
    def artifacts(self) -> SessionArtifacts:
        return RemoteArtifacts(self._handle)

    @cached_property
    def triggers(self) -> SessionTriggers:
        return RemoteTriggers(self._handle)

    @cached_property
    def views(self) -> SessionViews:
        return RemoteViews(self._handle)

    # Reading

    @property
    def state(self) -> ContextState:
        return self._state(None)

    @property
    def version(self) -> int:
        return int(self._handle.read("/version").document["version"])

    def at(self, version: int) -> ContextState:
        return self._state(whole_number("version", version))

    def diff(self, from_version: int, to_version: int) -> Diff:
        return diff_states(self.at(from_version), self.at(to_version))

    def text(self, item: int) -> str:
        return text_of(self.items.parts(item))

    def events(
        self,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] = (),
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        branch: bool = False,
    ) -> Iterator[Event]:
        chosen = EventFilter.of(types, actor, since, until)
        newest = self.version
        last = newest if upto is None else whole_number("upto", upto)
        if last > newest:
            raise UnknownVersion(f"version {last} does not exist: the session has versions 1 to {newest}.")
        if whole_number("after", after) < 0:
            raise InvalidInput("after", f"must not be negative, got {after}")
        told = {**chosen._asdict(), "branch": branch, "upto": last}
        query = {name: as_query(name, value) for name, value in told.items() if value not in (None, ())}
        yield from events_after(self._handle, after, query)

    def tail(
        self,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] = (),
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Tail:
        wanted = EventFilter.of(types, actor, since, until)
        return Tail(self, self._handle.connection, after=after, upto=upto, wanted=wanted)

    def messages(
        self,
        *,
        format: Literal["openai", "anthropic"] | None = None,
        window: str = MAIN_WINDOW,
        at: int | None = None,
        last: int | None = None,
    ) -> list[dict[str, Any]] | list[Message]:
        told = {"format": format, "window": window, "at": at, "last": last}
        query = {name: as_query(name, value) for name, value in told.items() if value is not None}
        found = self._handle.read("/messages", query).document["messages"]
        if format is not None:
            return list(found)
        return [value_of(Message, document) for document in found]

    # Branches

    def fork(
        self,
        at: int | None = None,
        *,
        id: UUID | str | None = None,
        title: str | None = None,
        why: str | None = None,
    ) -> Session:
        if id is None and self._handle.key is None:
            id = new_session_id()
        told = {"at": at, "id": None if id is None else str(session_id(id)), "title": title, "why": why}
        body = {name: value for name, value in told.items() if value is not None}
        child = UUID(self._handle.post("/fork", body).document["session"])
        return RemoteSession(RemoteHandle.of_session(self._handle.connection, child, epoch=0))._opened()

    # Writing

    def atomic(self) -> Transaction:
        return RemoteTransaction(RemoteQueueHandle.on(self._handle))

    def agent(self, name: str) -> ContextAgent:
        return RemoteContextAgent(self.by(name))

    # Steps

    def _opened(self) -> "RemoteSession":
        """The same session, in the epoch that it is in now."""
        self._handle.refresh()
        return self

    def _state(self, version: int | None) -> ContextState:
        query = None if version is None else {"at": str(version)}
        state: ContextState = value_of(ContextState, self._handle.read("/state/data", query).document)
        return state
