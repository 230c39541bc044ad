"""Fresh contexts of tasks. Files are read below the folders that the operator has listed, and nowhere else."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from backstory.application.memory.project import Project
from backstory.application.tasks.contexts import ProjectTasks
from backstory.domain.access import Action
from backstory.domain.tasks.values import ContextBuilderOptions, ContextOptions, CustomBudget, TaskSpec
from backstory.interfaces.documents.tasks import (
    ContextsClearedDocument,
    TaskContextDocument,
    TaskContextsDocument,
    TaskEndedDocument,
    TaskStatsDocument,
)
from backstory.interfaces.http.bodies import Body
from backstory.interfaces.http.requests import OpenProject
from backstory.interfaces.http.routing import Routes

routes = Routes("tasks")


class ContextToBuild(Body):
    """A task, and where its project's files are."""

    task: TaskSpec = Field(strict=False, description="The task.")
    path: str = Field(description="The folder with the project's files, below one that the operator allows.")
    options: ContextOptions = Field(
        default=ContextOptions(), strict=False, description="What the context may have."
    )
    language: str | None = Field(default=None, description="The language; otherwise it is detected.")
    framework: str | None = Field(default=None, description="The framework; otherwise it is detected.")
    test_framework: str | None = Field(
        default=None, description="That of its tests; otherwise it is detected."
    )
    without: list[str] = Field(
        default=[],
        description="Parts to do without: repo_map_generator, codebase_analyzer, code_memory, memory_system.",
    )
    builder_options: ContextBuilderOptions = Field(
        default=ContextBuilderOptions(), strict=False, description="How its parts are built."
    )
    custom_budget: CustomBudget = Field(
        default=CustomBudget(), strict=False, description="Tokens of the fixed parts, where they differ."
    )
    system_prompt: str | None = Field(default=None, description="The system prompt; otherwise the usual one.")
    encoding: str | None = Field(default=None, description="The encoding that tokens are counted in.")
    agent: str | None = Field(default=None, description="The agent that it is for; otherwise the actor.")
    record: bool = Field(default=True, description="Whether it is recorded.")


class TaskToEnd(Body):
    """A task that is done."""

    task: str = Field(description="The task's id.")


class TaskToFail(TaskToEnd):
    """A task that is given up."""

    why: str | None = Field(default=None, description="The reason.")


class AgentToClear(Body):
    """An agent whose contexts are in use no more."""

    agent: str = Field(description="The agent.")


@routes.post("/projects/{project}/tasks/build", Action.APPEND, status_code=201, once="kept")
def build_task_context(project: OpenProject, body: ContextToBuild) -> TaskContextDocument:
    """Build the fresh context of a task from the project's files, code and memory."""
    given = {name: getattr(body, name) for name in type(body).model_fields if name not in ("task", "path")}
    return TaskContextDocument.of(_tasks(project).build(body.task, body.path, **given))


@routes.get("/projects/{project}/tasks/context", Action.READ)
def show_task_context(
    project: OpenProject,
    task: Annotated[str, Query(description="The task's id.")],
    version: Annotated[
        int | None, Query(ge=1, description="The version that records it; otherwise the newest.")
    ] = None,
) -> TaskContextDocument:
    """Make a recorded context of a task again from the log."""
    return TaskContextDocument.of(_tasks(project).context(task, version))


@routes.get("/projects/{project}/tasks/active", Action.READ)
def active_task_contexts(project: OpenProject) -> TaskContextsDocument:
    """List the newest context of each agent for each task that goes on."""
    found = _tasks(project).active()
    return TaskContextsDocument(contexts=[TaskContextDocument.of(one) for one in found])


@routes.get("/projects/{project}/tasks/stats", Action.READ)
def task_context_stats(project: OpenProject) -> TaskStatsDocument:
    """Count the contexts of a project's tasks, and their tokens."""
    return TaskStatsDocument.of(_tasks(project).stats())


@routes.post("/projects/{project}/tasks/complete", Action.APPEND, once="kept")
def complete_project_task(project: OpenProject, body: TaskToEnd) -> TaskEndedDocument:
    """End a task that is done."""
    _tasks(project).complete(body.task)
    return TaskEndedDocument(project=project.name, task=body.task, status="completed")


@routes.post("/projects/{project}/tasks/fail", Action.APPEND, once="kept")
def fail_project_task(project: OpenProject, body: TaskToFail) -> TaskEndedDocument:
    """End a task that is given up."""
    _tasks(project).fail(body.task, body.why)
    return TaskEndedDocument(project=project.name, task=body.task, status="failed")


@routes.post("/projects/{project}/tasks/clear", Action.APPEND, once="bare")
def clear_task_contexts(project: OpenProject, body: TaskToEnd) -> ContextsClearedDocument:
    """End the contexts of a task. The record of them stays."""
    return ContextsClearedDocument(project=project.name, cleared=_tasks(project).clear(body.task))


@routes.post("/projects/{project}/tasks/clear-agent", Action.APPEND, once="bare")
def clear_agent_contexts(project: OpenProject, body: AgentToClear) -> ContextsClearedDocument:
    """End the contexts of an agent. The record of them stays."""
    cleared = _tasks(project).clear_agent(body.agent)
    return ContextsClearedDocument(project=project.name, cleared=cleared)


def _tasks(project: Project) -> ProjectTasks:
    """The tasks of the project of the path, for who asks."""
    return ProjectTasks(project._handle.with_(key=None, occurred_at=None, cause=None), project.name)
