"""Memories made of sessions: asked for, confirmed, dismissed, and the policy that makes them."""

from pydantic import Field

from backstory.domain.access import Action
from backstory.domain.policies.memory import MemoryPolicy
from backstory.interfaces.documents.archive import (
    ArchivedDocument,
    ArchivedProjectDocument,
    MemoryPolicyDocument,
    VerdictDocument,
)
from backstory.interfaces.documents.memory import MemoryWrittenDocument
from backstory.interfaces.http.bodies import Body
from backstory.interfaces.http.policies import PolicyBody
from backstory.interfaces.http.requests import OpenProject, OpenSession
from backstory.interfaces.http.routes.memory.memories import MemoryId
from backstory.interfaces.http.routing import Routes

routes = Routes("memory")


class SessionToArchive(Body):
    """What is made into memory of a session."""

    title: str | None = Field(default=None, description="The title of the fragment; otherwise one is found.")
    items: list[int] = Field(
        default=[], description="The items of which one fragment is made; without any, all that is left."
    )


class CandidateToDismiss(Body):
    """The reason why a candidate is dismissed."""

    why: str | None = Field(default=None, description="The reason.")
    agent: str | None = Field(default=None, description="The agent whose own memory it is.")


class MemoryPolicyToChoose(Body):
    """A memory policy for a project to go by."""

    policy: PolicyBody = Field(description="The memory policy.")


class CandidateToConfirm(Body):
    """A candidate that is confirmed."""

    agent: str | None = Field(default=None, description="The agent whose own memory it is.")


@routes.post("/sessions/{session}/memory/archive", Action.APPEND, status_code=201, once="kept")
def archive_session(session: OpenSession, body: SessionToArchive) -> ArchivedDocument:
    """Make memories of what none were made of yet: fragments, decisions, lessons, preferences, facts."""
    return ArchivedDocument.model_validate(session.memory.archive(body.title, items=body.items))


@routes.get("/sessions/{session}/memory/should-archive", Action.READ)
def should_archive(session: OpenSession) -> VerdictDocument:
    """Whether what is left of the session would become a fragment by the policy."""
    return VerdictDocument.model_validate(session.memory.should_archive())


@routes.post("/projects/{project}/archive", Action.APPEND, status_code=201, once="kept")
def archive_project(project: OpenProject) -> ArchivedProjectDocument:
    """Make memories of all sessions of the project, as far as none were made of them yet."""
    return ArchivedProjectDocument.of(project.name, project.archive())


@routes.post("/projects/{project}/memories/{memory}/confirm", Action.APPEND)
def confirm_memory(project: OpenProject, memory: MemoryId, body: CandidateToConfirm) -> MemoryWrittenDocument:
    """Make a candidate a memory like any other."""
    version = project.confirm(memory, agent=body.agent)
    return MemoryWrittenDocument(project=project.name, memory=memory, version=version)


@routes.post("/projects/{project}/memories/{memory}/dismiss", Action.APPEND)
def dismiss_memory(project: OpenProject, memory: MemoryId, body: CandidateToDismiss) -> MemoryWrittenDocument:
    """Dismiss a candidate. What it says is not noticed again, unless it is said anew."""
    version = project.dismiss(memory, body.why, agent=body.agent)
    return MemoryWrittenDocument(project=project.name, memory=memory, version=version)


@routes.get("/projects/{project}/policy", Action.READ)
def show_memory_policy(project: OpenProject) -> MemoryPolicyDocument:
    """Show the policy by which sessions become memory."""
    return MemoryPolicyDocument.of(project.policy)


@routes.post("/projects/{project}/choose", Action.OPERATE)
def choose_memory_policy(project: OpenProject, body: MemoryPolicyToChoose) -> MemoryPolicyDocument:
    """Set the policy by which sessions become memory from here on."""
    policy = body.policy.policy(MemoryPolicy)
    project.choose(policy)
    return MemoryPolicyDocument.of(policy)
