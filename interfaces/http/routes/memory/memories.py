"""Memory: what a project knows beyond its sessions, remembered, recalled and forgotten."""

from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import Field

from backstory.application.memory.project import Project
from backstory.domain.access import Action
from backstory.domain.memory.values import MemoryKind, Source
from backstory.domain.trust import Origin
from backstory.interfaces.documents.integrity import ErasureDocument
from backstory.interfaces.documents.memory import (
    MemoryDocument,
    MemoryHistoryDocument,
    MemoryPageDocument,
    MemoryWrittenDocument,
    ProjectDocument,
    ProjectsDocument,
    RecallPageDocument,
)
from backstory.interfaces.http.bodies import Body, Time
from backstory.interfaces.http.requests import CallerStore, OpenProject, OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("memory")

MemoryId = Annotated[int, Path(ge=1, description="The memory's id.")]
Asked = Annotated[str, Query(alias="query", description="A question, or some words.")]
ForAgent = Annotated[str | None, Query(description="Also the memories of this agent alone.")]
OfKinds = Annotated[list[MemoryKind], Query(description="Only memories of one of these kinds.")]
OfEntity = Annotated[str | None, Query(description="Only memories about this entity.")]
OfTier = Annotated[Literal["HOT", "WARM", "COLD"] | None, Query(description="Only memories of this tier.")]
Since = Annotated[Time | None, Query(description="Only what was known at this time or later.")]
Before = Annotated[Time | None, Query(description="Only what was known before this time.")]
AsOf = Annotated[Time | None, Query(description="What the project knew at this time, and what held then.")]
Past = Annotated[bool, Query(description="Also what no longer holds.")]
Quarantined = Annotated[bool, Query(description="Also what is in quarantine.")]
Candidates = Annotated[
    bool, Query(description="Those that wait to be confirmed or dismissed, and no others.")
]
Most = Annotated[int, Query(ge=1, le=1000, description="The most memories of a page.")]


class MemoryText(Body):
    """A memory's text and what is said of it."""

    text: str = Field(description="The text.")
    title: str | None = Field(default=None, description="A title in few words.")
    details: dict[str, Any] | None = Field(default=None, description="More about it.")
    entities: list[str] = Field(
        default=[], description="The people, files, technologies and so on that it is about."
    )
    importance: float | None = Field(
        default=None, description="Its importance, from 0 to 1; otherwise that of its kind."
    )
    valid_from: Time | None = Field(default=None, description="The time from which it holds.")
    valid_until: Time | None = Field(default=None, description="The time until which it holds.")
    origin: Origin | None = Field(
        default=None, description="Whose words it is made of; a model's, unless it is said."
    )
    occurred_at: Time | None = Field(
        default=None, description="The time at which it was known; otherwise now."
    )


class MemoryToRecord(MemoryText):
    """A memory to record."""

    kind: MemoryKind = Field(default="note", description="Its kind.")
    agent: str | None = Field(default=None, description="The agent that alone sees it.")
    key: str | None = Field(
        default=None, description="The name of what it tells: the one before it with this name is superseded."
    )
    supersedes: list[int] = Field(default=[], description="The memories that no longer hold because of it.")


class SourcedMemory(MemoryToRecord):
    """A memory to record, with its sources."""

    sources: list[Source] = Field(
        default=[], strict=False, description="The items that it was made from, by their sessions."
    )


class SessionMemory(MemoryToRecord):
    """A memory to record, with the session as its source."""

    items: list[int] = Field(default=[], description="The items of the session that it was made from.")


class MemoryToForget(Body):
    """The reason why a memory no longer holds."""

    why: str | None = Field(default=None, description="The reason.")
    by: int | None = Field(default=None, description="The memory because of which it no longer holds.")


