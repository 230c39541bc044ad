"""The endpoints of the CodeFRAME document: what one agent keeps, by tier.

An agent has a home session in each project, and one outside of all: its id follows from the project and the agent, and
it is started when it is first written to. `session` picks another one."""

from typing import Annotated, Literal
from uuid import UUID, uuid5

from fastapi import Path, Query
from pydantic import Field

from backstory.application.store import ContextStore
from backstory.application.tiers.agents import ContextAgent
from backstory.domain.access import Action, Caller
from backstory.domain.errors import UnknownSession
from backstory.domain.records import Item
from backstory.interfaces.documents.agents import (
    AgentCheckpointDocument,
    AgentCheckpointsDocument,
    AgentContextDiffDocument,
    AgentContextDocument,
    AgentFlashSaveDocument,
    AgentItemDocument,
    AgentItemSavedDocument,
    AgentStatsDocument,
    AgentTiersDocument,
)
from backstory.interfaces.http.bodies import Body
from backstory.interfaces.http.requests import Asking, CallerStore, OnceKey
from backstory.interfaces.http.routing import Routes

routes = Routes("agents", prefix="/api")

HOMES = UUID("5b7c3d0e-1c38-5f0b-8c6c-6a1f3d1a7a55")
"""The namespace of the ids of home sessions."""

AgentId = Annotated[str, Path(min_length=1, max_length=200, description="The agent.")]
InProject = Annotated[
    str | None,
    Query(
        min_length=1,
        description="The project of its home session; by default the only one of the key, or none.",
    ),
]
InSession = Annotated[
    str | None, Query(min_length=1, description="Another session, in place of the agent's home.")
]
Tier = Literal["HOT", "WARM", "COLD"]


def home_id(project: str | None, agent: str) -> UUID:
    """The id of an agent's home session in a project."""
    return uuid5(HOMES, f"{len(agent)}:{agent}:{'' if project is None else f'in {project}'}")


class ItemToSave(Body):
    """An item to save."""

    item_type: str = Field(description="TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION, or another type.")
    content: str = Field(description="Its text.")
    importance_score: float | None = Field(
        default=None, description="Its importance, 0 to 1; by default that of its type."
    )


class Nothing(Body):
    """An empty object."""


class KnownItems(Body):
    """What the agent has."""

    known: dict[int, str] | None = Field(
        default=None,
        strict=False,
        description="The digests of what it has, by item; otherwise what the last diff with `keep` recorded.",
    )
    tier: Tier = Field(default="HOT", description="The tier.")
    keep: bool = Field(default=False, description="Record what the agent has after it.")


@routes.post("/agents/{agent_id}/context/save", Action.APPEND, filtered=True)
def agent_save(
    store: CallerStore,
    caller: Asking,
    key: OnceKey,
    agent_id: AgentId,
    body: ItemToSave,
    project: InProject = None,
    session: InSession = None,
) -> AgentItemSavedDocument:
    """Save an item that only the agent sees."""
    agent = _written(store, caller, agent_id, project, session, key)
    item = agent.save_context_item(body.item_type, body.content, body.importance_score)
    return AgentItemSavedDocument(item_id=item, tier=_item(agent, item).tier)


@routes.get("/agents/{agent_id}/context", Action.READ, filtered=True)
def agent_context(
    store: CallerStore,
    caller: Asking,
    agent_id: AgentId,
    tier: Annotated[Tier, Query(description="The tier.")] = "HOT",
    record: Annotated[
        bool, Query(description="Count an access to each item, where the key may append.")
    ] = True,
    project: InProject = None,
    session: InSession = None,
) -> AgentContextDocument:
    """Load the items of a tier."""
    agent = _read(store, caller, agent_id, project, session)
    if agent is None:
        return AgentContextDocument(items=[])
    found = agent.load_context(tier, record=record and caller.action.includes(Action.APPEND))
    return AgentContextDocument(items=[AgentItemDocument.of(item) for item in found])


