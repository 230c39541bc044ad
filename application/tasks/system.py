"""The system of fresh contexts for one project: its parts, put together."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backstory.application.code.code_index import Progress
from backstory.application.memory.streams import project_handle
from backstory.application.runtime import Runtime
from backstory.application.tasks.builder import ContextBuilder
from backstory.application.tasks.contexts import ProjectTasks
from backstory.application.tasks.dependencies import NOTHING, ContextDependencies, ProjectCode
from backstory.application.tasks.integration import AgentContextIntegration
from backstory.application.tasks.manager import FreshContextManager
from backstory.application.tasks.recall import ProjectMemories
from backstory.application.tasks.record import composed_context, record
from backstory.domain.commands.memory import project_id
from backstory.domain.errors import InvalidInput, OnlyInProcess
from backstory.domain.tasks.budget import TokenBudgeter
from backstory.domain.tasks.context import TaskContext
from backstory.domain.tasks.render import SYSTEM_PROMPT
from backstory.domain.tasks.values import (
    ContextBuilderOptions,
    ContextOptions,
    ContextProjectConfig,
    CustomBudget,
    TaskSpec,
    checked,
)
from backstory.domain.values import DEFAULT_ENCODING, label
from backstory.infrastructure.llm.tokens import check_encoding, count_lines
from backstory.infrastructure.project_files import allowed_root

if TYPE_CHECKING:
    from backstory.application.store import ContextStore


@dataclass(frozen=True)
class ContextSystem:
    """Fresh contexts for the tasks of one project."""

    manager: FreshContextManager
    """Builds, validates, lists and ends contexts."""
    integration: AgentContextIntegration
    """Prepares agents for tasks, and cleans up after them."""
    budgeter: TokenBudgeter
    """Divides budgets."""
    builder: ContextBuilder | None
    """Builds the parts of a context; None for a served store, where the service does."""
    project_config: ContextProjectConfig
    """The project, as it was given."""


def make_system(
    runtime: Runtime,
    project_config: ContextProjectConfig | Mapping[str, Any],
    *,
    dependencies: ContextDependencies | Mapping[str, Any] | None = None,
    builder_options: ContextBuilderOptions | Mapping[str, Any] | None = None,
    custom_budget: CustomBudget | Mapping[str, Any] | None = None,
    system_prompt: str | None = None,
    encoding: str | None = None,
    progress: Progress | None = None,
) -> ContextSystem:
    """The system for a project."""
    config: ContextProjectConfig = checked(ContextProjectConfig, "project_config", project_config)
    options: ContextBuilderOptions = checked(ContextBuilderOptions, "builder_options", builder_options)
    custom: CustomBudget = checked(CustomBudget, "custom_budget", custom_budget)
    encoding = DEFAULT_ENCODING if encoding is None else encoding
    check_encoding(encoding)
    prompt = SYSTEM_PROMPT if system_prompt is None else system_prompt
    if not isinstance(prompt, str):
        raise InvalidInput("system_prompt", f"must be text, got {type(system_prompt).__name__}")
    try:
        root = allowed_root(options.project_path or config.path, runtime.roots)
    except InvalidInput as refused:
        raise InvalidInput("path", refused.rule) from None
    budgeter = TokenBudgeter(custom, count=partial(count_lines, encoding=encoding))
    builder = ContextBuilder(
        project=config,
        options=options,
        dependencies=_dependencies(dependencies),
        code=ProjectCode(runtime, root, progress),
        memories=ProjectMemories(runtime, project_id(config.name)),
        budgeter=budgeter,
        system_prompt=prompt,
        encoding=encoding,
    )
    manager = FreshContextManager(tasks_of(runtime, config.name), partial(_build, runtime, builder))
    return ContextSystem(manager, AgentContextIntegration(manager), budgeter, builder, config)


def tasks_of(runtime: Runtime, project: str) -> ProjectTasks:
    """The tasks of a project."""
    return ProjectTasks(project_handle(runtime, project), project)


def _build(
    runtime: Runtime,
    builder: ContextBuilder,
    task: TaskSpec,
    options: ContextOptions,
    agent: str | None,
    record_it: bool,
) -> TaskContext:
    asker = runtime.agent(None if agent is None else label("agent", agent))
    built = builder.build(task, options, asker)
    return record(runtime, built, asker) if record_it else composed_context(built, asker, datetime.now(UTC))


def create_context_system(store: "ContextStore", project_config: Any, **options: Any) -> ContextSystem:
    """The system of fresh contexts for a project: see `ContextStore.context_system`."""
    return store.context_system(project_config, **options)


def create_test_context_system(
    store: "ContextStore", path: Path | str = ".", **options: Any
) -> ContextSystem:
    """A system for tests of a caller's own: of the project `test-project`, with no map generator, analyzer, code memory
    or memory system, so that a context holds what the task names and nothing else."""
    given = {"dependencies": NOTHING, **options}
    return store.context_system(ContextProjectConfig(name="test-project", path=str(path)), **given)


def create_fresh_context_manager(
    store: "ContextStore", project_config: Any, **options: Any
) -> FreshContextManager:
    """The manager of a system: see `create_context_system`."""
    return create_context_system(store, project_config, **options).manager


def create_context_builder(store: "ContextStore", project_config: Any, **options: Any) -> ContextBuilder:
    """The builder of a system: see `create_context_system`. A service builds contexts itself, and has none to give."""
    builder = create_context_system(store, project_config, **options).builder
    if builder is None:
        raise OnlyInProcess("the service builds the parts of contexts: ask it for whole ones.")
    return builder


def _dependencies(given: ContextDependencies | Mapping[str, Any] | None) -> ContextDependencies:
    if given is None:
        return ContextDependencies()
    if isinstance(given, ContextDependencies):
        return given
    if not isinstance(given, Mapping):
        raise InvalidInput("dependencies", f"must be ContextDependencies, got {type(given).__name__}")
    unknown = sorted(set(given) - set(ContextDependencies.__dataclass_fields__))
    if unknown:
        known = ", ".join(ContextDependencies.__dataclass_fields__)
        raise InvalidInput("dependencies", f"must be among {known}, got {unknown[0]!r}")
    return ContextDependencies(**given)
