"""The fresh contexts of a project's tasks: built, read again, counted, ended."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Self
from uuid import UUID

from backstory.application.code.code_index import Progress
from backstory.application.handle import SessionHandle
from backstory.application.runtime import Runtime
from backstory.application.session import Session
from backstory.application.tasks.record import TAG, read_context, task_session_id
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain import events as e
from backstory.domain.commands import facts
from backstory.domain.errors import ContentErased, NotFound, UnknownSession
from backstory.domain.tasks.context import ContextStats, TaskContext
from backstory.domain.tasks.values import (
    ContextBuilderOptions,
    ContextOptions,
    CustomBudget,
    TaskSpec,
)
from backstory.domain.values import label, listed, version_number
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.postgres.standby import reads_only

TYPES = [kind.type for kind in (e.ContextAssembled, e.ContextReleased, e.TaskCompleted, e.TaskFailed)]


class ActiveContext(NamedTuple):
    """A context whose task goes on."""

    session: UUID
    version: int
    agent: str | None


class ProjectTasks:
    """The fresh contexts of a project's tasks: `store.tasks("shop")`. Each task has a session of its own."""

    def __init__(self, handle: SessionHandle, name: str) -> None:
        self._handle = handle
        self._name = name

    @property
    def _runtime(self) -> Runtime:
        return self._handle.runtime

    @property
    def name(self) -> str:
        """The project's name."""
        return self._name

    def by(self, actor: str) -> Self:
        """The same tasks, worked on by this agent or person."""
        return type(self)(self._handle.with_(actor=label("actor", actor)), self._name)

    def build(
        self,
        task: TaskSpec | Mapping[str, Any],
        path: str,
        options: ContextOptions | Mapping[str, Any] | None = None,
        *,
        language: str | None = None,
        framework: str | None = None,
        test_framework: str | None = None,
        without: Sequence[str] = (),
        builder_options: ContextBuilderOptions | Mapping[str, Any] | None = None,
        custom_budget: CustomBudget | Mapping[str, Any] | None = None,
        system_prompt: str | None = None,
        encoding: str | None = None,
        agent: str | None = None,
        record: bool = True,
        progress: Progress | None = None,
    ) -> TaskContext:
        """Builds the fresh context of a task from the files in the folder at `path`: see
        `FreshContextManager.build_fresh_context`. `without` names the parts to do without: `repo_map_generator`,
        `codebase_analyzer`, `code_memory`, `memory_system`. Who builds many of one folder keeps a system:
        `ContextStore.context_system`. `progress` is called with the files that are indexed, and their total."""
        from backstory.application.tasks.system import make_system

        config = {
            "name": self._name,
            "path": path,
            "language": language,
            "framework": framework,
            "test_framework": test_framework,
        }
        system = make_system(
            self._runtime,
            config,
            dependencies=dict.fromkeys(listed("without", without)),
            builder_options=builder_options,
            custom_budget=custom_budget,
            system_prompt=system_prompt,
            encoding=encoding,
            progress=progress,
        )
        asker = self._handle.actor if agent is None else agent
        return system.manager.build_fresh_context(task, options, agent=asker, record=record)

    @reads_only
    def context(self, task: str, version: int | None = None) -> TaskContext:
        """A recorded context of a task, made again from the log: the newest one, or that of a version."""
        session = task_session_id(self._name, task)
        if version is not None:
            return read_context(self._runtime, session, version_number("version", version))
        mine = [one for one in self._built() if one.session == session]
        if not mine:
            raise self._unknown(task)
        return read_context(self._runtime, session, mine[-1].version)

    @reads_only
    def active(self) -> list[TaskContext]:
        """The newest context of each agent for each task that goes on, but those of which something was erased."""
        return list(self._readable())

    @reads_only
    def stats(self) -> ContextStats:
        """How the contexts of the project were used."""
        return _stats(self._events(None), len(self._active()))

    def clear(self, task: str) -> int:
        """Ends the contexts of a task, of whatever agents. Returns how many there were. The record of them stays."""
        session = task_session_id(self._name, task)
        its = [one for one in self._active() if one.session == session]
        if its:
            self._release(session, self._runtime.caller.agent)
        return len(its)

    def clear_agent(self, agent: str) -> int:
        """Ends the contexts of an agent, of whatever tasks. Returns how many there were. The record of them stays."""
        named = self._runtime.agent(label("agent", agent))
        mine = [one for one in self._active() if one.agent == named]
        for one in mine:
            self._release(one.session, named)
        return len(mine)

    def complete(self, task: str) -> None:
        """Ends a task that is done: its contexts are in use no more, and its session is closed."""
        session = self._session(task)
        if task in session.state.tasks:
            session.work.complete_task(task)
        if session.state.status == "open":
            session.end("the task is completed")

    def fail(self, task: str, why: str | None = None) -> None:
        """Ends a task that was given up. A later context of it opens its session again."""
        session = self._session(task)
        if task in session.state.tasks:
            session.work.fail_task(task, why)
        if session.state.status == "open":
            session.end("the task failed")

    # Steps

    def _readable(self) -> Iterator[TaskContext]:
        for one in self._active():
            with suppress(ContentErased):
                yield read_context(self._runtime, one.session, one.version)

    def _session(self, task: str) -> Session:
        id = task_session_id(self._name, task)
        try:
            handle = SessionHandle.of(self._runtime, id)
        except UnknownSession:
            raise self._unknown(task) from None
        return Session(handle.with_(actor=self._handle.actor))

    def _unknown(self, task: str) -> NotFound:
        return NotFound(f"task {task!r} has no context in project {self._name!r}.")

    def _release(self, session: UUID, agent: str | None) -> None:
        handle = SessionHandle.of(self._runtime, session).with_(actor=self._handle.actor or agent)
        handle.write(ContentBundle(), facts.note(e.ContextReleased, agent=agent))

    def _built(self) -> list[ActiveContext]:
        """All contexts that the caller may see, in the order of each session's log."""
        only = self._runtime.caller.agent
        return [
            ActiveContext(session, version, body.get("agent"))
            for session, version, type_, body in self._events(None)
            if type_ == e.ContextAssembled.type and (only is None or body.get("agent") == only)
        ]

    def _active(self) -> list[ActiveContext]:
        """The contexts that were not ended, of sessions that are open."""
        found: dict[tuple[UUID, str | None], ActiveContext] = {}
        for session, version, type_, body in self._events("open"):
            agent = body.get("agent")
            if type_ == e.ContextAssembled.type:
                found[session, agent] = ActiveContext(session, version, agent)
                continue
            for key in [key for key in found if key[0] == session and agent in (None, key[1])]:
                del found[key]
        only = self._runtime.caller.agent
        return [one for one in found.values() if only is None or one.agent == only]

    def _events(self, status: str | None) -> list[tuple[UUID, int, str, dict[str, Any]]]:
        projects = self._runtime.projects
        if projects is not None and self._name not in projects:
            return []
        parameters = {"project": self._name, "tag": TAG, "status": status, "types": TYPES}
        rows = self._runtime.database.read(lambda c: c.execute(query("task_events"), parameters).fetchall())
        # Other contexts of the session, such as those of its conversation, are not the task's.
        return [row for row in rows if row[2] != e.ContextAssembled.type or row[3].get("material")]


def _stats(events: Sequence[tuple[UUID, int, str, dict[str, Any]]], active: int) -> ContextStats:
    built = [(session, body) for session, _, type_, body in events if type_ == e.ContextAssembled.type]
    tokens = [body["tokens"] for _, body in built]
    parts: dict[str, int] = {}
    for _, body in built:
        for section in body["sections"]:
            parts[section["name"]] = parts.get(section["name"], 0) + section["tokens"]
    usage = [(body["tokens"] + body["reserve"]) / body["budget"] for _, body in built]
    return ContextStats(
        active=active,
        built=len(built),
        tasks=len({session for session, _ in built}),
        completed=sum(type_ == e.TaskCompleted.type for _, _, type_, _ in events),
        failed=sum(type_ == e.TaskFailed.type for _, _, type_, _ in events),
        total_tokens=sum(tokens),
        mean_tokens=round(sum(tokens) / len(tokens), 1) if tokens else 0.0,
        largest_tokens=max(tokens, default=0),
        mean_usage=round(sum(usage) / len(usage), 4) if usage else 0.0,
        tokens_by_part=parts,
    )
