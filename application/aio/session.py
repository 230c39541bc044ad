"""A session and its transactions, for asyncio."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from datetime import datetime
from functools import cached_property
from types import TracebackType
from typing import Self, TypeVar
from uuid import UUID

from backstory.application.aio.calls import Offloading, awaited, iterated
from backstory.application.aio.followers import AsyncTail
from backstory.application.aio.groups import (
    AsyncSafety,
    AsyncSessionArtifacts,
    AsyncSessionCheckpoints,
    AsyncSessionDecisions,
    AsyncSessionItems,
    AsyncSessionTiers,
    AsyncSessionTriggers,
    AsyncSessionViews,
    AsyncSessionWindow,
    AsyncSessionWork,
)
from backstory.application.aio.project import AsyncSessionMemory
from backstory.application.aio.writer import AsyncWriter
from backstory.application.session import Session
from backstory.application.tiers.agents import ContextAgent
from backstory.application.transaction import Transaction
from backstory.application.writing.append import OPTIMISTIC_ATTEMPTS, pause_before_retry
from backstory.domain.errors import VersionConflict
from backstory.domain.state import ContextState
from backstory.domain.values import whole_number

T = TypeVar("T")


class AsyncTransaction(AsyncWriter[Transaction]):
    """Several changes that are committed together; see Transaction."""

    @property
    def state(self) -> Awaitable[ContextState]:
        """The state the block is decided on: ``await tx.state``."""
        return self._run(lambda: self._inner.state)

    commit = awaited(Transaction.commit)

    def version_of(self, ticket: int) -> int:
        """See Transaction.version_of."""
        return self._inner.version_of(ticket)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            await self.commit()


class AsyncContextAgent(Offloading[ContextAgent]):
    """The items of one agent; see ContextAgent."""

    @property
    def name(self) -> str:
        """The agent's name."""
        return self._inner.name

    save_context_item = awaited(ContextAgent.save_context_item)
    load_context = awaited(ContextAgent.load_context)
    flash_save = awaited(ContextAgent.flash_save)
    update_tiers = awaited(ContextAgent.update_tiers)
    context_stats = awaited(ContextAgent.context_stats)
    context_diff = awaited(ContextAgent.context_diff)


class AsyncSession(AsyncWriter[Session]):
    """One session; see Session."""

    @cached_property
    def items(self) -> AsyncSessionItems:
        """See Session.items."""
        return AsyncSessionItems(self._inner.items, self._threads)

    @cached_property
    def decisions(self) -> AsyncSessionDecisions:
        """See Session.decisions."""
        return AsyncSessionDecisions(self._inner.decisions, self._threads)

    @cached_property
    def work(self) -> AsyncSessionWork:
        """See Session.work."""
        return AsyncSessionWork(self._inner.work, self._threads)

    @cached_property
    def window(self) -> AsyncSessionWindow:
        """See Session.window."""
        return AsyncSessionWindow(self._inner.window, self._threads)

    @cached_property
    def checkpoints(self) -> AsyncSessionCheckpoints:
        """See Session.checkpoints."""
        return AsyncSessionCheckpoints(self._inner.checkpoints, self._threads)

    @cached_property
    def tiers(self) -> AsyncSessionTiers:
        """See Session.tiers."""
        return AsyncSessionTiers(self._inner.tiers, self._threads)

    @cached_property
    def safety(self) -> AsyncSafety:
        """See Session.safety."""
        return AsyncSafety(self._inner.safety, self._threads)

    @cached_property
    def memory(self) -> AsyncSessionMemory:
        """See Session.memory."""
        return AsyncSessionMemory(self._inner.memory, self._threads)

    @cached_property
    def artifacts(self) -> AsyncSessionArtifacts:
        """See Session.artifacts."""
        return AsyncSessionArtifacts(self._inner.artifacts, self._threads)

    @cached_property
    def triggers(self) -> AsyncSessionTriggers:
        """See Session.triggers."""
        return AsyncSessionTriggers(self._inner.triggers, self._threads)

    @cached_property
    def views(self) -> AsyncSessionViews:
        """See Session.views."""
        return AsyncSessionViews(self._inner.views, self._threads)

    @property
    def epoch(self) -> int:
        """See Session.epoch."""
        return self._inner.epoch

    @property
    def state(self) -> Awaitable[ContextState]:
        """The newest state: ``await session.state``."""
        return self._run(lambda: self._inner.state)

    @property
    def version(self) -> Awaitable[int]:
        """The newest version: ``await session.version``."""
        return self._run(lambda: self._inner.version)

    async def refresh(self) -> Self:
        """See Session.refresh."""
        await self._run(self._inner.refresh)
        return self

    async def fork(
        self,
        at: int | None = None,
        *,
        id: UUID | str | None = None,
        title: str | None = None,
        why: str | None = None,
    ) -> "AsyncSession":
        """See Session.fork."""
        child = await self._run(self._inner.fork, at, id=id, title=title, why=why)
        return AsyncSession(child, self._threads)

    def atomic(self) -> AsyncTransaction:
        """Changes that are committed together when the block ends: ``async with session.atomic() as tx: …``"""
        return AsyncTransaction(self._inner.atomic(), self._threads)

    async def atomically(
        self, work: Callable[[AsyncTransaction], Awaitable[T]], attempts: int = 4 * OPTIMISTIC_ATTEMPTS
    ) -> T:
        """Runs `work` on a transaction and commits; again from the start when the state that it read has changed."""
        for number in range(whole_number("attempts", attempts, minimum=1)):
            if number:
                await asyncio.sleep(pause_before_retry(number))
            try:
                async with self.atomic() as transaction:
                    return await work(transaction)
            except VersionConflict as conflict:
                last = conflict
        raise last

    def tail(
        self,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] = (),
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> AsyncTail:
        """See Session.tail."""
        tail = self._inner.tail(after=after, upto=upto, types=types, actor=actor, since=since, until=until)
        return AsyncTail(tail, self._threads)

    def agent(self, name: str) -> AsyncContextAgent:
        """See Session.agent."""
        return AsyncContextAgent(self._inner.agent(name), self._threads)

    events = iterated(Session.events)
    at = awaited(Session.at)
    diff = awaited(Session.diff)
    text = awaited(Session.text)
    messages = awaited(Session.messages)
    search = awaited(Session.search)
    context = awaited(Session.context)
    before_call = awaited(Session.before_call)
    answered = awaited(Session.answered)
    reproduce = awaited(Session.reproduce)
    saw = awaited(Session.saw)
    summarize = awaited(Session.summarize)
    backtrack = awaited(Session.backtrack)
    redo = awaited(Session.redo)
    verify = awaited(Session.verify)
    erase = awaited(Session.erase)
    command = awaited(Session.command)
    resume = awaited(Session.resume)
