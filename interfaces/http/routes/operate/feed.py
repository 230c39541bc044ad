"""The feed of all sessions, its consumers, and what is counted from it."""

from itertools import islice
from typing import Annotated

from fastapi import Query
from pydantic import Field

from backstory.application.feed.projection_runner import ProjectionRunner
from backstory.application.jobs.projections import hosted_projections
from backstory.domain.access import Action
from backstory.interfaces.documents.events import FeedEventDocument, FeedEventsDocument, FeedStatusDocument
from backstory.interfaces.documents.projections import (
    ActivitiesDocument,
    ActivityDocument,
    FeedProjectionRebuiltDocument,
    ProjectionDocument,
    ProjectionsCheckedDocument,
    ProjectionsDocument,
    ProjectionsRebuiltDocument,
    RetriedDocument,
    SetAsideDocument,
    SetAsidesDocument,
)
from backstory.interfaces.http.bodies import Body, Day, Time
from backstory.interfaces.http.requests import CallerStore
from backstory.interfaces.http.routing import Routes

routes = Routes("feed")


@routes.get("/feed", Action.READ, filtered=True, whole=True)
def feed(
    store: CallerStore,
    after: Annotated[int, Query(ge=0, description="Only events behind this position.")] = 0,
    types: Annotated[list[str], Query(description="Only events of one of these types.")] = [],  # noqa: B006
    project: Annotated[str | None, Query(description="Only events of this project.")] = None,
    actor: Annotated[str | None, Query(description="Only events of this actor.")] = None,
    since: Annotated[Time | None, Query(description="Only what occurred then or later.")] = None,
    until: Annotated[Time | None, Query(description="Only what occurred before.")] = None,
    contents: Annotated[bool, Query(description="With their texts and other contents.")] = False,
    limit: Annotated[int, Query(ge=1, le=1000, description="The most events of a page.")] = 100,
) -> FeedEventsDocument:
    """Read the events of all sessions in one order that never changes, behind a position."""
    with store.feed(
        after=after,
        types=types,
        project=project,
        actor=actor,
        since=since,
        until=until,
        contents=contents,
    ) as found:
        page = list(islice(found, limit))
        position = page[-1].position if len(page) == limit else found.position
    return FeedEventsDocument(
        events=[FeedEventDocument.of(one, contents=contents) for one in page], position=position
    )


@routes.get("/feed-status", Action.OPERATE)
def feed_status(store: CallerStore) -> FeedStatusDocument:
    """Show how far the feed and its consumers are."""
    return FeedStatusDocument.model_validate(store.feed_status())


@routes.get("/activity", Action.READ, filtered=True)
def activity(
    store: CallerStore,
    since: Annotated[Day | None, Query(description="The first day.")] = None,
    before: Annotated[Day | None, Query(description="The day after the last.")] = None,
    project: Annotated[str | None, Query(description="Only this project.")] = None,
) -> ActivitiesDocument:
    """Count events, tokens and costs by day and project, the newest day first."""
    found = store.activity(since=since, before=before, project=project)
    return ActivitiesDocument(days=[ActivityDocument.model_validate(one) for one in found])


@routes.get("/projections", Action.OPERATE)
def projections(store: CallerStore) -> ProjectionsDocument:
    """List the read models, and the progress of those that follow the feed."""
    return ProjectionsDocument(
        projections=[ProjectionDocument.model_validate(one) for one in store.projections()]
    )


@routes.get("/set-aside", Action.OPERATE)
def set_aside(
    store: CallerStore,
    projection: Annotated[str | None, Query(description="Only those of this projection.")] = None,
) -> SetAsidesDocument:
    """List the events that a projection of the feed could not apply."""
    return SetAsidesDocument(
        events=[SetAsideDocument.model_validate(one) for one in store.set_aside(projection)]
    )


Sessions = Annotated[list[str], Query(description="Only these sessions; otherwise all.")]


@routes.get("/check-projections", Action.OPERATE)
def check_projections(store: CallerStore, sessions: Sessions = []) -> ProjectionsCheckedDocument:  # noqa: B006
    """Compare the read models with the log. The answer names what differs."""
    return ProjectionsCheckedDocument.model_validate(store.check_projections(sessions or None))


class ReadModelsToRebuild(Body):
    """Read models to rebuild."""

    sessions: list[str] | None = Field(default=None, description="Only of these sessions; otherwise of all.")
    afresh: bool = Field(default=False, description="Start over, even if an earlier run was interrupted.")


@routes.post("/rebuild-projections", Action.OPERATE, once="bare")
def rebuild_projections(store: CallerStore, body: ReadModelsToRebuild) -> ProjectionsRebuiltDocument:
    """Rebuild the read models from the log, and show what differed."""
    return ProjectionsRebuiltDocument.model_validate(
        store.rebuild_projections(body.sessions, afresh=body.afresh)
    )


class FeedProjection(Body):
    """A projection of the feed."""

    projection: str = Field(description="The projection.")


@routes.post("/projections/retry", Action.OPERATE, once="bare")
def retry_set_aside(store: CallerStore, body: FeedProjection) -> RetriedDocument:
    """Apply again the events that a projection of the feed had set aside."""
    done = ProjectionRunner(store, hosted_projections(store)).retry(body.projection)
    return RetriedDocument.of(body.projection, done)


@routes.post("/projections/rebuild", Action.OPERATE, once="bare")
def rebuild_feed_projection(store: CallerStore, body: FeedProjection) -> FeedProjectionRebuiltDocument:
    """Empty a projection of the feed and fill it again."""
    position = ProjectionRunner(store, hosted_projections(store)).rebuild(body.projection)
    return FeedProjectionRebuiltDocument(projection=body.projection, position=position)
