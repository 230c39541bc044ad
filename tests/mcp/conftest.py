"""Clients of the MCP server: in this process, over HTTP with a key, on a client of the service."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.interfaces.client.opening import connect
from backstory.interfaces.mcp.door import Door
from backstory.interfaces.mcp.server import create_server
from tests.serving import served


@dataclass
class Asking:
    """Calls tools and reads resources, each on a connection of its own."""

    server: Any
    key: str | None = None

    def tool(self, name: str, **arguments: Any) -> Any:
        """The structured result of a tool, or its text."""
        result = self.raw(name, **arguments)
        assert not result.is_error, result.content[0].text
        return result.structured_content or result.content[0].text

    def refused(self, name: str, **arguments: Any) -> str:
        """The error of a tool."""
        result = self.raw(name, **arguments)
        assert result.is_error
        return str(result.content[0].text)

    def raw(self, name: str, **arguments: Any) -> Any:
        return self.do(lambda client: client.call_tool(name, arguments))

    def read(self, address: str) -> str:
        """The text of a resource."""
        return str(self.do(lambda client: client.read_resource(address)).contents[0].text)

    def read_refused(self, address: str) -> str:
        """The error of a resource."""

        async def read(client: Client) -> str:
            with pytest.raises(MCPError) as refused:
                await client.read_resource(address)
            return str(refused.value)

        return str(self.do(read))

    def do(self, what: Callable[[Client], Any]) -> Any:
        return asyncio.run(self._do(what))

    async def _do(self, what: Callable[[Client], Any]) -> Any:
        if self.key is None:
            async with Client(self.server) as client:
                return await what(client)
        headers = {"Authorization": f"Bearer {self.key}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(self.server, http_client=http)) as client,
        ):
            return await what(client)


@pytest.fixture
def ask(store: ContextStore) -> Asking:
    """Asks a server in this process."""
    return Asking(create_server(Door(store)))


@pytest.fixture
def address(own_store: ContextStore) -> Iterator[str]:
    """Where a service over a database of the test's own answers MCP."""
    with served(own_store, lifespan="on") as url:
        yield f"{url}/mcp"


@pytest.fixture
def remote(own_store: ContextStore) -> Iterator[ContextStore]:
    """A client of a service, as a store."""
    with served(own_store) as url, connect(url) as client:
        yield client


@pytest.fixture
def compacted(store: ContextStore) -> Session:
    """A session whose early messages a compaction summed up."""
    return compact(store)


def compact(store: ContextStore) -> Session:
    """Records a session and compacts it."""
    session = store.start(title="Sign in", project="shop", limit=4_000)
    session.message("Let people sign in with a token.")
    session.message("Never log the refresh token, not even its first characters.")
    call = session.tool_call("read_file", {"path": "auth/tokens.py"}, call_id="call-1")
    assert call
    session.tool_result("call-1", "def rotate(token):\n    return sign(token, ttl=3600)\n" * 20)
    for number in range(30):
        said = f"Step {number}: the access token is checked in middleware number {number}. "
        session.message(said * 4, role="agent")
    session.message("Now write the tests.")
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    assert done.summarized
    return session
