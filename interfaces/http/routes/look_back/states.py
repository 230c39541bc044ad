"""States, events and items, now and at any version."""

import base64
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Literal

from fastapi import Query

from backstory.application.branches.diff import diff_states
from backstory.application.queries.history import SessionHistory
from backstory.application.session import Session
from backstory.domain.access import Action
from backstory.domain.fold.evolve import FOLD_VERSION
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW
from backstory.interfaces.documents.events import EventDocument, EventsDocument
from backstory.interfaces.documents.states import (
    DiffDocument,
    ItemFiguresDocument,
    ItemsDocument,
    StateDataDocument,
    StateDocument,
)
from backstory.interfaces.http.bodies import Time
from backstory.interfaces.http.requests import OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("states")

At = Annotated[int | None, Query(description="The version; otherwise the newest.")]
Limit = Annotated[int, Query(ge=1, le=1000, description="The most entries of a page.")]
After = Annotated[int, Query(ge=0, description="The `next` of the page before.")]
Texts = Annotated[bool, Query(description="With their texts.")]


@routes.get("/sessions/{session}/state", Action.READ)
def state(
    session: OpenSession,
    at: At = None,
    item_texts: Annotated[bool, Query(description="With the texts of its items.")] = True,
    items: Annotated[bool, Query(description="With its items.")] = True,
) -> StateDocument:
    """Show the state, now or at a version, with its texts."""
    history = SessionHistory(session)
    item_texts = item_texts and items
    found = history.state(history.newest if at is None else at, None if item_texts else ())
    return StateDocument.of(found, items=items, item_texts=item_texts)


@routes.get("/sessions/{session}/state/data", Action.READ)
def state_data(session: OpenSession, at: At = None) -> StateDataDocument:
    """Read the state as the bytes of a snapshot, without texts."""
    found = session.state if at is None else session.at(at)
    data = base64.b64encode(found.encode()).decode()
    return StateDataDocument(
        session=found.stream, version=found.version, fold_version=FOLD_VERSION, data=data
    )


@routes.get("/sessions/{session}/diff", Action.READ)
def diff(
    session: OpenSession,
    from_version: Annotated[int, Query(description="The first version.")],
    to_version: Annotated[int, Query(description="The second version.")],
) -> DiffDocument:
    """Show the changes between two versions, which may be on different branches."""
    history = SessionHistory(session)
    before, after = history.state(from_version), history.state(to_version)
    return DiffDocument.between(session.id, diff_states(before.state, after.state), before, after)


@routes.get("/sessions/{session}/events", Action.READ, whole=True)
def events(
    session: OpenSession,
    after: Annotated[int, Query(ge=0, description="Only events after this version.")] = 0,
    upto: Annotated[int | None, Query(description="Only events up to this version.")] = None,
    types: Annotated[list[str], Query(description="Only events of one of these types.")] = [],  # noqa: B006
    actor: Annotated[str | None, Query(description="Only events of this actor.")] = None,
    since: Annotated[Time | None, Query(description="Only what occurred then or later.")] = None,
    until: Annotated[Time | None, Query(description="Only what occurred before.")] = None,
    branch: Annotated[bool, Query(description="Only events that lead to the newest version.")] = False,
    version: Annotated[
        list[int], Query(description="Only these versions, at most 100.", max_length=100)
    ] = [],  # noqa: B006
    text_length: Annotated[
        int | None, Query(ge=1, description="The most characters of each text; `size` tells what is missing.")
    ] = None,
    limit: Limit = 100,
) -> EventsDocument:
    """Read the log, oldest first, abandoned branches included."""
    if version:
        found = SessionHistory(session).at(version)
        return EventsDocument(events=[EventDocument.of(entry, text_length) for entry in found], next=None)
    entries = SessionHistory(session).entries(
        after=after, upto=upto, types=types, actor=actor, since=since, until=until, branch=branch
    )
    page = [EventDocument.of(entry, text_length) for entry in islice(entries, limit)]
    more = next(entries, None) is not None
    return EventsDocument(events=page, next=page[-1].version if more else None)


@routes.get("/sessions/{session}/items", Action.READ)
def items(
    session: OpenSession,
    window: Annotated[str | None, Query(description="Only items of this window.")] = None,
    live: Annotated[bool | None, Query(description="Only items in a window, or in none.")] = None,
    type: Annotated[list[str], Query(description="Only items of one of these types.")] = [],  # noqa: B006
    tier: Annotated[
        Literal["HOT", "WARM", "COLD"] | None, Query(description="Only items of this tier.")
    ] = None,
    agent: Annotated[str | None, Query(description="Only items of this agent.")] = None,
    at: Annotated[int | None, Query(ge=1, description="The live items at this version.")] = None,
    texts: Texts = False,
    after: After = 0,
    limit: Limit = 1000,
) -> ItemsDocument:
    """List items of the current branch, also those that have left every window, or the live ones at a version."""
    history, state = SessionHistory(session), session.state if at is None else session.at(at)
    if at is None:
        found = session.items.list(window=window, live=live)
    else:
        found = list(_seen(session, state))
        found = [item for item in found if window is None or window in item.windows]
    found = [
        item
        for item in found
        if item.id > after
        and (not type or item.type in type)
        and tier in (None, item.tier)
        and agent in (None, item.agent)
    ]
    page, more = found[:limit], len(found) > limit
    following = page[-1].id if more else None
    if not texts:
        return ItemsDocument.of(page, following, state)
    readable = history.items(page) if at is None else history.state(at, [item.id for item in page])
    return ItemsDocument.of(page, following, readable.state, readable)


@routes.get("/sessions/{session}/items/figures", Action.READ)
def item_figures(
    session: OpenSession,
    at: At = None,
    window: Annotated[str, Query(description="Only items of this window.")] = MAIN_WINDOW,
) -> ItemFiguresDocument:
    """Show the items of a window in numbers, a row each, now or at a version. For views of thousands of them."""
    state = session.state if at is None else session.at(at)
    return ItemFiguresDocument.of(
        state, window, [item for item in _seen(session, state) if window in item.windows]
    )


def _seen(session: Session, state: ContextState) -> Iterator[Item]:
    """The items of a past state that the actor may see."""
    actor = session._handle.actor
    for item in state.items.values():
        if actor is None or not item.private or item.agent == actor:
            yield item
