"""The memory of a project as a stream: its log, its state, its proofs, and what its memories may do."""

import base64
from itertools import islice
from typing import Annotated

from fastapi import Query
from pydantic import Field

from backstory.domain.access import Action
from backstory.domain.fold.evolve import FOLD_VERSION
from backstory.domain.policies.safety import SafetyPolicy
from backstory.interfaces.documents.events import ProjectEventsDocument, RecordedEventDocument
from backstory.interfaces.documents.integrity import VerificationDocument
from backstory.interfaces.documents.memory import ProjectVersionDocument, ProjectWrittenDocument
from backstory.interfaces.documents.states import StateDataDocument
from backstory.interfaces.http.bodies import Body
from backstory.interfaces.http.policies import PolicyBody
from backstory.interfaces.http.requests import OpenProject, kept_hashes
from backstory.interfaces.http.routes.record.writes import KEPT
from backstory.interfaces.http.routing import Routes
from backstory.interfaces.http.verbs import PROJECT, Verb

routes = Routes("projects")


@routes.get("/projects/{project}/version", Action.READ)
def project_version(project: OpenProject) -> ProjectVersionDocument:
    """Read the newest version of a project's memory."""
    return ProjectVersionDocument(project=project.name, id=project.id, version=project.version)


@routes.get("/projects/{project}/state/data", Action.READ, whole=True)
def project_state_data(
    project: OpenProject,
    at: Annotated[int | None, Query(ge=1, description="The version; otherwise the newest.")] = None,
) -> StateDataDocument:
    """Read the state of a project's memory as the bytes of a snapshot, without texts."""
    found = project.state if at is None else project.at(at)
    data = base64.b64encode(found.encode()).decode()
    return StateDataDocument(
        session=found.stream, version=found.version, fold_version=FOLD_VERSION, data=data
    )


@routes.get("/projects/{project}/events", Action.READ, whole=True)
def project_events(
    project: OpenProject,
    after: Annotated[int, Query(ge=0, description="Only events after this version.")] = 0,
    types: Annotated[list[str], Query(description="Only events of one of these types.")] = [],  # noqa: B006
    limit: Annotated[int, Query(ge=1, le=1000, description="The most events of a page.")] = 100,
) -> ProjectEventsDocument:
    """Read the log of a project's memory, oldest first, without contents."""
    found = project.events(after=after, types=types)
    page = [RecordedEventDocument.recorded(event) for event in islice(found, limit)]
    more = next(found, None) is not None
    return ProjectEventsDocument(events=page, next=page[-1].version if more else None)


@routes.get("/projects/{project}/verify", Action.READ, whole=True)
def verify_project(
    project: OpenProject,
    anchor: Annotated[
        list[str], Query(description="A version and the hash it had, as `VERSION:HASH`; may be repeated.")
    ] = [],  # noqa: B006
) -> VerificationDocument:
    """Check that the record of a project's memory is intact. The answer says what is not."""
    return VerificationDocument.model_validate(project.verify(anchors=kept_hashes(anchor)))


class SafetyToChoose(Body):
    """Rules for suspicious texts."""

    policy: PolicyBody = Field(description="The safety policy.")


@routes.post("/projects/{project}/safety/choose", Action.OPERATE, status_code=201)
def choose_safety(project: OpenProject, body: SafetyToChoose) -> ProjectWrittenDocument:
    """Set what is done from here on with suspicious texts, in the project's memory and in its sessions."""
    version = project.safety.choose(body.policy.policy(SafetyPolicy))
    return ProjectWrittenDocument(project=project.name, version=version)


def _add(verb: Verb) -> None:
    def write(project: OpenProject, body: verb.body) -> ProjectWrittenDocument:  # type: ignore[name-defined]
        return ProjectWrittenDocument(project=project.name, version=verb.apply(project, body))

    write.__name__, write.__doc__ = f"project_{verb.operation}", verb.method.__doc__
    once = "bare" if verb.name in KEPT else None
    routes.post(f"/projects/{{project}}/{verb.path}", Action.APPEND, status_code=201, once=once)(write)


for _verb in PROJECT:
    _add(_verb)
