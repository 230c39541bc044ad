"""The manager of fresh contexts: builds them, keeps track of them, ends them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.runtime import Runtime
from backstory.application.session import Session
from backstory.application.tasks.builder import ContextBuilder
from backstory.application.tasks.record import TAG, composed_context, read_context, record, task_session_id
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain import events as e
from backstory.domain.commands import facts
from backstory.domain.errors import NotFound, UnknownSession
from backstory.domain.tasks.budget import TokenBudgeter
from backstory.domain.tasks.context import ContextStats, ContextValidation, TaskContext, validate_context
from backstory.domain.tasks.values import ContextOptions, TaskSpec, checked
from backstory.domain.values import label, version_number
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.postgres.standby import reads_only

TYPES = [kind.type for kind in (e.ContextAssembled, e.ContextReleased, e.TaskCompleted, e.TaskFailed)]


class ActiveContext(NamedTuple):
    """A context whose task goes on."""

    session: UUID
    version: int
    task: str
    agent: str | None


class FreshContextManager:
    """Builds fresh contexts for tasks of one project."""

    def __init__(self, runtime: Runtime, builder: ContextBuilder) -> None:
        self._runtime = runtime
        self._builder = builder

    @property
    def project(self) -> str:
        """The project's name."""
        return self._builder.project.name

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
        asker = self._runtime.agent(None if agent is None else label("agent", agent))
        built = self._builder.build(spec, chosen, asker)
        if not record:
            return composed_context(built, asker, datetime.now(UTC))
        return _record(self._runtime, built, asker)

    def clear_agent_context(self, agent: str) -> int:
        """Ends the contexts of an agent, of whatever tasks. Returns how many there were. The record of them stays."""
        named = self._runtime.agent(label("agent", agent))
        mine = [one for one in self._active() if one.agent == named]
        for one in mine:
            self._release(one.session, named)
        return len(mine)

    def clear_task_context(self, task: str) -> int:
        """Ends the contexts of a task, of whatever agents. Returns how many there were. The record of them stays."""
        session = task_session_id(self.project, task)
        its = [one for one in self._active() if one.session == session]
        if its:
            self._release(session, self._runtime.agent(None))
        return len(its)

    def validate_context(self, context: TaskContext) -> ContextValidation:
        """Checks a context before it is used: whether it keeps to its budget, and what could be better."""
        return validate_context(context)

    def estimate_token_count(self, text: str) -> int:
        """About the tokens of a text, one for every four characters: see `TokenBudgeter.estimate_tokens`."""
        return TokenBudgeter.estimate_tokens(text)

    @reads_only
    def get_active_contexts(self) -> dict[str, TaskContext]:
        """The newest context of each agent for each task that goes on, by its id."""
        found = (read_context(self._runtime, one.session, one.version) for one in self._active())
        return {context.context_id: context for context in found}

    @reads_only
    def get_context(self, task: str, version: int | None = None) -> TaskContext:
        """A recorded context of a task, made again from the log: the newest one, or that of a version."""
        session = task_session_id(self.project, task)
        if version is None:
            version = self._newest(session, task)
        return read_context(self._runtime, session, version_number("version", version))

    @reads_only
    def get_context_stats(self) -> ContextStats:
        """How the contexts of the project were used."""
        return _stats(self._events(None), len(self._active()))

    def session(self, task: str) -> Session:
        """The session of a task: what was done for it, and what the agent saw."""
        from backstory.application.handle import SessionHandle

        id = task_session_id(self.project, task)
        try:
            return Session(SessionHandle.of(self._runtime, id))
        except UnknownSession:
            raise NotFound(f"task {task!r} has no context in project {self.project!r}.") from None

    # Steps

    def _newest(self, session: UUID, task: str) -> int:
        versions = [
            version
            for stream, version, type_, _ in self._events(None)
            if stream == session and type_ == e.ContextAssembled.type
        ]
        if not versions:
            raise NotFound(f"task {task!r} has no context in project {self.project!r}.")
        return versions[-1]

    def _release(self, session: UUID, agent: str | None) -> None:
        from backstory.application.handle import SessionHandle

        handle = SessionHandle.of(self._runtime, session).with_(actor=agent)
        handle.write(ContentBundle(), facts.note(e.ContextReleased, agent=agent))

    def _active(self) -> list[ActiveContext]:
        """The contexts that were not ended, of sessions that are open."""
        found: dict[tuple[UUID, str | None], ActiveContext] = {}
        for session, version, type_, body in self._events("open"):
            agent = body.get("agent")
            if type_ == e.ContextAssembled.type:
                if body.get("material") is not None:
                    found[session, agent] = ActiveContext(session, version, "", agent)
                continue
            for key in [key for key in found if key[0] == session and agent in (None, key[1])]:
                del found[key]
        only = self._runtime.caller.agent
        return [one for one in found.values() if only is None or one.agent == only]

    def _events(self, status: str | None) -> list[tuple[UUID, int, str, dict[str, Any]]]:
        if self._runtime.projects is not None and self.project not in self._runtime.projects:
            return []
        parameters = {"project": self.project, "tag": TAG, "status": status, "types": TYPES}
        return self._runtime.database.read(lambda c: c.execute(query("task_events"), parameters).fetchall())


_record = record


def _stats(events: list[tuple[UUID, int, str, dict[str, Any]]], active: int) -> ContextStats:
    built = [
        body for _, _, type_, body in events if type_ == e.ContextAssembled.type and body.get("material")
    ]
    tokens = [body["tokens"] for body in built]
    parts: dict[str, int] = {}
    for body in built:
        for section in body["sections"]:
            parts[section["name"]] = parts.get(section["name"], 0) + section["tokens"]
    usage = [(body["tokens"] + body["reserve"]) / body["budget"] for body in built if body["budget"]]
    return ContextStats(
        active=active,
        built=len(built),
        tasks=len({session for session, _, type_, _ in events if type_ == e.ContextAssembled.type}),
        completed=sum(type_ == e.TaskCompleted.type for _, _, type_, _ in events),
        failed=sum(type_ == e.TaskFailed.type for _, _, type_, _ in events),
        total_tokens=sum(tokens),
        mean_tokens=round(sum(tokens) / len(tokens), 1) if tokens else 0.0,
        largest_tokens=max(tokens, default=0),
        mean_usage=round(sum(usage) / len(usage), 4) if usage else 0.0,
        tokens_by_part=parts,
    )
