"""The routes, a module for each topic."""

from backstory.interfaces.http.routes.look_back import items, search, states, timeline, views
from backstory.interfaces.http.routes.memory import archive, memories, safety
from backstory.interfaces.http.routes.record import appends, branches, sessions, writes
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
    archive.routes,
    safety.routes,
)
