"""The ASGI application."""

from fastapi import FastAPI

from backstory.application import __version__
from backstory.application.store import ContextStore
from backstory.application.window.timeline import Timelines
from backstory.interfaces.http.openapi import describe
from backstory.interfaces.http.problems import answer_problems
from backstory.interfaces.http.routes import ALL_ROUTES


def create_app(store: ContextStore) -> FastAPI:
    """The service over a store, which stays open as long as the caller keeps it."""
    app = FastAPI(
        title="Backstory",
        version=__version__,
        description="An event-sourced context store for LLM agents.",
        redoc_url=None,
    )
    app.state.store = store
    app.state.timelines = Timelines()
    answer_problems(app)
    for routes in ALL_ROUTES:
        app.include_router(routes.router, prefix=routes.prefix)
    describe(app)
    return app
