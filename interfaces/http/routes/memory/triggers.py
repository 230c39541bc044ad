"""Triggers: configured for a project, fired in its sessions."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from backstory.domain.access import Action
from backstory.domain.triggers.values import DEFAULT_TRIGGERS, Trigger, as_document
from backstory.interfaces.documents.memory import ProjectWrittenDocument
from backstory.interfaces.documents.triggers import (
    DryRunDocument,
    FiredDocument,
    FiredTriggersDocument,
    TriggerDocument,
    TriggerHistoryDocument,
    TriggerRecordDocument,
    TriggersDocument,
    WouldFireDocument,
)
from backstory.interfaces.http.bodies import Body
from backstory.interfaces.http.requests import OpenProject, OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("triggers")

Most = Annotated[int, Query(ge=1, le=1000, description="The most firings.")]


class TriggerBody(Body):
    """A trigger."""

    name: str = Field(description="Its name.")
    enabled: bool = Field(default=True, description="Whether it fires.")
    condition: str = Field(description="An expression over the change.")
    actions: list[str] = Field(description="What is done when it fires, in order.")


class TriggersToSet(Body):
    """Triggers for a project."""

    triggers: list[TriggerBody] | None = Field(
        default=None, description="The triggers; otherwise the six of the context management document."
    )


class TriggersToCheck(Body):
    """Triggers to check."""

    triggers: list[TriggerBody] = Field(description="The triggers.")


class TriggersToTry(Body):
    """Triggers to try on recorded sessions."""

    triggers: list[TriggerBody] | None = Field(
        default=None, description="The triggers; otherwise those of the project."
    )
    limit: int = Field(default=100, description="The most changes.")


class ChangesToLookAt(Body):
    """The changes whose triggers are fired."""

    after: int = Field(default=0, description="Only changes after this version.")


@routes.get("/projects/{project}/triggers", Action.READ)
def list_triggers(project: OpenProject) -> TriggersDocument:
    """List a project's triggers."""
    return _triggers(project.triggers.list())


@routes.post("/projects/{project}/triggers/set", Action.OPERATE, status_code=201)
def set_triggers(project: OpenProject, body: TriggersToSet) -> ProjectWrittenDocument:
    """Set a project's triggers, in place of those before."""
    given = DEFAULT_TRIGGERS if body.triggers is None else _given(body.triggers)
    return ProjectWrittenDocument(project=project.name, version=project.triggers.set(given))


@routes.post("/projects/{project}/triggers/check", Action.READ)
def check_triggers(project: OpenProject, body: TriggersToCheck) -> TriggersDocument:
    """Check triggers without setting them."""
    return _triggers(project.triggers.check(_given(body.triggers)))


@routes.post("/projects/{project}/triggers/dry-run", Action.READ, whole=True)
def dry_run_triggers(project: OpenProject, body: TriggersToTry) -> DryRunDocument:
    """Tell which changes in recorded sessions would have set triggers off."""
    given = None if body.triggers is None else _given(body.triggers)
    found = project.triggers.dry_run(given, limit=body.limit)
    return DryRunDocument(would_fire=[WouldFireDocument.model_validate(one) for one in found])


@routes.get("/projects/{project}/triggers/history", Action.READ, whole=True)
def project_trigger_history(project: OpenProject, limit: Most = 50) -> TriggerHistoryDocument:
    """List the firings in a project's sessions."""
    found = project.triggers.history(limit=limit)
    return TriggerHistoryDocument(history=[TriggerRecordDocument.model_validate(one) for one in found])


@routes.post("/sessions/{session}/triggers/run", Action.APPEND, whole=True)
def run_triggers(session: OpenSession, body: ChangesToLookAt) -> FiredTriggersDocument:
    """Fire what a session's changes set off and nobody has fired yet."""
    found = session.triggers.run(after=body.after)
    return FiredTriggersDocument(fired=[FiredDocument.model_validate(one) for one in found])


@routes.get("/sessions/{session}/triggers/history", Action.READ, whole=True)
def trigger_history(session: OpenSession) -> TriggerHistoryDocument:
    """List the firings in a session."""
    found = session.triggers.history()
    return TriggerHistoryDocument(history=[TriggerRecordDocument.model_validate(one) for one in found])


def _given(triggers: list[TriggerBody]) -> list[dict[str, object]]:
    return [one.model_dump() for one in triggers]


def _triggers(triggers: list[Trigger]) -> TriggersDocument:
    return TriggersDocument(refresh_triggers=[TriggerDocument(**as_document(one)) for one in triggers])
