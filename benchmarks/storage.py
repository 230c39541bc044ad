"""What stores keep of a conversation that several write at once, and the room that a conversation takes on disk.

Every writer adds its messages to one conversation, as each store's documentation shows it for one writer. What was
refused with an error is not counted as lost.
"""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack

import psycopg

from benchmarks.goals import Row
from benchmarks.messages import LENGTH, MESSAGES
from benchmarks.peers.backstory_store import backstory_store
from benchmarks.peers.conversation import Conversation, Open
from benchmarks.peers.google_adk_store import adk_store
from benchmarks.peers.langgraph_store import langgraph_store
from benchmarks.peers.openai_agents_store import agents_store
from benchmarks.server import empty_database, fresh_database

WRITERS, EACH = 8, 50
MEASURED = 1_000
"""The messages of the conversation whose size is measured."""
OURS = "Backstory"
BLOCKING: dict[str, Open] = {OURS: backstory_store, "LangGraph PostgresSaver": langgraph_store}
ASYNC: dict[str, Open] = {
    "OpenAI Agents SQLAlchemySession": agents_store,
    "Google ADK DatabaseSessionService": adk_store,
}


def storage_rows(server: str) -> Iterator[Row]:
    for name, opens in {**BLOCKING, **ASYNC}.items():
        url = (fresh_database if name == OURS else empty_database)(server)
        kept, refused, size = asyncio.run(_measure(name in BLOCKING, opens, url))
        written = WRITERS * EACH
        told = f"{kept} of {written}" + (f", {refused} refused" if refused else "")
        ours = name == OURS
        yield Row(
            f"{name}: kept of {WRITERS} writers",
            told,
            "all" if ours else "–",
            kept == written if ours else None,
        )
        text = MEASURED * LENGTH / 1e6
        yield Row(f"{name}: disk for {text:.2f} MB of messages", f"{size / 1e6:.1f} MB", "–", None)


async def _measure(blocking: bool, opens: Open, url: str) -> tuple[int, int, int]:
    """Messages kept, messages refused, and bytes on disk of a conversation written message by message."""
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(opens(url))
        shared = await store.conversation(0)
        writers = [_write(shared, blocking, seed) for seed in range(WRITERS)]
        refused = sum(await asyncio.gather(*writers))
        kept = await shared.kept()
        before = _size(url)
        alone = await store.conversation(0)
        for text in MESSAGES[:MEASURED]:
            await alone.append(text)
        return kept, refused, _size(url) - before


async def _write(conversation: Conversation, blocking: bool, seed: int) -> int:
    """Adds one writer's messages. Returns how many were refused."""
    refused = 0
    for text in MESSAGES[seed * EACH : (seed + 1) * EACH]:
        try:
            if blocking:
                await asyncio.to_thread(asyncio.run, conversation.append(text))
            else:
                await conversation.append(text)
        except Exception:  # each store has errors of its own
            refused += 1
    return refused


def _size(url: str) -> int:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("checkpoint")
        ((size,),) = connection.execute("select pg_database_size(current_database())").fetchall()
    return int(size)
