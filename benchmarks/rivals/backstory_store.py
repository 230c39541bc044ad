"""Backstory through its own public face."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal, cast

from backstory import ContextStore
from backstory.session import Session
from benchmarks.messages import MESSAGES
from benchmarks.rivals.conversation import Conversation

BUDGET = 8_000


Records = Literal["with_answer"] | bool


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
        """What goes to the model is a context, recorded so that it can be made again, at once or with its answer, or
        only read; or it is only that many of the newest messages."""
        session, newest, records = self._session, self._store.newest, self._store.records
        session.message(said)
        if newest is not None:
            read = cast(list[dict[str, Any]], session.messages(format="openai", last=newest))
            session.message(answer, role="agent")
            return len(read)
        context = session.context(BUDGET, format="openai", record=records)
        if records == "with_answer":
            session.answered(context, answer)
        else:
            session.message(answer, role="agent")
        return len(context.messages)

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
        self, url: str, *, records_prompts: bool, forgets: bool, newest: int | None, records: Records
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
    records: Records = True,
) -> AsyncIterator[BackstoryStore]:
    store = BackstoryStore(
        url, records_prompts=records_prompts, forgets=forgets, newest=newest, records=records
    )
    try:
        yield store
    finally:
        store.opened.close()
