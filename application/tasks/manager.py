"""The manager of fresh contexts: builds them, keeps track of them, ends them."""

from collections.abc import Callable, Mapping
from typing import Any

from backstory.application.tasks.contexts import ProjectTasks
from backstory.domain.tasks.budget import TokenBudgeter
from backstory.domain.tasks.context import ContextStats, ContextValidation, TaskContext, validate_context
from backstory.domain.tasks.values import ContextOptions, TaskSpec, checked

BuildContext = Callable[[TaskSpec, ContextOptions, str | None, bool], TaskContext]
"""Builds the context of a task for an agent, and records it or not."""


class FreshContextManager:
    """Builds fresh contexts for tasks of one project."""

    def __init__(self, tasks: ProjectTasks, build: BuildContext) -> None:
        self._tasks = tasks
        self._build = build

    @property
    def project(self) -> str:
        """The project's name."""
        return self._tasks.name

    def build_fresh_context(
        self,
        task: TaskSpec | Mapping[str, Any],
        options: ContextOptions | Mapping[str, Any] | None = None,
        *,
        agent: str | None = None,
        record: bool = True,
    ) -> TaskContext:
        """Builds the context of a task from nothing. It is recorded in the task's own session, so that it can be made
        again after the files have changed. `agent`, by default the caller, sees its own memories and nobody else's.
        With `record=False` nothing is written."""
        spec: TaskSpec = checked(TaskSpec, "task", task)
        chosen: ContextOptions = checked(ContextOptions, "options", options)
        return self._build(spec, chosen, agent, record)

    def clear_agent_context(self, agent: str) -> int:
        """Ends the contexts of an agent, of whatever tasks. Returns how many there were. The record of them stays."""
        return self._tasks.clear_agent(agent)

    def clear_task_context(self, task: str) -> int:
        """Ends the contexts of a task, of whatever agents. Returns how many there were. The record of them stays."""
        return self._tasks.clear(task)

    def validate_context(self, context: TaskContext) -> ContextValidation:
        """Checks a context before it is used: whether it keeps to its budget, and what could be better."""
        return validate_context(context)

    def estimate_token_count(self, text: str) -> int:
        """About the tokens of a text, one for every four characters: see `TokenBudgeter.estimate_tokens`."""
        return TokenBudgeter.estimate_tokens(text)

    def get_active_contexts(self) -> dict[str, TaskContext]:
        """The newest context of each agent for each task that goes on, by its id."""
        return {context.context_id: context for context in self._tasks.active()}

    def get_context(self, task: str, version: int | None = None) -> TaskContext:
        """A recorded context of a task, made again from the log: the newest one, or that of a version."""
        return self._tasks.context(task, version)

    def get_context_stats(self) -> ContextStats:
        """How the contexts of the project were used."""
        return self._tasks.stats()

    def complete_task(self, agent: str, task: str) -> None:
        """Ends a task that an agent has done."""
        self._tasks.by(agent).complete(task)

    def fail_task(self, agent: str, task: str, why: str | None = None) -> None:
        """Ends a task that an agent has given up."""
        self._tasks.by(agent).fail(task, why)
