"""Google ADK: `DatabaseSessionService` with its default pool. A turn goes as in its runner: the session is loaded, and
both events are appended to what was loaded."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from google.adk.errors._stale_session_error import StaleSessionError
from google.adk.events import Event
from google.adk.sessions import DatabaseSessionService, Session
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.schemas.v1 import StorageEvent
from google.genai import types

from benchmarks.messages import MESSAGES
from benchmarks.rivals.conversation import Conversation, Refused
from benchmarks.rivals.sqlalchemy_address import asyncpg_url

APP, USER = "bench", "somebody"


def _event(author: str, text: str) -> Event:
    role = "user" if author == "user" else "model"
    content = types.Content(role=role, parts=[types.Part(text=text)])
    return Event(author=author, invocation_id=str(uuid4()), content=content)


class AdkConversation(Conversation):
    def __init__(self, store: "AdkStore", session: Session) -> None:
        self._store = store
        self._session = session

    async def append(self, text: str) -> None:
        while True:
            try:
                await self._store.service.append_event(self._session, _event("user", text))
                return
            except StaleSessionError as stale:
                if not self._store.reloads:
                    raise Refused from stale
                self._session = await self._load(0)

    async def turn(self, said: str, answer: str) -> int:
        session = await self._load(self._store.newest)
        await self._store.service.append_event(session, _event("user", said))
        read = len(session.events)
        await self._store.service.append_event(session, _event("agent", answer))
        return read

    async def record(self, said: str, answer: str) -> None:
        await self._store.service.append_event(self._session, _event("user", said))
        await self._store.service.append_event(self._session, _event("agent", answer))

    async def mark(self) -> None:
        """A session can be cut to its newest events, or to those after a time, not to those before."""

    async def read_marked(self) -> None:
        return None

    async def count(self) -> int:
        return len((await self._load(None)).events)

    async def another_writer(self) -> "AdkConversation":
        return AdkConversation(self._store, await self._load(None))

    async def _load(self, newest: int | None) -> Session:
        config = None if newest is None else GetSessionConfig(num_recent_events=newest)
        found = await self._store.service.get_session(
            app_name=APP, user_id=USER, session_id=self._session.id, config=config
        )
        assert found is not None
        return found


class AdkStore:
    blocks = False

    def __init__(self, service: DatabaseSessionService, newest: int | None, reloads: bool) -> None:
        self.service = service
        self.newest = newest
        self.reloads = reloads

    async def conversation(self, messages: int) -> AdkConversation:
        session = await self.service.create_session(app_name=APP, user_id=USER)
        # It has no call that appends many. These are the rows `append_event` makes, written in one transaction.
        began = time.time() - messages
        async with self.service.database_session_factory() as transaction:
            for number in range(messages):
                event = _event("agent" if number % 2 else "user", MESSAGES[number % len(MESSAGES)])
                event.timestamp = began + number
                transaction.add(StorageEvent.from_event(session, event))
            await transaction.commit()
        return AdkConversation(self, session)


@asynccontextmanager
async def adk_store(url: str, newest: int | None = None, *, reloads: bool = False) -> AsyncIterator[AdkStore]:
    service = DatabaseSessionService(asyncpg_url(url).render_as_string(hide_password=False))
    try:
        yield AdkStore(service, newest, reloads)
    finally:
        await service.close()
