"""The routes, a module for each topic."""

from backstory.interfaces.http.routes import (
    archive,
    contexts,
    memory,
    search,
    sessions,
    states,
    timeline,
    writes,
)
from backstory.interfaces.http.routing import Routes

ALL_ROUTES: tuple[Routes, ...] = (
    sessions.routes,
    writes.routes,
    contexts.routes,
    states.routes,
    timeline.routes,
    search.routes,
    memory.routes,
    archive.routes,
)