class MemoryToErase(Body):
    """The reason for an erasure."""

    why: str = Field(description="The reason.")
    everywhere: bool = Field(default=False, description="Also equal contents elsewhere in the memory.")
    keep_derived: bool = Field(default=False, description="Keep the memories that were made from it.")
    dry_run: bool = Field(default=False, description="Write nothing; answer what would be erased.")


@routes.get("/projects", Action.READ, filtered=True)
def list_projects(
    store: CallerStore,
    limit: Annotated[int, Query(ge=1, le=1000, description="The most projects to list.")] = 50,
) -> ProjectsDocument:
    """List projects, the most recently active first."""
    found = store.projects(limit=limit)
    return ProjectsDocument(projects=[ProjectDocument.model_validate(one) for one in found])


@routes.post("/projects/{project}/memories", Action.APPEND, status_code=201)
def remember(project: OpenProject, body: SourcedMemory) -> MemoryWrittenDocument:
    """Record a memory."""
    writer, fields = _told(project, body)
    return _written(project, writer.remember(**fields))


@routes.get("/projects/{project}/memories", Action.READ)
def list_memories(
    project: OpenProject,
    kind: OfKinds = [],  # noqa: B006
    agent: ForAgent = None,
    entity: OfEntity = None,
    tier: OfTier = None,
    since: Since = None,
    before: Before = None,
    as_of: AsOf = None,
    past: Past = False,
    quarantined: Quarantined = False,
    candidates: Candidates = False,
    limit: Most = 50,
    after: Annotated[
        int | None, Query(ge=1, description="The next page, as `next` of the last one named it.")
    ] = None,
) -> MemoryPageDocument:
    """List memories, the newest first."""
    page = project.memories(
        kinds=kind,
        agent=agent,
        entity=entity,
        tier=tier,
        since=since,
        before=before,
        as_of=as_of,
        past=past,
        quarantined=quarantined,
        candidates=candidates,
        limit=limit,
        after=after,
    )
    return MemoryPageDocument.model_validate(page)


@routes.get("/projects/{project}/recall", Action.READ)
def recall(
    project: OpenProject,
    query: Asked,
    kind: OfKinds = [],  # noqa: B006
    agent: ForAgent = None,
    entity: OfEntity = None,
    tier: OfTier = None,
    since: Since = None,
    before: Before = None,
    as_of: AsOf = None,
    past: Past = False,
    quarantined: Quarantined = False,
    limit: Most = 20,
    after: Annotated[
        str | None, Query(description="The next page, as `next` of the last one named it.")
    ] = None,
) -> RecallPageDocument:
    """Find memories, best first, from whichever session: now, or as of a time."""
    page = project.recall(
        query,
        kinds=kind,
        agent=agent,
        entity=entity,
        tier=tier,
        since=since,
        before=before,
        as_of=as_of,
        past=past,
        quarantined=quarantined,
        limit=limit,
        after=after,
        record=False,
    )
    return RecallPageDocument.model_validate(page)


class Recall(Body):
    """A recall whose hits count as accessed."""

    query: str = Field(description="A question, or some words.")
    kinds: list[MemoryKind] = Field(default=[], description="Only memories of one of these kinds.")
    agent: str | None = Field(default=None, description="Also the memories of this agent alone.")
    entity: str | None = Field(default=None, description="Only memories about this entity.")
    tier: str | None = Field(default=None, description="Only memories of this tier.")
    since: Time | None = Field(default=None, description="Only what was known then or later.")
    before: Time | None = Field(default=None, description="Only what was known before.")
    as_of: Time | None = Field(default=None, description="What the project knew at this time.")
    past: bool = Field(default=False, description="Also what no longer holds.")
    quarantined: bool = Field(default=False, description="Also what is in quarantine.")
    limit: int = Field(default=20, description="The most memories of a page.")
    after: str | None = Field(default=None, description="The next page, as `next` of the last one named it.")


