"""`backstory mcp` on standard input and output."""

import asyncio
import os
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from backstory.application.store import ContextStore
from tests.cli.conftest import PROGRAM
from tests.mcp.conftest import compact


def test_a_client_starts_it_and_uses_a_tool(store: ContextStore, url: str) -> None:
    session = compact(store)

    async def call() -> Any:
        program = StdioServerParameters(
            command=str(PROGRAM),
            args=["mcp", "--session", str(session.id), "--agent", "coder"],
            env={**os.environ, "BACKSTORY_DATABASE_URL": url},
        )
        async with Client(stdio_client(program)) as client:
            return await client.call_tool("record_decision", {"decision": "Ship on Friday"})

    version = asyncio.run(call()).structured_content["version"]
    (event,) = session.events(after=version - 1)
    assert event.actor == "coder"
