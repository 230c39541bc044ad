"""Google ADK: `DatabaseSessionService` with its default pool. A turn loads the newest events and appends both events to
the loaded session, as ADK's runner does."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from google.adk.events import Event
from google.adk.sessions import DatabaseSessionService, Session
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.schemas.v1 import StorageEvent
from google.genai import types

from benchmarks.messages import MESSAGES
from benchmarks.peers.conversation import Conversation
from benchmarks.peers.sqlalchemy_address import asyncpg_url

APP, USER = "bench", "somebody"
NEWEST = GetSessionConfig(num_recent_events=20)


def _event(author: str, text: str) -> Event:
    role = "user" if author == "user" else "model"
    content = types.Content(role=role, parts=[types.Part(text=text)])
    return Event(author=author, invocation_id=str(uuid4()), content=content)


class AdkConversation(Conversation):
    def __init__(self, service: DatabaseSessionService, session: Session) -> None:
        self._service = service
        self._session = session

    async def append(self, text: str) -> None:
        await self._service.append_event(self._session, _event("user", text))

    async def turn(self, said: str, answer: str) -> int:
        session = await self._service.get_session(
            app_name=APP, user_id=USER, session_id=self._session.id, config=NEWEST
        )
        assert session is not None
        await self._service.append_event(session, _event("user", said))
        read = len(session.events)
        await self._service.append_event(session, _event("agent", answer))
        return read

    async def kept(self) -> int:
        session = await self._service.get_session(app_name=APP, user_id=USER, session_id=self._session.id)
        return len(session.events) if session is not None else 0


class AdkStore:
    def __init__(self, service: DatabaseSessionService) -> None:
        self._service = service

    async def conversation(self, messages: int) -> AdkConversation:
        session = await self._service.create_session(app_name=APP, user_id=USER)
        # ADK has no call that appends many. These are the rows that `append_event` makes, in one transaction.
        began = time.time() - messages
        async with self._service.database_session_factory() as transaction:
            for number in range(messages):
                event = _event("agent" if number % 2 else "user", MESSAGES[number % len(MESSAGES)])
                event.timestamp = began + number
                transaction.add(StorageEvent.from_event(session, event))
            await transaction.commit()
        return AdkConversation(self._service, session)


@asynccontextmanager
async def adk_store(url: str) -> AsyncIterator[AdkStore]:
    service = DatabaseSessionService(asyncpg_url(url).render_as_string(hide_password=False))
    try:
        yield AdkStore(service)
    finally:
        await service.close()