@routes.post("/agents/{agent_id}/context/flash-save", Action.APPEND, filtered=True, once="bare")
def agent_flash_save(
    store: CallerStore,
    caller: Asking,
    key: OnceKey,
    agent_id: AgentId,
    body: Nothing,
    project: InProject = None,
    session: InSession = None,
) -> AgentFlashSaveDocument:
    """Take a checkpoint and clear the agent's items but for HOT ones."""
    done = _written(store, caller, agent_id, project, session, key).flash_save()
    return AgentFlashSaveDocument.model_validate(done)


@routes.get("/agents/{agent_id}/context/stats", Action.READ, filtered=True)
def agent_stats(
    store: CallerStore,
    caller: Asking,
    agent_id: AgentId,
    project: InProject = None,
    session: InSession = None,
) -> AgentStatsDocument:
    """Count the items that the agent sees, by tier."""
    agent = _read(store, caller, agent_id, project, session)
    if agent is None:
        return AgentStatsDocument(total_items=0, hot_count=0, warm_count=0, cold_count=0, total_tokens=0)
    counts = agent.context_stats()
    return AgentStatsDocument(
        total_items=counts.total_items,
        hot_count=counts.hot_count,
        warm_count=counts.warm_count,
        cold_count=counts.cold_count,
        total_tokens=counts.total_tokens,
    )


@routes.post("/agents/{agent_id}/context/update-tiers", Action.APPEND, filtered=True, once="bare")
def agent_update_tiers(
    store: CallerStore,
    caller: Asking,
    agent_id: AgentId,
    body: Nothing,
    project: InProject = None,
    session: InSession = None,
) -> AgentTiersDocument:
    """Score the items that are due, and move each to its tier."""
    done = _written(store, caller, agent_id, project, session, None).update_tiers()
    return AgentTiersDocument.model_validate(done)


@routes.post("/agents/{agent_id}/context/diff", Action.APPEND, filtered=True, once="kept")
def agent_diff(
    store: CallerStore,
    caller: Asking,
    agent_id: AgentId,
    body: KnownItems,
    project: InProject = None,
    session: InSession = None,
) -> AgentContextDiffDocument:
    """List the items to load and unload so that the agent has the contents of a tier. Loading is an access."""
    agent = _written(store, caller, agent_id, project, session, None)
    done = agent.context_diff(body.known, body.tier, keep=body.keep)
    return AgentContextDiffDocument(
        load=[AgentItemDocument.of(item) for item in done.load], unload=list(done.unload), digest=done.digest
    )


@routes.get("/agents/{agent_id}/context/checkpoints", Action.READ, filtered=True)
def agent_checkpoints(
    store: CallerStore,
    caller: Asking,
    agent_id: AgentId,
    project: InProject = None,
    session: InSession = None,
) -> AgentCheckpointsDocument:
    """List the checkpoints of the agent's session."""
    agent = _read(store, caller, agent_id, project, session)
    found = [] if agent is None else agent._session.checkpoints.list()
    return AgentCheckpointsDocument(checkpoints=[AgentCheckpointDocument.of(one) for one in found])


def _written(
    store: ContextStore, caller: Caller, agent: str, project: str | None, session: str | None, key: str | None
) -> ContextAgent:
    """The agent in its session, which is started if it is its home and is not there yet."""
    if session is not None:
        opened = store.session(session)
    else:
        project = _project(caller, project)
        home = home_id(project, agent)
        opened = store.start(home, title=f"{agent}'s context", project=project, actor=agent)
    return (opened if key is None else opened.once(key)).agent(agent)


def _read(
    store: ContextStore, caller: Caller, agent: str, project: str | None, session: str | None
) -> ContextAgent | None:
    """The agent in its session; None where its home was not started yet."""
    if session is not None:
        return store.session(session).agent(agent)
    try:
        return store.session(home_id(_project(caller, project), agent)).agent(agent)
    except UnknownSession:
        store._runtime.agent(agent)
        return None


def _project(caller: Caller, project: str | None) -> str | None:
    if project is None and caller.projects is not None and len(caller.projects) == 1:
        return next(iter(caller.projects))
    return project


def _item(agent: ContextAgent, id: int) -> Item:
    return next(item for item in agent._session.items.list() if item.id == id)
