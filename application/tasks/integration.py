"""The contexts of agents: prepared when an agent begins a task, ended with the task."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from backstory.application.tasks.manager import FreshContextManager
from backstory.domain.errors import BackstoryError
from backstory.domain.tasks.context import ContextValidation, TaskContext
from backstory.domain.tasks.values import ContextOptions, TaskSpec
from backstory.domain.values import label


class PreparedContext(NamedTuple):
    """The result of preparing an agent for a task."""

    success: bool
    agent: str
    task: str
    context: TaskContext | None
    """The context; None where there is none."""
    validation: ContextValidation | None
    error: str | None
    """The reason why there is none."""


class AgentContextIntegration:
    """Prepares agents for tasks, and cleans up after them."""

    def __init__(self, manager: FreshContextManager) -> None:
        self._manager = manager

    def prepare_agent_context(
        self,
        agent: str,
        task: TaskSpec | Mapping[str, Any],
        options: ContextOptions | Mapping[str, Any] | None = None,
    ) -> PreparedContext:
        """Builds the context of a task for an agent. What is refused, such as a budget that is too small, is told in
        the result, and nothing is recorded."""
        named = label("agent", agent)
        id = task.get("id") if isinstance(task, Mapping) else getattr(task, "id", None)
        try:
            context = self._manager.build_fresh_context(task, options, agent=named)
        except BackstoryError as error:
            return PreparedContext(False, named, str(id), None, None, str(error))
        validation = self._manager.validate_context(context)
        return PreparedContext(True, named, context.task_spec.id, context, validation, None)

    def on_task_complete(self, agent: str, task: str) -> None:
        """Ends a task that is done: its contexts are in use no more, and its session is closed."""
        self._manager.complete_task(agent, task)

    def on_task_failed(self, agent: str, task: str, why: str | None = None) -> None:
        """Ends a task that was given up. A later context of it opens its session again."""
        self._manager.fail_task(agent, task, why)

    def get_agent_contexts(self) -> dict[str, list[TaskContext]]:
        """The contexts in use, by the agent that has them."""
        found: dict[str, list[TaskContext]] = {}
        for context in self._manager.get_active_contexts().values():
            if context.agent is not None:
                found.setdefault(context.agent, []).append(context)
        return found
