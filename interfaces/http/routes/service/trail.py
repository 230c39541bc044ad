"""The trail of calls."""

from typing import Annotated

from fastapi import Query

from backstory.domain.access import Action
from backstory.interfaces.documents.keys import CallDocument, CallsDocument
from backstory.interfaces.http.requests import CallerStore
from backstory.interfaces.http.routing import Routes

routes = Routes("keys")


@routes.get("/keys/calls", Action.ADMIN, whole=True)
def calls(
    store: CallerStore,
    limit: Annotated[int, Query(ge=1, le=1000, description="The most calls to list.")] = 100,
) -> CallsDocument:
    """List the newest calls that were refused to a key or needed the right to operate or administer."""
    return CallsDocument(
        calls=[CallDocument.model_validate(call._asdict()) for call in store.keys.calls(limit)]
    )
