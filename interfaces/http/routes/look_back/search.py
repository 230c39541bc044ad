"""Search: in one session or in all."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from backstory.application.search.search import MOST_HITS
from backstory.domain.access import Action
from backstory.interfaces.documents.search import SearchPageDocument
from backstory.interfaces.http.bodies import Body, Time
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
Quarantined = Annotated[bool, Query(description="Also what is in quarantine.")]
Most = Annotated[int, Query(ge=1, le=MOST_HITS, description="The most hits of a page.")]
After = Annotated[str | None, Query(description="The next page, as `next` of the last one named it.")]


@routes.get("/search", Action.READ, filtered=True)
def search(
    store: CallerStore,
    query: Asked,
    project: Annotated[str | None, Query(description="Only sessions of this project.")] = None,
    session: Annotated[list[str] | None, Query(description="Only these sessions.")] = None,
    agent: ForAgent = None,
    type: OfTypes = [],  # noqa: B006
    speaker: Speaker = None,
    since: Since = None,
    before: Before = None,
    abandoned: Abandoned = False,
    quarantined: Quarantined = False,
    limit: Most = 20,
    after: After = None,
) -> SearchPageDocument:
    """Find items in all sessions and the memory of all projects, best first."""
    page = store.search(
        query,
        project=project,
        sessions=session,
        agent=agent,
        types=type,
        speaker=speaker,
        since=since,
        before=before,
        abandoned=abandoned,
        quarantined=quarantined,
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
    quarantined: Quarantined = False,
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
        quarantined=quarantined,
        limit=limit,
        after=after,
        record=False,
    )
    return SearchPageDocument.model_validate(page)


class SessionSearch(Body):
    """A search whose hits count as accessed."""

    query: str = Field(description="A question, or some words.")
    agent: str | None = Field(default=None, description="Also the private items of this agent.")
    types: list[str] = Field(default=[], description="Only items of one of these types.")
    speaker: str | None = Field(default=None, description="Only what was said by this name or role.")
    since: Time | None = Field(default=None, description="Only what occurred then or later.")
    before: Time | None = Field(default=None, description="Only what occurred before.")
    abandoned: bool = Field(default=False, description="Also branches that were left.")
    quarantined: bool = Field(default=False, description="Also what is in quarantine.")
    limit: int = Field(default=20, description="The most hits of a page.")
    after: str | None = Field(default=None, description="The next page, as `next` of the last one named it.")


class StoreSearch(SessionSearch):
    """A search in all sessions whose hits count as accessed."""

    project: str | None = Field(default=None, description="Only sessions of this project.")
    sessions: list[str] | None = Field(default=None, description="Only these sessions.")


class SessionSearchThen(SessionSearch):
    """A search in one session whose hits count as accessed."""

    at: int | None = Field(default=None, description="The session as it was at this version.")


@routes.post("/search", Action.APPEND, filtered=True)
def search_and_record(store: CallerStore, body: StoreSearch) -> SearchPageDocument:
    """Find items in all sessions as an agent does: what is found was accessed."""
    return SearchPageDocument.model_validate(store.search(**body.model_dump()))


@routes.post("/sessions/{session}/search", Action.APPEND)
def search_session_and_record(session: OpenSession, body: SessionSearchThen) -> SearchPageDocument:
    """Find items in a session as an agent does: what is found was accessed."""
    return SearchPageDocument.model_validate(session.search(**body.model_dump()))
