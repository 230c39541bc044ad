"""What items and memories may do: quarantine, suspicions, and the policy of a project."""

from backstory.application.safety.session_safety import Safety
from backstory.domain.access import Action
from backstory.interfaces.documents.safety import (
    FlagCountsDocument,
    FlaggedDocument,
    FlaggedItemDocument,
    QuarantinedDocument,
    SafetyPolicyDocument,
)
from backstory.interfaces.http.requests import OpenProject, OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("safety")


@routes.get("/sessions/{session}/safety/quarantined", Action.READ)
def quarantined(session: OpenSession) -> QuarantinedDocument:
    """List the items in quarantine."""
    return QuarantinedDocument(items=session.safety.quarantined())


@routes.get("/sessions/{session}/safety/flagged", Action.READ)
def flagged(session: OpenSession) -> FlaggedDocument:
    """List the items whose text raised a suspicion, the newest first."""
    return _flagged(session.safety)


@routes.get("/sessions/{session}/safety/counts", Action.READ)
def flag_counts(session: OpenSession) -> FlagCountsDocument:
    """Count the items by flag."""
    return FlagCountsDocument(flags=session.safety.counts())


@routes.get("/sessions/{session}/safety/policy", Action.READ)
def safety_policy(session: OpenSession) -> SafetyPolicyDocument:
    """Show what is done with suspicious texts."""
    return SafetyPolicyDocument.of(session.safety.policy)


@routes.get("/projects/{project}/safety/quarantined", Action.READ)
def quarantined_memories(project: OpenProject) -> QuarantinedDocument:
    """List the memories in quarantine."""
    return QuarantinedDocument(items=project.safety.quarantined())


@routes.get("/projects/{project}/safety/flagged", Action.READ)
def flagged_memories(project: OpenProject) -> FlaggedDocument:
    """List the memories whose text raised a suspicion, the newest first."""
    return _flagged(project.safety)


@routes.get("/projects/{project}/safety/counts", Action.READ)
def project_flag_counts(project: OpenProject) -> FlagCountsDocument:
    """Count the memories and the items of a project's sessions by flag."""
    return FlagCountsDocument(flags=project.safety.counts())


@routes.get("/projects/{project}/safety/policy", Action.READ)
def project_safety_policy(project: OpenProject) -> SafetyPolicyDocument:
    """Show what is done with suspicious texts in a project."""
    return SafetyPolicyDocument.of(project.safety.policy)


def _flagged(safety: Safety) -> FlaggedDocument:
    return FlaggedDocument(items=[FlaggedItemDocument.of(one) for one in safety.flagged()])
