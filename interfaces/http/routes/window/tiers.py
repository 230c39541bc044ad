"""Tiers: brought up to date, listed, counted, loaded."""

from typing import Annotated, Literal

from fastapi import Query
from pydantic import Field

from backstory.domain.access import Action
from backstory.interfaces.documents.policies import (
    LoadedItemDocument,
    LoadedItemsDocument,
    SessionTiersUpdatedDocument,
    TierCountsDocument,
    TierItemDocument,
    TierItemsDocument,
    TierMoveDocument,
    TiersUpdatedDocument,
    WorkingSetDocument,
)
from backstory.interfaces.http.bodies import Body, Time
from backstory.interfaces.http.requests import CallerStore, OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("tiers")

Tier = Literal["HOT", "WARM", "COLD"]
ForAgent = Annotated[str | None, Query(description="Also the private items of this agent.")]
Live = Annotated[bool, Query(description="Only items in a window; otherwise also stored ones.")]


class TiersToUpdate(Body):
    """The time that tiers are to be right for."""

    as_of: Time | None = Field(default=None, description="The time; otherwise now.")


class ItemsToLoad(Body):
    """The items of a tier, to be loaded."""

    tier: Tier = Field(default="HOT", description="The tier.")
    agent: str | None = Field(default=None, description="Also the private items of this agent.")
    live: bool = Field(default=True, description="Only items in a window; otherwise also stored ones.")
    record: bool = Field(default=True, description="Count an access to each item.")


class WorkingSet(Body):
    """What an agent has of a tier."""

    # Names in JSON are texts, those of items too.
    known: dict[Annotated[int, Field(strict=False)], str] | None = Field(
        default=None,
        description="The digests of what it has, by item; otherwise what the last diff with `keep` recorded.",
    )
    tier: Tier = Field(default="HOT", description="The tier.")
    agent: str | None = Field(default=None, description="The agent; by default the actor.")
    keep: bool = Field(default=False, description="Record what the agent has after it.")


@routes.post("/sessions/{session}/tiers/update", Action.APPEND, once="bare")
def update_session_tiers(session: OpenSession, body: TiersToUpdate) -> SessionTiersUpdatedDocument:
    """Move the items of a session into the tiers of their scores."""
    done = session.tiers.update(body.as_of)
    moves = [TierMoveDocument.model_validate(move) for move in done.moves]
    return SessionTiersUpdatedDocument(
        session=session.id, as_of=done.as_of, version=done.version, moves=moves
    )


@routes.post("/update-tiers", Action.OPERATE, once="bare")
def update_tiers(store: CallerStore, body: TiersToUpdate) -> TiersUpdatedDocument:
    """Move the items of every open session into the tiers of their scores."""
    return TiersUpdatedDocument.model_validate(store.update_tiers(body.as_of))


@routes.get("/sessions/{session}/tiers/items", Action.READ)
def tier_items(
    session: OpenSession,
    tier: Annotated[Tier | None, Query(description="The tier; otherwise all.")] = None,
    agent: ForAgent = None,
    live: Live = True,
) -> TierItemsDocument:
    """List items with their tiers and scores, the highest score first. Not an access."""
    found = session.tiers.weighed(tier, agent=agent, live=live)
    return TierItemsDocument(items=[TierItemDocument.of(item, score) for item, score in found])


@routes.get("/sessions/{session}/tiers/stats", Action.READ)
def tier_stats(session: OpenSession, agent: ForAgent = None) -> TierCountsDocument:
    """Count items and tokens by tier, in a window or stored."""
    counts = session.tiers.stats(agent=agent)
    return TierCountsDocument(session=session.id, agent=agent, **counts._asdict())


@routes.post("/sessions/{session}/tiers/diff", Action.APPEND, once="kept")
def tier_diff(session: OpenSession, body: WorkingSet) -> WorkingSetDocument:
    """List the items to load and unload so that an agent has the contents of a tier. Loading is an access."""
    done = session.tiers.diff(body.known, tier=body.tier, agent=body.agent, keep=body.keep)
    return WorkingSetDocument.model_validate(done)


@routes.post("/sessions/{session}/items/load", Action.APPEND, once="kept")
def load_items(session: OpenSession, body: ItemsToLoad) -> LoadedItemsDocument:
    """Read the items of a tier with their contents, which counts as an access to each."""
    found = session.items.load(body.tier, agent=body.agent, live=body.live, record=body.record)
    return LoadedItemsDocument(items=[LoadedItemDocument.model_validate(one) for one in found])
