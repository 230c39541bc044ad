"""The routes, a module for each topic."""

from backstory.interfaces.http.routes import (
    contexts,
    health,
    live,
    memory,
    search,
    sessions,
    states,
    trail,
    writes,
)
from backstory.interfaces.http.routing import Routes

ALL_ROUTES: tuple[Routes, ...] = (
    sessions.routes,
    writes.routes,
    contexts.routes,
    states.routes,
    search.routes,
    memory.routes,
    live.routes,
    trail.routes,
    health.routes,
)
