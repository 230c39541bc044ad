"""OpenAI Agents SDK: `SQLAlchemySession` on an engine with its default pool."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from agents.extensions.memory import SQLAlchemySession
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from benchmarks.messages import MESSAGES
from benchmarks.rivals.conversation import Conversation
from benchmarks.rivals.sqlalchemy_address import asyncpg_url

BATCH = 10


def _said(text: str) -> Any:
    return {"role": "user", "content": text}


def _answered(text: str) -> Any:
    return {"role": "assistant", "content": text}


class AgentsConversation(Conversation):
    def __init__(self, session: SQLAlchemySession, limit: int | None) -> None:
        self._session = session
        self._limit = limit

    async def append(self, text: str) -> None:
        await self._session.add_items([_said(text)])

    async def turn(self, said: str, answer: str) -> int:
        await self._session.add_items([_said(said)])
        read = await self._session.get_items(limit=self._limit)
        await self._session.add_items([_answered(answer)])
        return len(read)

    async def record(self, said: str, answer: str) -> None:
        await self._session.add_items([_said(said)])
        await self._session.add_items([_answered(answer)])

    async def mark(self) -> None:
        """A session offers its newest items, not those of an earlier moment."""

    async def read_marked(self) -> None:
        return None

    async def count(self) -> int:
        return len(await self._session.get_items())

    async def another_writer(self) -> "AgentsConversation":
        again = SQLAlchemySession(self._session.session_id, engine=self._session.engine)
        return AgentsConversation(again, self._limit)


class AgentsStore:
    blocks = False

    def __init__(self, engine: AsyncEngine, limit: int | None) -> None:
        self._engine = engine
        self._limit = limit

    async def conversation(self, messages: int) -> AgentsConversation:
        session = SQLAlchemySession(str(uuid4()), engine=self._engine, create_tables=True)
        # Not in one call: all its rows have the same time, and reading the newest would sort every one of them.
        for first in range(0, messages, BATCH):
            numbers = range(first, min(first + BATCH, messages))
            texts = [(number, MESSAGES[number % len(MESSAGES)]) for number in numbers]
            await session.add_items(
                [_answered(text) if number % 2 else _said(text) for number, text in texts]
            )
        return AgentsConversation(session, self._limit)


@asynccontextmanager
async def agents_store(url: str, limit: int | None = None) -> AsyncIterator[AgentsStore]:
    engine = create_async_engine(asyncpg_url(url))
    try:
        yield AgentsStore(engine, limit)
    finally:
        await engine.dispose()
