"""The store for asyncio: the same surface, awaited.

One implementation serves both: each call runs the synchronous code on a thread, one thread a connection. A call that is
cancelled while it runs is not undone; whether it came through is told by reading, or by asking again under its
idempotency key.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from contextvars import copy_context
from functools import partial, update_wrapper
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar
from uuid import UUID

from backstory.application.bootstrap import read_settings
from backstory.application.feed.feed import Feed, FeedEvent
from backstory.application.feed.follower import Follower
from backstory.application.feed.tail import Tail
from backstory.application.queries.resume import Restored
from backstory.application.runtime import OPTIMISTIC_ATTEMPTS, pause_before_retry
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.application.tiers.agents import ContextAgent
from backstory.application.transaction import Transaction
from backstory.application.window.check import AlertHandler
from backstory.application.writing.writer import Writer
from backstory.domain.errors import ServerUnavailable, VersionConflict
from backstory.domain.events import Event
from backstory.domain.state import ContextState
from backstory.domain.values import whole_number
from backstory.infrastructure.llm.summarizers import Summarizer
from backstory.infrastructure.observability import watchers

P = ParamSpec("P")
T = TypeVar("T")
Inner = TypeVar("Inner")
Writing = TypeVar("Writing", bound=Writer)
_BATCH = 256


class _Offloading(Generic[Inner]):
    """Something synchronous, and the threads that call it."""

    def __init__(self, inner: Inner, threads: ThreadPoolExecutor) -> None:
        self._inner: Inner = inner
        self._threads = threads

    async def _run(self, work: Callable[..., T], *args: Any, **named: Any) -> T:
        loop = asyncio.get_running_loop()
        try:
            doing = partial(work, *args, **named)
            if watchers.watchers:
                # What it does belongs to the caller's trace.
                doing = partial(copy_context().run, doing)
            running = loop.run_in_executor(self._threads, doing)
        except RuntimeError:
            raise ServerUnavailable("the store was closed.") from None
        return await running


def _awaited(
    method: Callable[Concatenate[Any, P], T],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """The method, awaited."""

    async def call(self: _Offloading[Any], /, *args: P.args, **named: P.kwargs) -> T:
        return await self._run(method, self._inner, *args, **named)

    return update_wrapper(call, method)


def _iterated(
    method: Callable[Concatenate[Any, P], Iterator[T]],
) -> Callable[Concatenate[Any, P], AsyncIterator[T]]:
    """The iterator, a batch of steps at a time."""

    async def iterate(self: _Offloading[Any], /, *args: P.args, **named: P.kwargs) -> AsyncIterator[T]:
        steps = method(self._inner, *args, **named)
        while batch := await self._run(lambda: list(islice(steps, _BATCH))):
            for value in batch:
                yield value

    return update_wrapper(iterate, method)


class AsyncFollowing(_Offloading[Follower[T]]):
    """What is followed, for asyncio; see Follower. While it waits it takes up no thread."""

    def __init__(self, inner: Follower[T], threads: ThreadPoolExecutor) -> None:
        super().__init__(inner, threads)
        self._woken = asyncio.Event()

    async def close(self) -> None:
        """Ends it, also while somebody waits for the next."""
        self._inner.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        while not self._inner.is_over:
            if await self._run(self._inner.fill):
                return self._inner.pop()
            if not self._inner.is_over:
                await self._wait()
        self._inner.close()
        raise StopAsyncIteration

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _wait(self) -> None:
        waiter = self._inner.waiter
        waiter.on_wake = partial(_wake, asyncio.get_running_loop(), self._woken)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), waiter.next_pause(self._inner.longest_wait))
        self._woken.clear()


def _wake(loop: asyncio.AbstractEventLoop, woken: asyncio.Event) -> None:
    # A loop that was closed has nobody left to wake.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(woken.set)


class AsyncFeed(AsyncFollowing[FeedEvent]):
    """A reader of the feed; see Feed."""

    _inner: Feed

    @property
    def position(self) -> int:
        return self._inner.position


class AsyncTail(AsyncFollowing[Event]):
    """A reader of one session that goes on; see Tail."""

    _inner: Tail

    @property
    def version(self) -> int:
        return self._inner.version


class _AsyncWriter(_Offloading[Writing]):
    """Every write, awaited."""

    def by(self, actor: str) -> Self:
        return self._view(self._inner.by(actor))

    def once(self, key: str) -> Self:
        return self._view(self._inner.once(key))

    def occurred(self, at: Any) -> Self:
        return self._view(self._inner.occurred(at))

    def caused_by(self, version: int) -> Self:
        return self._view(self._inner.caused_by(version))

    def _view(self, inner: Any) -> Self:
        return type(self)(inner, self._threads)

    message = _awaited(Writer.message)
    tool_call = _awaited(Writer.tool_call)
    tool_result = _awaited(Writer.tool_result)
    model_called = _awaited(Writer.model_called)
    set_system_prompt = _awaited(Writer.set_system_prompt)
    save = _awaited(Writer.save)
    touch = _awaited(Writer.touch)
    remove = _awaited(Writer.remove)
    clear = _awaited(Writer.clear)
    pin = _awaited(Writer.pin)
    unpin = _awaited(Writer.unpin)
    compacted = _awaited(Writer.compacted)
    deprecate = _awaited(Writer.deprecate)
    error = _awaited(Writer.error)
    resolve_error = _awaited(Writer.resolve_error)
    decide = _awaited(Writer.decide)
    confirm_decision = _awaited(Writer.confirm_decision)
    dismiss_decision = _awaited(Writer.dismiss_decision)
    set_goal = _awaited(Writer.set_goal)
    update_goal = _awaited(Writer.update_goal)
    complete_goal = _awaited(Writer.complete_goal)
    add_action = _awaited(Writer.add_action)
    block_action = _awaited(Writer.block_action)
    complete_action = _awaited(Writer.complete_action)
    ask = _awaited(Writer.ask)
    answer = _awaited(Writer.answer)
    add_constraint = _awaited(Writer.add_constraint)
    remove_constraint = _awaited(Writer.remove_constraint)
    start_task = _awaited(Writer.start_task)
    complete_task = _awaited(Writer.complete_task)
    set_phase = _awaited(Writer.set_phase)
    set_layer = _awaited(Writer.set_layer)
    set_clarity = _awaited(Writer.set_clarity)
    focus = _awaited(Writer.focus)
    command_executed = _awaited(Writer.command_executed)
    file_updated = _awaited(Writer.file_updated)
    commit_made = _awaited(Writer.commit_made)
    checkpoint = _awaited(Writer.checkpoint)
    end = _awaited(Writer.end)
    resume = _awaited(Writer.resume)
    rename = _awaited(Writer.rename)
    tag = _awaited(Writer.tag)
    set_project = _awaited(Writer.set_project)
    join = _awaited(Writer.join)
    record = _awaited(Writer.record)
    choose_policy = _awaited(Writer.choose_policy)


class AsyncTransaction(_AsyncWriter[Transaction]):
    """Several changes that are committed together; see Transaction."""

    @property
    def state(self) -> Awaitable[ContextState]:
        return self._run(lambda: self._inner.state)

    commit = _awaited(Transaction.commit)

    def version_of(self, ticket: int) -> int:
        """The version that a write of this block has got."""
        return self._inner.version_of(ticket)


class AsyncContextAgent(_Offloading[ContextAgent]):
    """What one agent saves and loads; see ContextAgent."""

    @property
    def name(self) -> str:
        return self._inner.name

    save_context_item = _awaited(ContextAgent.save_context_item)
    load_context = _awaited(ContextAgent.load_context)
    flash_save = _awaited(ContextAgent.flash_save)
    update_tiers = _awaited(ContextAgent.update_tiers)
    context_stats = _awaited(ContextAgent.context_stats)
    context_diff = _awaited(ContextAgent.context_diff)


class AsyncSession(_AsyncWriter[Session]):
    """A handle on one session; see Session."""

    @property
    def id(self) -> UUID:
        return self._inner.id

    @property
    def epoch(self) -> int:
        return self._inner.epoch

    @property
    def state(self) -> Awaitable[ContextState]:
        """The state now: ``await session.state``."""
        return self._run(lambda: self._inner.state)

    @property
    def version(self) -> Awaitable[int]:
        return self._run(lambda: self._inner.version)

    async def refresh(self) -> Self:
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
        child = await self._run(self._inner.fork, at, id=id, title=title, why=why)
        return AsyncSession(child, self._threads)

    @asynccontextmanager
    async def atomic(self) -> AsyncIterator[AsyncTransaction]:
        """Changes that are committed together when the block ends: ``async with session.atomic() as tx: …``"""
        transaction = await self.transaction()
        yield transaction
        await transaction.commit()

    async def transaction(self) -> AsyncTransaction:
        """A transaction to be committed by hand; `atomic` does that by itself."""
        return AsyncTransaction(self._inner.transaction(), self._threads)

    async def atomically(
        self, work: Callable[[AsyncTransaction], Awaitable[T]], attempts: int = 4 * OPTIMISTIC_ATTEMPTS
    ) -> T:
        """Runs `work` on a transaction and commits; again from the start when what it read has changed meanwhile."""
        for number in range(whole_number("attempts", attempts, minimum=1)):
            if number:
                await asyncio.sleep(pause_before_retry(number))
            try:
                async with self.atomic() as transaction:
                    return await work(transaction)
            except VersionConflict as conflict:
                last = conflict
        raise last

    at = _awaited(Session.at)
    events = _iterated(Session.events)

    def tail(
        self,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] = (),
        actor: str | None = None,
    ) -> AsyncTail:
        """The log after a version, and what comes; see Session.tail."""
        found = self._inner.tail(after=after, upto=upto, types=types, actor=actor)
        return AsyncTail(found, self._threads)

    diff = _awaited(Session.diff)
    items = _awaited(Session.items)
    decisions = _awaited(Session.decisions)
    checkpoints = _awaited(Session.checkpoints)
    parts = _awaited(Session.parts)
    text = _awaited(Session.text)
    text_at = _awaited(Session.text_at)
    messages = _awaited(Session.messages)
    current_context = _awaited(Session.current_context)
    imported_lines = _iterated(Session.imported_lines)
    context = _awaited(Session.context)
    answered = _awaited(Session.answered)
    reproduce = _awaited(Session.reproduce)
    saw = _awaited(Session.saw)
    summarize = _awaited(Session.summarize)
    summary = _awaited(Session.summary)
    entities = _awaited(Session.entities)
    verify = _awaited(Session.verify)
    backtrack = _awaited(Session.backtrack)
    redo = _awaited(Session.redo)
    bring_back = _awaited(Session.bring_back)
    undo_clear = _awaited(Session.undo_clear)
    command = _awaited(Session.command)
    configure_window = _awaited(Session.configure_window)
    erase = _awaited(Session.erase)
    complete_task = _awaited(Session.complete_task)
    resume = _awaited(Session.resume)
    update_tiers = _awaited(Session.update_tiers)
    tier_items = _awaited(Session.tier_items)
    weighed_items = _awaited(Session.weighed_items)
    load = _awaited(Session.load)
    context_stats = _awaited(Session.context_stats)
    context_diff = _awaited(Session.context_diff)

    def agent(self, name: str) -> AsyncContextAgent:
        """This session as one agent has it; see Session.agent."""
        return AsyncContextAgent(self._inner.agent(name), self._threads)

    before_call = _awaited(Session.before_call)
    compact = _awaited(Session.compact)
    expand = _awaited(Session.expand)
    undo_compaction = _awaited(Session.undo_compaction)
    restore_results = _awaited(Session.restore_results)
    usage = _awaited(Session.usage)

    def on_alert(self, handler: AlertHandler) -> None:
        """Has `handler` called with each alert that this handle raises, in a thread of its own."""
        self._inner.on_alert(handler)

    checkpoint = _awaited(Session.checkpoint)
    checkpoint_if_due = _awaited(Session.checkpoint_if_due)
    checkpoint_file = _awaited(Session.checkpoint_file)
    save_checkpoint = _awaited(Session.save_checkpoint)
    restore = _awaited(Session.restore)
    prune = _awaited(Session.prune)
    flash_save = _awaited(Session.flash_save)
    recover = _awaited(Session.recover)


class AsyncContextStore(_Offloading[ContextStore]):
    """The store for asyncio: ``async with await AsyncContextStore.open() as store:``"""

    @classmethod
    async def open(
        cls,
        url: str | None = None,
        *,
        data_dir: Path | str | None = None,
        pool_size: int | None = None,
        patience: float | None = None,
        read_url: str | None = None,
        migrate: bool = True,
        summarizer: Summarizer | None = None,
        on_alert: AlertHandler | None = None,
    ) -> Self:
        """Opens a store; see ContextStore.open."""
        size = read_settings(pool_size=pool_size).pool_size
        opened = partial(
            ContextStore.open,
            url,
            data_dir=data_dir,
            pool_size=size,
            patience=patience,
            read_url=read_url,
            migrate=migrate,
            summarizer=summarizer,
            on_alert=on_alert,
        )
        threads = ThreadPoolExecutor(size, thread_name_prefix="backstory")
        inner = await asyncio.get_running_loop().run_in_executor(threads, opened)
        return cls(inner, threads)

    async def close(self) -> None:
        await self._run(self._inner.close)
        self._threads.shutdown(wait=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def start(
        self,
        id: UUID | str | None = None,
        *,
        title: str | None = None,
        tags: Sequence[str] = (),
        project: str | None = None,
        limit: int | None = None,
        encoding: str | None = None,
        model: str | None = None,
        actor: str | None = None,
    ) -> AsyncSession:
        """Starts a session; see ContextStore.start."""
        started = await self._run(
            self._inner.start,
            id,
            title=title,
            tags=tags,
            project=project,
            limit=limit,
            encoding=encoding,
            model=model,
            actor=actor,
        )
        return AsyncSession(started, self._threads)

    async def session(self, id: UUID | str) -> AsyncSession:
        """A session that exists."""
        return AsyncSession(await self._run(self._inner.session, id), self._threads)

    async def restore(self, id: UUID | str, *, fork: bool = False) -> Restored[AsyncSession]:
        """A session to go on with; see ContextStore.restore."""
        found = await self._run(self._inner.restore, id, fork=fork)
        left = found.forked_from
        # The record as it is, but for its handles.
        fields: Any = {
            **found._asdict(),
            "session": AsyncSession(found.session, self._threads),
            "forked_from": None if left is None else AsyncSession(left, self._threads),
        }
        return Restored(**fields)

    def feed(
        self,
        *,
        after: int = 0,
        types: Collection[str] = (),
        project: str | None = None,
        follow: bool = False,
    ) -> AsyncFeed:
        """Every event of every stream after a position; see ContextStore.feed."""
        found = self._inner.feed(after=after, types=types, project=project, follow=follow)
        return AsyncFeed(found, self._threads)

    feed_status = _awaited(ContextStore.feed_status)
    activity = _awaited(ContextStore.activity)
    set_aside = _awaited(ContextStore.set_aside)
    sessions = _awaited(ContextStore.sessions)
    summary = _awaited(ContextStore.summary)
    import_file = _awaited(ContextStore.import_file)
    export = _awaited(ContextStore.export)
    purge = _awaited(ContextStore.purge)
    set_retention = _awaited(ContextStore.set_retention)
    retention = _awaited(ContextStore.retention)
    apply_retention = _awaited(ContextStore.apply_retention)
    sync = _awaited(ContextStore.sync)
    update_tiers = _awaited(ContextStore.update_tiers)
    projections = _awaited(ContextStore.projections)
    check_projections = _awaited(ContextStore.check_projections)
    rebuild_projections = _awaited(ContextStore.rebuild_projections)
    jobs = _awaited(ContextStore.jobs)
    job_runs = _awaited(ContextStore.job_runs)
    verify_all = _awaited(ContextStore.verify_all)