@routes.post("/projects/{project}/recall", Action.APPEND)
def recall_and_record(project: OpenProject, body: Recall) -> RecallPageDocument:
    """Find memories as an agent does: what is found was accessed."""
    return RecallPageDocument.model_validate(project.recall(**body.model_dump()))


@routes.get("/projects/{project}/memories/{memory}", Action.READ)
def show_memory(project: OpenProject, memory: MemoryId, agent: ForAgent = None) -> MemoryDocument:
    """Show a memory, also one that no longer holds."""
    return MemoryDocument.model_validate(project.memory(memory, agent=agent))


@routes.get("/projects/{project}/memories/{memory}/history", Action.READ)
def show_memory_history(
    project: OpenProject, memory: MemoryId, agent: ForAgent = None
) -> MemoryHistoryDocument:
    """List what a memory superseded and what superseded it, oldest first."""
    found = project.history(memory, agent=agent)
    return MemoryHistoryDocument(memories=[MemoryDocument.model_validate(one) for one in found])


@routes.post("/projects/{project}/memories/{memory}/supersede", Action.APPEND, status_code=201)
def supersede(project: OpenProject, memory: MemoryId, body: MemoryText) -> MemoryWrittenDocument:
    """Record a memory in place of one that no longer holds."""
    writer, fields = _told(project, body)
    return _written(project, writer.supersede(memory, fields.pop("text"), **fields))


@routes.post("/projects/{project}/memories/{memory}/forget", Action.APPEND)
def forget(project: OpenProject, memory: MemoryId, body: MemoryToForget) -> MemoryWrittenDocument:
    """Mark a memory as one that no longer holds. It stays readable as of the time before."""
    version = project.forget(memory, body.why, by=body.by)
    return MemoryWrittenDocument(project=project.name, memory=memory, version=version)


@routes.post("/projects/{project}/memories/{memory}/erase", Action.OPERATE, whole=True, once="bare")
def erase_memory(project: OpenProject, memory: MemoryId, body: MemoryToErase) -> ErasureDocument:
    """Erase the words of a memory for good."""
    done = project._with(key=None).erase(memory, **body.model_dump())
    return ErasureDocument.of(done, memory, body.dry_run, ())


@routes.post("/sessions/{session}/memories", Action.APPEND, status_code=201)
def remember_from_session(session: OpenSession, body: SessionMemory) -> MemoryWrittenDocument:
    """Record a memory of the session's project, with the session as its source."""
    fields = body.model_dump(exclude={"origin", "occurred_at"})
    writer = session if body.origin is None else session.of_origin(body.origin)
    writer = writer if body.occurred_at is None else writer.occurred(body.occurred_at)
    return _written(session.memory.project, writer.memory.remember(fields.pop("text"), **fields))


@routes.get("/sessions/{session}/recall", Action.READ)
def recall_in_session(
    session: OpenSession,
    query: Asked,
    kind: OfKinds = [],  # noqa: B006
    agent: ForAgent = None,
    as_of: AsOf = None,
    limit: Most = 20,
    after: Annotated[
        str | None, Query(description="The next page, as `next` of the last one named it.")
    ] = None,
) -> RecallPageDocument:
    """Find memories of the session's project, best first."""
    page = session.memory.recall(
        query, kinds=kind, agent=agent, as_of=as_of, limit=limit, after=after, record=False
    )
    return RecallPageDocument.model_validate(page)


def _told(project: Project, body: MemoryText) -> tuple[Project, dict[str, Any]]:
    """The project as the body's origin and time say, and the other fields that were given."""
    project = project if body.origin is None else project.of_origin(body.origin)
    project = project if body.occurred_at is None else project.occurred(body.occurred_at)
    given = {name: getattr(body, name) for name in body.model_fields_set | {"text"}}
    return project, {name: value for name, value in given.items() if name not in ("origin", "occurred_at")}


def _written(project: Project, memory: int) -> MemoryWrittenDocument:
    return MemoryWrittenDocument(project=project.name, memory=memory, version=memory)
