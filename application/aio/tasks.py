"""Fresh contexts of tasks, for asyncio."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

from backstory.application.aio.calls import Offloading, awaited
from backstory.application.tasks.builder import ContextBuilder
from backstory.application.tasks.contexts import ProjectTasks
from backstory.application.tasks.integration import AgentContextIntegration
from backstory.application.tasks.manager import FreshContextManager
from backstory.application.tasks.system import ContextSystem
from backstory.domain.tasks.budget import TokenBudgeter
from backstory.domain.tasks.context import ContextValidation, TaskContext
from backstory.domain.tasks.values import ContextProjectConfig


class AsyncProjectTasks(Offloading[ProjectTasks]):
    """The fresh contexts of a project's tasks; see ProjectTasks."""

    @property
    def name(self) -> str:
        """The project's name."""
        return self._inner.name

    def by(self, actor: str) -> Self:
        """See ProjectTasks.by."""
        return type(self)(self._inner.by(actor), self._threads)

    build = awaited(ProjectTasks.build)
    context = awaited(ProjectTasks.context)
    active = awaited(ProjectTasks.active)
    stats = awaited(ProjectTasks.stats)
    clear = awaited(ProjectTasks.clear)
    clear_agent = awaited(ProjectTasks.clear_agent)
    complete = awaited(ProjectTasks.complete)
    fail = awaited(ProjectTasks.fail)


class AsyncFreshContextManager(Offloading[FreshContextManager]):
    """See FreshContextManager."""

    @property
    def project(self) -> str:
        """The project's name."""
        return self._inner.project

    build_fresh_context = awaited(FreshContextManager.build_fresh_context)
    clear_agent_context = awaited(FreshContextManager.clear_agent_context)
    clear_task_context = awaited(FreshContextManager.clear_task_context)
    get_active_contexts = awaited(FreshContextManager.get_active_contexts)
    get_context = awaited(FreshContextManager.get_context)
    get_context_stats = awaited(FreshContextManager.get_context_stats)
    complete_task = awaited(FreshContextManager.complete_task)
    fail_task = awaited(FreshContextManager.fail_task)

    def validate_context(self, context: TaskContext) -> ContextValidation:
        """See FreshContextManager.validate_context."""
        return self._inner.validate_context(context)

    def estimate_token_count(self, text: str) -> int:
        """See FreshContextManager.estimate_token_count."""
        return self._inner.estimate_token_count(text)


class AsyncAgentContextIntegration(Offloading[AgentContextIntegration]):
    """See AgentContextIntegration."""

    prepare_agent_context = awaited(AgentContextIntegration.prepare_agent_context)
    on_task_complete = awaited(AgentContextIntegration.on_task_complete)
    on_task_failed = awaited(AgentContextIntegration.on_task_failed)
    get_agent_contexts = awaited(AgentContextIntegration.get_agent_contexts)


@dataclass(frozen=True)
class AsyncContextSystem:
    """See ContextSystem."""

    manager: AsyncFreshContextManager
    integration: AsyncAgentContextIntegration
    budgeter: TokenBudgeter
    builder: ContextBuilder | None
    project_config: ContextProjectConfig

    @classmethod
    def of(cls, system: ContextSystem, threads: ThreadPoolExecutor) -> Self:
        """The same system, on threads."""
        return cls(
            AsyncFreshContextManager(system.manager, threads),
            AsyncAgentContextIntegration(system.integration, threads),
            system.budgeter,
            system.builder,
            system.project_config,
        )
