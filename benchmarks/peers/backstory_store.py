"""Backstory. A turn records its prompt."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from backstory import ContextStore, Session
from benchmarks.messages import MESSAGES
from benchmarks.peers.conversation import Conversation

BUDGET = 8_000


def long_session(store: ContextStore, messages: int) -> Session:
    """A session with this many messages of user and agent in turn."""
    session = store.start(limit=2_000_000)
    for first in range(0, messages, 500):
        with session.atomic() as tx:
            for number in range(first, min(first + 500, messages)):
                tx.message(MESSAGES[number % len(MESSAGES)], role="agent" if number % 2 else "user")
    return session


class BackstoryConversation(Conversation):
    def __init__(self, session: Session) -> None:
        self._session = session

    async def append(self, text: str) -> None:
        self._session.message(text)

    async def turn(self, said: str, answer: str) -> int:
        self._session.message(said)
        context = self._session.context(BUDGET, format="openai")
        self._session.message(answer, role="agent")
        return len(context.messages)

    async def kept(self) -> int:
        return self._session.state.counts["message"]


class BackstoryStore:
    def __init__(self, store: ContextStore) -> None:
        self._store = store

    async def conversation(self, messages: int) -> BackstoryConversation:
        return BackstoryConversation(long_session(self._store, messages))


@asynccontextmanager
async def backstory_store(url: str) -> AsyncIterator[BackstoryStore]:
    with ContextStore.open(url) as store:
        yield BackstoryStore(store)
