"""The routes, a module for each topic."""

from backstory.interfaces.http.routes import memory, search, sessions
from backstory.interfaces.http.routing import Routes

ALL_ROUTES: tuple[Routes, ...] = (sessions.routes, search.routes, memory.routes)
