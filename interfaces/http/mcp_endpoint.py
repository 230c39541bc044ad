"""The MCP server at /mcp: streamable HTTP, under the keys of the service."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from backstory.application.store import ContextStore
from backstory.interfaces.http.callers import caller_of

PATH = "/mcp"


class McpEndpoint:
    """Answers MCP requests on behalf of their callers."""

    def __init__(self, store: ContextStore) -> None:
        from mcp.server.transport_security import TransportSecuritySettings

        from backstory.interfaces.mcp.door import Door
        from backstory.interfaces.mcp.server import create_server

        server = create_server(Door(store))
        # Each request stands for itself, so that any process of the service may answer it. The host and the origin of a
        # request without a key are checked with its caller.
        self._app = server.streamable_http_app(
            streamable_http_path=PATH,
            stateless_http=True,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        self._sessions = server.session_manager

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answers requests until it is left."""
        async with self._sessions.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        connection.state.caller = await run_in_threadpool(caller_of, connection)
        await self._app(scope, receive, send)


def add_to(app: FastAPI) -> None:
    """Adds the MCP server to the service, where the extra `mcp` is installed."""
    if find_spec("mcp") is None:
        app.state.mcp = None
        return
    app.state.mcp = McpEndpoint(app.state.store)
    app.router.routes.append(Route(PATH, app.state.mcp, name="mcp"))


@asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[None]:
    """Lets the MCP server of the service answer, until it is left."""
    if app.state.mcp is None:
        yield
        return
    async with app.state.mcp.running():
        yield
