"""Calls of models, and the prompts that were recorded for them."""

from typing import Annotated

from fastapi import Query

from backstory.domain.access import Action
from backstory.interfaces.documents.contexts import (
    ModelCallDocument,
    ModelCallsDocument,
    PromptsDocument,
    RecordedPromptDocument,
)
from backstory.interfaces.http.requests import OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("contexts")

Before = Annotated[int | None, Query(ge=1, description="The `next` of the page before.")]
Most = Annotated[int, Query(ge=1, le=1000, description="The most entries of a page.")]


@routes.get("/sessions/{session}/views/model-calls", Action.READ, whole=True)
def model_calls(session: OpenSession, before: Before = None, limit: Most = 50) -> ModelCallsDocument:
    """List the calls of models, the newest first, abandoned branches included."""
    found = session.views.model_calls(before=before, limit=limit)
    return ModelCallsDocument(
        calls=[ModelCallDocument.model_validate(one) for one in found],
        next=found[-1].version if len(found) == limit else None,
    )


@routes.get("/sessions/{session}/views/prompts", Action.READ, whole=True)
def prompts(session: OpenSession, before: Before = None, limit: Most = 50) -> PromptsDocument:
    """List the recorded prompts with their sections and calls, the newest first, abandoned branches included."""
    found = session.views.prompts(before=before, limit=limit)
    return PromptsDocument(
        prompts=[RecordedPromptDocument.model_validate(one) for one in found],
        next=found[-1].version if len(found) == limit else None,
    )
