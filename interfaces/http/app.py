"""The ASGI application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import compile_path

from backstory.application import __version__
from backstory.application.access.answers import Answers
from backstory.application.jobs.metrics import MetricsRegistry
from backstory.application.jobs.worker import Worker
from backstory.application.operations.readiness import ReadinessCheck
from backstory.application.store import ContextStore
from backstory.application.window.timeline import Timelines
from backstory.interfaces.http import mcp_endpoint
from backstory.interfaces.http.callers import Callers
from backstory.interfaces.http.live import sockets
from backstory.interfaces.http.live.hub import Hub
from backstory.interfaces.http.openapi import describe
from backstory.interfaces.http.problems import answer_problems
from backstory.interfaces.http.routes import ALL_ROUTES
from backstory.interfaces.http.serving.bodies import BodyLimits
from backstory.interfaces.http.serving.calls import Calls
from backstory.interfaces.http.serving.options import ServiceOptions
from backstory.interfaces.http.serving.page import Page
from backstory.interfaces.http.serving.swagger import add_documentation

SMALLEST_ZIPPED = 1_000
ZIP_LEVEL = 4
"""A fifth of the time that the highest level takes, for answers that are a little larger."""


def create_app(store: ContextStore, options: ServiceOptions | None = None) -> FastAPI:
    """The service over a store, which stays open as long as the caller keeps it."""
    options = options or ServiceOptions()
    app = FastAPI(
        title="Backstory",
        version=__version__,
        description="An event-sourced context store for LLM agents.",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=_running,
    )
    app.state.store = store
    app.state.options = options
    app.state.callers = Callers(store, options)
    app.state.answers = None if store is None else Answers(store._runtime)
    app.state.timelines = Timelines()
    app.state.paths = [
        (compile_path(routes.prefix + route.path)[0], route.methods)
        for routes in ALL_ROUTES
        for route in routes.router.routes
        if isinstance(route, APIRoute)
    ]
    answer_problems(app)
    for routes in ALL_ROUTES:
        app.include_router(routes.router, prefix=routes.prefix)
    app.include_router(sockets.router)
    describe(app)
    mcp_endpoint.add_to(app)
    add_documentation(app)
    Page(options.page).add_to(app)
    # The last one added is the first to see a request.
    streamed = [compile_path(path)[0] for routes in ALL_ROUTES for path in routes.streamed]
    app.add_middleware(BodyLimits, longest=options.longest_body, streamed=streamed)
    if options.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(options.origins),
            allow_methods=["*"],
            allow_headers=["*"],
            expose_headers=["*"],
        )
    app.add_middleware(GZipMiddleware, minimum_size=SMALLEST_ZIPPED, compresslevel=ZIP_LEVEL)
    app.add_middleware(Calls, store=store)
    return app


@asynccontextmanager
async def _running(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
    """What runs beside the requests, from the start of the process to its end."""
    store: ContextStore = app.state.store
    app.state.readiness = ReadinessCheck(store)
    app.state.metrics = MetricsRegistry(store)
    app.state.live = Hub(store)
    worker = Worker(store).start() if app.state.options.worker else None
    try:
        async with mcp_endpoint.running(app):
            yield {"ending": app.state.live.stop}
    finally:
        app.state.live.stop()
        if worker is not None:
            await run_in_threadpool(worker.stop)
        app.state.metrics.close()
        app.state.readiness.close()
