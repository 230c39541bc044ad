"""What is asked of each store that is compared. Clients that block are called as they are inside the coroutines, and
asyncio clients are awaited, so neither pays for a bridge to the other."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol


class Refused(Exception):
    """The store refused a write because another writer came first."""


class Conversation(Protocol):
    """One conversation, as one writer has it open."""

    async def prepare(self) -> None:
        """What comes before a call and is not timed with it: nothing, unless the contender says so."""

    async def append(self, text: str) -> None:
        """Adds one message."""

    async def turn(self, said: str, answer: str) -> int:
        """A full turn: adds what the user said, reads what the model needs, adds the answer. Returns how many messages
        were read."""

    async def record(self, said: str, answer: str) -> None:
        """The same without the read, where the store can."""

    async def mark(self) -> None:
        """Remembers this moment of the conversation, to be read later."""

    async def read_marked(self) -> int | None:
        """Reads the conversation as it was at the mark and returns how many messages that were. None where the store
        does not offer it."""

    async def count(self) -> int:
        """How many messages the store has."""

    async def another_writer(self) -> "Conversation":
        """The same conversation, opened by somebody else."""


class Store(Protocol):
    # Whether its calls block, so that writers at the same time need threads.
    blocks: bool

    async def conversation(self, messages: int) -> Conversation:
        """A new conversation that has so many messages already, written in the quickest way the store has."""


@dataclass(frozen=True)
class Contender:
    """A store in one way of using it."""

    name: str
    packages: tuple[str, ...]
    open: Callable[[str], AbstractAsyncContextManager[Store]]
    # The rows are those of the contender above it; only reading differs.
    reads_differently: bool = False
