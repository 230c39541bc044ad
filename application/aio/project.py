"""A project, for asyncio."""

from collections.abc import Awaitable
from datetime import datetime
from functools import cached_property
from typing import Self
from uuid import UUID

from backstory.application.aio.calls import Offloading, awaited, iterated
from backstory.application.aio.groups import AsyncProjectArtifacts, AsyncProjectSafety, AsyncProjectTriggers
from backstory.application.memory.project import Project
from backstory.application.memory.session_memory import SessionMemory
from backstory.domain.policies.memory import MemoryPolicy
from backstory.domain.state import ContextState
from backstory.domain.trust import Origin


class AsyncProject(Offloading[Project]):
    """A project's memory; see Project."""

    @property
    def name(self) -> str:
        """The project's name."""
        return self._inner.name

    @property
    def id(self) -> UUID:
        """See Project.id."""
        return self._inner.id

    @property
    def state(self) -> Awaitable[ContextState]:
        """The newest state: ``await project.state``."""
        return self._run(lambda: self._inner.state)

    @property
    def version(self) -> Awaitable[int]:
        """The newest version: ``await project.version``."""
        return self._run(lambda: self._inner.version)

    def by(self, actor: str) -> Self:
        """See Project.by."""
        return type(self)(self._inner.by(actor), self._threads)

    def once(self, key: str) -> Self:
        """See Project.once."""
        return type(self)(self._inner.once(key), self._threads)

    def occurred(self, at: datetime) -> Self:
        """See Project.occurred."""
        return type(self)(self._inner.occurred(at), self._threads)

    def of_origin(self, origin: Origin) -> Self:
        """See Project.of_origin."""
        return type(self)(self._inner.of_origin(origin), self._threads)

    @cached_property
    def safety(self) -> AsyncProjectSafety:
        """See Project.safety."""
        return AsyncProjectSafety(self._inner.safety, self._threads)

    @cached_property
    def artifacts(self) -> AsyncProjectArtifacts:
        """See Project.artifacts."""
        return AsyncProjectArtifacts(self._inner.artifacts, self._threads)

    @cached_property
    def triggers(self) -> AsyncProjectTriggers:
        """See Project.triggers."""
        return AsyncProjectTriggers(self._inner.triggers, self._threads)

    @property
    def policy(self) -> Awaitable[MemoryPolicy]:
        """The policy by which sessions become memory: ``await project.policy``."""
        return self._run(lambda: self._inner.policy)

    remember = awaited(Project.remember)
    supersede = awaited(Project.supersede)
    forget = awaited(Project.forget)
    confirm = awaited(Project.confirm)
    dismiss = awaited(Project.dismiss)
    choose = awaited(Project.choose)
    archive = awaited(Project.archive)
    erase = awaited(Project.erase)
    recall = awaited(Project.recall)
    memories = awaited(Project.memories)
    memory = awaited(Project.memory)
    history = awaited(Project.history)
    decisions = awaited(Project.decisions)
    at = awaited(Project.at)
    events = iterated(Project.events)
    verify = awaited(Project.verify)


class AsyncSessionMemory(Offloading[SessionMemory]):
    """See SessionMemory."""

    @property
    def project(self) -> Awaitable[AsyncProject]:
        """The session's project: ``await session.memory.project``."""
        return self._run(lambda: AsyncProject(self._inner.project, self._threads))

    archive = awaited(SessionMemory.archive)
    should_archive = awaited(SessionMemory.should_archive)
    remember = awaited(SessionMemory.remember)
    supersede = awaited(SessionMemory.supersede)
    forget = awaited(SessionMemory.forget)
    recall = awaited(SessionMemory.recall)
