"""Backstory through its own public face."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

from backstory import ContextStore
from backstory.session import Session
from benchmarks.messages import MESSAGES
from benchmarks.rivals.conversation import Conversation

BUDGET = 8_000


def read_for_model(session: Session, newest: int | None, *, record: bool) -> list[dict[str, Any]]:
    """What goes to the model next: a context, recorded as well, so that it can be made again, or only read; or only
    that many of the newest messages."""
    if newest is None:
        return session.context(BUDGET, format="openai", record=record).messages
    return cast(list[dict[str, Any]], session.messages(format="openai", last=newest))


class BackstoryConversation(Conversation):
    def __init__(self, store: "BackstoryStore", session: Session) -> None:
        self._store = store
        self._session = session
        self._mark = 0

    async def prepare(self) -> None:
        if self._store.forgets:
            self._store.reopen()
            self._session = self._store.opened.session(self._session.id)

    async def append(self, text: str) -> None:
        self._session.message(text)

    async def turn(self, said: str, answer: str) -> int:
        self._session.message(said)
        read = read_for_model(self._session, self._store.newest, record=self._store.records)
        self._session.message(answer, role="agent")
        return len(read)

    async def record(self, said: str, answer: str) -> None:
        if self._store.records_prompts:
            await self.turn(said, answer)
        else:
            self._session.message(said)
            self._session.message(answer, role="agent")

    async def mark(self) -> None:
        self._mark = self._session.version

    async def read_marked(self) -> int:
        return len(self._session.messages(format="openai", at=self._mark))

    async def count(self) -> int:
        return self._session.state.counts["message"]

    async def another_writer(self) -> "BackstoryConversation":
        return BackstoryConversation(self._store, self._store.opened.session(self._session.id))


class BackstoryStore:
    """An open store keeps in memory what it read lately. One that `forgets` is opened anew before every turn, as by a
    worker that has not met the conversation before."""

    blocks = True

    def __init__(
        self, url: str, *, records_prompts: bool, forgets: bool, newest: int | None, records: bool
    ) -> None:
        self._url = url
        self.opened = ContextStore.open(url)
        self.records_prompts = records_prompts
        self.forgets = forgets
        self.newest = newest
        self.records = records

    def reopen(self) -> None:
        self.opened.close()
        self.opened = ContextStore.open(self._url)

    async def conversation(self, messages: int) -> BackstoryConversation:
        session = self.opened.start(limit=2_000_000)
        for first in range(0, messages, 500):
            with session.atomic() as tx:
                for number in range(first, min(first + 500, messages)):
                    tx.message(MESSAGES[number % len(MESSAGES)], role="agent" if number % 2 else "user")
        return BackstoryConversation(self, session)


@asynccontextmanager
async def backstory_store(
    url: str,
    *,
    records_prompts: bool = False,
    forgets: bool = False,
    newest: int | None = None,
    records: bool = True,
) -> AsyncIterator[BackstoryStore]:
    store = BackstoryStore(
        url, records_prompts=records_prompts, forgets=forgets, newest=newest, records=records
    )
    try:
        yield store
    finally:
        store.opened.close()
