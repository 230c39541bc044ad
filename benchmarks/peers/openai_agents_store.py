"""OpenAI Agents SDK: `SQLAlchemySession` on an engine with its default pool. A turn reads the newest items."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from agents.extensions.memory import SQLAlchemySession
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from benchmarks.messages import MESSAGES
from benchmarks.peers.conversation import Conversation
from benchmarks.peers.sqlalchemy_address import asyncpg_url

BATCH = 10
NEWEST = 20


def _item(number: int, text: str) -> Any:
    return {"role": "assistant" if number % 2 else "user", "content": text}


class AgentsConversation(Conversation):
    def __init__(self, session: SQLAlchemySession) -> None:
        self._session = session

    async def append(self, text: str) -> None:
        await self._session.add_items([_item(0, text)])

    async def turn(self, said: str, answer: str) -> int:
        await self._session.add_items([_item(0, said)])
        read = await self._session.get_items(limit=NEWEST)
        await self._session.add_items([_item(1, answer)])
        return len(read)

    async def kept(self) -> int:
        return len(await self._session.get_items())


class AgentsStore:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def conversation(self, messages: int) -> AgentsConversation:
        session = SQLAlchemySession(str(uuid4()), engine=self._engine, create_tables=True)
        # Not in one call: all rows would have the same time, and reading the newest would sort every one of them.
        for first in range(0, messages, BATCH):
            numbers = range(first, min(first + BATCH, messages))
            await session.add_items([_item(number, MESSAGES[number % len(MESSAGES)]) for number in numbers])
        return AgentsConversation(session)


@asynccontextmanager
async def agents_store(url: str) -> AsyncIterator[AgentsStore]:
    engine = create_async_engine(asyncpg_url(url))
    try:
        yield AgentsStore(engine)
    finally:
        await engine.dispose()
