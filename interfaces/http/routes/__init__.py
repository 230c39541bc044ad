"""The routes, a module for each topic."""

from backstory.interfaces.http.routes import agents
from backstory.interfaces.http.routes.look_back import items, search, states, timeline, views
from backstory.interfaces.http.routes.memory import (
    archive,
    artifacts,
    memories,
    projects,
    safety,
    triggers,
)
from backstory.interfaces.http.routes.operate import feed, jobs, keys, transfer
from backstory.interfaces.http.routes.record import appends, branches, sessions, writes
from backstory.interfaces.http.routes.service import health, live, trail
from backstory.interfaces.http.routes.tasks import contexts as task_contexts
from backstory.interfaces.http.routes.window import calls, checkpoints, contexts, tiers, windows
from backstory.interfaces.http.routing import Routes

ALL_ROUTES: tuple[Routes, ...] = (
    sessions.routes,
    writes.routes,
    appends.routes,
    branches.routes,
    contexts.routes,
    calls.routes,
    windows.routes,
    checkpoints.routes,
    tiers.routes,
    states.routes,
    items.routes,
    views.routes,
    timeline.routes,
    search.routes,
    memories.routes,
    artifacts.routes,
    triggers.routes,
    projects.routes,
    safety.routes,
    task_contexts.routes,
    # A project's name may have slashes, so what ends alike and is longer comes first.
    archive.routes,
    agents.routes,
    feed.routes,
    jobs.routes,
    keys.routes,
    transfer.routes,
    live.routes,
    trail.routes,
    health.routes,
)
