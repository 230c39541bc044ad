"""Search: in one session or in all."""

from typing import Annotated

from fastapi import Query

from backstory.domain.access import Action
from backstory.interfaces.documents.search import SearchPageDocument
from backstory.interfaces.http.bodies import Time
from backstory.interfaces.http.requests import CallerStore, OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("search")

Asked = Annotated[str, Query(alias="query", description="A question, or some words.")]
ForAgent = Annotated[str | None, Query(description="Also the private items of this agent.")]
OfTypes = Annotated[list[str], Query(description="Only items of one of these types.")]
Speaker = Annotated[str | None, Query(description="Only what was said by this name or role.")]
Since = Annotated[Time | None, Query(description="Only what occurred at this time or later.")]
Before = Annotated[Time | None, Query(description="Only what occurred before this time.")]
Abandoned = Annotated[bool, Query(description="Also branches that were left.")]
Most = Annotated[int, Query(ge=1, le=100, description="The most hits of a page.")]
After = Annotated[str | None, Query(description="The next page, as `next` of the last one named it.")]


@routes.get("/search", Action.READ, filtered=True)
def search(
    store: CallerStore,
    query: Asked,
    project: Annotated[str | None, Query(description="Only sessions of this project.")] = None,
    agent: ForAgent = None,
    type: OfTypes = [],  # noqa: B006
    speaker: Speaker = None,
    since: Since = None,
    before: Before = None,
    abandoned: Abandoned = False,
    limit: Most = 20,
    after: After = None,
) -> SearchPageDocument:
    """Find items in all sessions and the memory of all projects, best first."""
    page = store.search(
        query,
        project=project,
        agent=agent,
        types=type,
        speaker=speaker,
        since=since,
        before=before,
        abandoned=abandoned,
        limit=limit,
        after=after,
        record=False,
    )
    return SearchPageDocument.model_validate(page)


@routes.get("/sessions/{session}/search", Action.READ)
def search_session(
    session: OpenSession,
    query: Asked,
    agent: ForAgent = None,
    type: OfTypes = [],  # noqa: B006
    speaker: Speaker = None,
    since: Since = None,
    before: Before = None,
    at: Annotated[int | None, Query(ge=1, description="The session as it was at this version.")] = None,
    abandoned: Abandoned = False,
    limit: Most = 20,
    after: After = None,
) -> SearchPageDocument:
    """Find items in a session, best first."""
    page = session.search(
        query,
        agent=agent,
        types=type,
        speaker=speaker,
        since=since,
        before=before,
        at=at,
        abandoned=abandoned,
        limit=limit,
        after=after,
        record=False,
    )
    return SearchPageDocument.model_validate(page)
