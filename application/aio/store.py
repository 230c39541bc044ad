"""The store, for asyncio."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from backstory.application.aio.calls import Offloading, awaited
from backstory.application.aio.followers import AsyncFeed
from backstory.application.aio.groups import AsyncKeys
from backstory.application.aio.project import AsyncProject
from backstory.application.aio.session import AsyncSession
from backstory.application.aio.tasks import AsyncContextSystem, AsyncProjectTasks
from backstory.application.bootstrap import read_settings
from backstory.application.conditions import Conditions
from backstory.application.queries.resume import Resumed
from backstory.application.store import ContextStore
from backstory.application.tasks.dependencies import ContextDependencies
from backstory.application.window.check import AlertHandler
from backstory.domain.access import Caller
from backstory.domain.tasks.values import ContextBuilderOptions, ContextProjectConfig, CustomBudget
from backstory.infrastructure.llm.summarizers import Summarizer


class AsyncContextStore(Offloading[ContextStore]):
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
        record_reads: bool = False,
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
            record_reads=record_reads,
        )
        threads = ThreadPoolExecutor(size, thread_name_prefix="backstory")
        inner = await asyncio.get_running_loop().run_in_executor(threads, opened)
        return cls(inner, threads)

    @property
    def url(self) -> str:
        """See ContextStore.url."""
        return self._inner.url

    @property
    def keys(self) -> AsyncKeys:
        """See ContextStore.keys."""
        return AsyncKeys(self._inner.keys, self._threads)

    def on_behalf_of(self, caller: Caller, conditions: Conditions | None = None) -> "AsyncContextStore":
        """See ContextStore.on_behalf_of."""
        return AsyncContextStore(self._inner.on_behalf_of(caller, conditions), self._threads)

    async def close(self) -> None:
        """See ContextStore.close."""
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
        occurred: datetime | None = None,
        key: str | None = None,
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
            occurred=occurred,
            key=key,
        )
        return AsyncSession(started, self._threads)

    async def session(self, id: UUID | str) -> AsyncSession:
        """Opens a session; see ContextStore.session."""
        return AsyncSession(await self._run(self._inner.session, id), self._threads)

    def project(self, name: str) -> AsyncProject:
        """A project: its memory; see ContextStore.project."""
        return AsyncProject(self._inner.project(name), self._threads)

    def tasks(self, project: str) -> AsyncProjectTasks:
        """The fresh contexts of a project's tasks; see ContextStore.tasks."""
        return AsyncProjectTasks(self._inner.tasks(project), self._threads)

    async def context_system(
        self,
        project_config: ContextProjectConfig | Mapping[str, Any],
        *,
        dependencies: ContextDependencies | Mapping[str, Any] | None = None,
        builder_options: ContextBuilderOptions | Mapping[str, Any] | None = None,
        custom_budget: CustomBudget | Mapping[str, Any] | None = None,
        system_prompt: str | None = None,
        encoding: str | None = None,
    ) -> AsyncContextSystem:
        """Fresh contexts for the tasks of a project; see ContextStore.context_system."""
        inner = await self._run(
            self._inner.context_system,
            project_config,
            dependencies=dependencies,
            builder_options=builder_options,
            custom_budget=custom_budget,
            system_prompt=system_prompt,
            encoding=encoding,
        )
        return AsyncContextSystem.of(inner, self._threads)

    async def resume(self, id: UUID | str, *, fork: bool = False) -> Resumed[AsyncSession]:
        """Opens a session to continue; see ContextStore.resume."""
        found = await self._run(self._inner.resume, id, fork=fork)
        left = found.forked_from
        # The record as it is, but for its handles.
        fields: Any = {
            **found._asdict(),
            "session": AsyncSession(found.session, self._threads),
            "forked_from": None if left is None else AsyncSession(left, self._threads),
        }
        return Resumed(**fields)

    def feed(
        self,
        *,
        after: int = 0,
        types: Collection[str] = (),
        project: str | None = None,
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        contents: bool = False,
        follow: bool = False,
    ) -> AsyncFeed:
        """Every event of every stream after a position; see ContextStore.feed."""
        feed = self._inner.feed(
            after=after,
            types=types,
            project=project,
            actor=actor,
            since=since,
            until=until,
            contents=contents,
            follow=follow,
        )
        return AsyncFeed(feed, self._threads)

    feed_status = awaited(ContextStore.feed_status)
    activity = awaited(ContextStore.activity)
    set_aside = awaited(ContextStore.set_aside)
    find = awaited(ContextStore.find)
    sessions = awaited(ContextStore.sessions)
    projects = awaited(ContextStore.projects)
    summary = awaited(ContextStore.summary)
    search = awaited(ContextStore.search)
    import_file = awaited(ContextStore.import_file)
    export = awaited(ContextStore.export)
    restore_checkpoint = awaited(ContextStore.restore_checkpoint)
    purge = awaited(ContextStore.purge)
    purge_memory = awaited(ContextStore.purge_memory)
    set_retention = awaited(ContextStore.set_retention)
    retention = awaited(ContextStore.retention)
    apply_retention = awaited(ContextStore.apply_retention)
    sync = awaited(ContextStore.sync)
    update_tiers = awaited(ContextStore.update_tiers)
    projections = awaited(ContextStore.projections)
    check_projections = awaited(ContextStore.check_projections)
    rebuild_projections = awaited(ContextStore.rebuild_projections)
    jobs = awaited(ContextStore.jobs)
    job_runs = awaited(ContextStore.job_runs)
    verify_all = awaited(ContextStore.verify_all)
    anchor = awaited(ContextStore.anchor)
