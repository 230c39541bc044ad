"""The fresh contexts of a service: it builds them beside the files, below the folders that its operator allows."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from backstory.application.tasks.contexts import ProjectTasks
from backstory.application.tasks.dependencies import OWN, ContextDependencies
from backstory.application.tasks.integration import AgentContextIntegration
from backstory.application.tasks.manager import FreshContextManager
from backstory.application.tasks.system import ContextSystem
from backstory.domain.commands.memory import project_id
from backstory.domain.errors import OnlyInProcess
from backstory.domain.tasks.budget import TokenBudgeter
from backstory.domain.tasks.context import TaskContext
from backstory.domain.tasks.values import (
    ContextOptions,
    ContextProjectConfig,
    CustomBudget,
    TaskSpec,
    checked,
)
from backstory.interfaces.client.calls import get, over_http, post
from backstory.interfaces.client.connection import Connection
from backstory.interfaces.client.handle import RemoteHandle
from backstory.interfaces.client.results import value_of


def _cleared(document: Any) -> int:
    cleared: int = document["cleared"]
    return cleared


@over_http(
    "tasks",
    local=("by",),
    build=post(keyed=False, here={"progress": "a service does not call back."}),
    context=get(),
    active=get(read=lambda document: [value_of(TaskContext, one) for one in document["contexts"]]),
    stats=get(),
    clear=post(keyed=False, read=_cleared),
    clear_agent=post(keyed=False, read=_cleared),
    complete=post(keyed=False),
    fail=post(keyed=False),
)
class RemoteProjectTasks(ProjectTasks):
    """See ProjectTasks."""

    _handle: RemoteHandle


def tasks_of(connection: Connection, project: str) -> RemoteProjectTasks:
    """The tasks of a project."""
    return RemoteProjectTasks(RemoteHandle.of_project(connection, project, project_id(project)), project)


def system_of(
    connection: Connection,
    project_config: ContextProjectConfig | Mapping[str, Any],
    dependencies: ContextDependencies | Mapping[str, Any] | None,
    **given: Any,
) -> ContextSystem:
    """A system whose contexts the service builds."""
    config: ContextProjectConfig = checked(ContextProjectConfig, "project_config", project_config)
    tasks = tasks_of(connection, config.name)
    told = {name: value for name, value in given.items() if value is not None}
    told |= config.model_dump(include={"language", "framework", "test_framework"}, exclude_none=True)
    build = partial(_build, tasks, config.path, {**told, "without": _without(dependencies)})
    manager = FreshContextManager(tasks, build)
    budgeter = TokenBudgeter(checked(CustomBudget, "custom_budget", given.get("custom_budget")))
    return ContextSystem(manager, AgentContextIntegration(manager), budgeter, None, config)


def _build(
    tasks: ProjectTasks,
    path: str,
    given: Mapping[str, Any],
    task: TaskSpec,
    options: ContextOptions,
    agent: str | None,
    record: bool,
) -> TaskContext:
    return tasks.build(task, path, options, agent=agent, record=record, **given)


def _without(dependencies: ContextDependencies | Mapping[str, Any] | None) -> list[str]:
    """The parts to do without. Those of a caller's own cannot be sent."""
    if dependencies is None:
        return []
    given = dependencies if isinstance(dependencies, Mapping) else vars(dependencies)
    for name, value in given.items():
        if value is not None and value is not OWN:
            raise OnlyInProcess(f"dependencies.{name}: a part of your own cannot be sent to a service.")
    return [name for name, value in given.items() if value is None]
