"""Items and decisions: listed, and read with their exact contents."""

from typing import Annotated

from fastapi import Query, Request
from starlette.responses import Response

from backstory.domain.access import Action
from backstory.interfaces.documents.messages import PartDocument
from backstory.interfaces.documents.states import (
    CandidatesDocument,
    DecisionsDocument,
    ItemsDocument,
    NoticedDecisionDocument,
    ProjectDecisionsDocument,
    RecordedDecisionDocument,
)
from backstory.interfaces.documents.views import ItemPartsDocument, TextDocument
from backstory.interfaces.http.contents import CONTENT, content_response
from backstory.interfaces.http.requests import OpenProject, OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("items")

Id = Annotated[int, Query(alias="item", ge=1, description="The item's id.")]
Most = Annotated[int, Query(ge=1, le=1000, description="The most decisions of a page.")]


@routes.get("/sessions/{session}/items/parts", Action.READ)
def item_parts(session: OpenSession, item: Id) -> ItemPartsDocument:
    """Read the parts of an item, with exact bytes, and a message's own fields."""
    return ItemPartsDocument(
        item=item,
        parts=[PartDocument.of(part) for part in session.items.parts(item)],
        metadata=session.items.metadata(item),
    )


@routes.get("/sessions/{session}/items/content", Action.READ, **CONTENT)
def item_content(
    request: Request,
    session: OpenSession,
    item: Id,
    part: Annotated[int, Query(ge=0, description="The place of the part among those of the item.")] = 0,
) -> Response:
    """Read the bytes of one part of an item, under its own media type."""
    return content_response(request, session, item, part)


@routes.get("/sessions/{session}/text", Action.READ)
def item_text(session: OpenSession, item: Id) -> TextDocument:
    """Read the text of an item."""
    return TextDocument(text=session.text(item))


@routes.get("/sessions/{session}/items/text-at", Action.READ, whole=True)
def text_at(
    session: OpenSession,
    version: Annotated[int, Query(ge=1, description="The version of the event that holds it.")],
    part: Annotated[int, Query(ge=0, description="Its number in that event.")],
) -> TextDocument:
    """Read a text that the state names by its place, such as a goal's."""
    return TextDocument(text=session.items.text_at((version, part)))


Before = Annotated[int | None, Query(ge=1, description="The `next` of the page before.")]


@routes.get("/sessions/{session}/decisions", Action.READ)
def decision_items(session: OpenSession, before: Before = None, limit: Most = 50) -> ItemsDocument:
    """List the decisions of the current branch as items, the newest first."""
    found = session.decisions.list(before=before, limit=limit)
    return ItemsDocument.of(found, found[-1].id if len(found) == limit else None, session.state)


@routes.get("/sessions/{session}/decisions/recorded", Action.READ)
def decisions(session: OpenSession, before: Before = None, limit: Most = 50) -> DecisionsDocument:
    """List the decisions of the current branch with their texts, the newest first."""
    found = session.decisions.recorded(before=before, limit=limit)
    return DecisionsDocument(
        decisions=[RecordedDecisionDocument.model_validate(one) for one in found],
        next=found[-1].item if len(found) == limit else None,
    )


@routes.get("/sessions/{session}/decisions/candidates", Action.READ)
def candidates(session: OpenSession) -> CandidatesDocument:
    """List the decisions that were noticed in messages and wait to be confirmed or dismissed."""
    found = session.decisions.candidates()
    return CandidatesDocument(candidates=[NoticedDecisionDocument.model_validate(one) for one in found])


@routes.get("/projects/{project}/decisions", Action.READ)
def project_decisions(
    project: OpenProject,
    limit: Most = 50,
    after: Annotated[str | None, Query(description="The `next` of the page before.")] = None,
) -> ProjectDecisionsDocument:
    """List the decisions of all sessions of a project, the newest first."""
    found = project.decisions(limit=limit, after=after)
    return ProjectDecisionsDocument(
        decisions=[RecordedDecisionDocument.model_validate(one) for one in found],
        next=found[-1].place if len(found) == limit else None,
    )
