"""What items and memories may do: quarantine, suspicions, and the policy of a project."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from backstory.application.safety.session_safety import Safety
from backstory.domain.access import Action
from backstory.interfaces.documents.safety import (
    FlagCountsDocument,
    FlaggedDocument,
    FlaggedItemDocument,
    QuarantinedDocument,
    ReachedDocument,
    SafetyPolicyDocument,
    TakenOutDocument,
)
from backstory.interfaces.http.bodies import Body
from backstory.interfaces.http.requests import OpenProject, OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("safety")

Items = Annotated[list[int], Query(description="The items; may be repeated.")]
Answers = Annotated[
    bool, Query(description="Also what models answered to prompts that showed it, and where that got into.")
]


class ItemsToTakeOut(Body):
    """Items that are put into quarantine together with what was made from them."""

    items: list[int] = Field(description="The items.")
    why: str = Field(description="The reason.")
    answers: bool = Field(
        default=False, description="Also what models answered to prompts that showed one of them."
    )
    dry_run: bool = Field(default=False, description="Write nothing; answer what would be put away.")


@routes.get("/sessions/{session}/safety/reached", Action.READ)
def reached(session: OpenSession, items: Items, answers: Answers = False) -> ReachedDocument:
    """Show where items got into: what was made from them, and the prompts that showed it."""
    return ReachedDocument.model_validate(session.safety.reached(*items, answers=answers))


@routes.post("/sessions/{session}/safety/take-out", Action.OPERATE, whole=True, once="bare")
def take_out(session: OpenSession, body: ItemsToTakeOut) -> TakenOutDocument:
    """Put items and what was made from them into quarantine, in all sessions and projects that have them."""
    return _taken_out(session.safety, body)


@routes.get("/projects/{project}/safety/reached", Action.READ)
def memories_reached(project: OpenProject, items: Items, answers: Answers = False) -> ReachedDocument:
    """Show where memories got into: what was made from them, and the prompts that showed it."""
    return ReachedDocument.model_validate(project.safety.reached(*items, answers=answers))


@routes.post("/projects/{project}/safety/take-out", Action.OPERATE, whole=True, once="bare")
def take_out_memories(project: OpenProject, body: ItemsToTakeOut) -> TakenOutDocument:
    """Put memories and what was made from them into quarantine."""
    return _taken_out(project.safety, body)


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


def _taken_out(safety: Safety, body: ItemsToTakeOut) -> TakenOutDocument:
    more = body.model_dump(exclude={"items"})
    return TakenOutDocument.of(safety.take_out(*body.items, **more))
