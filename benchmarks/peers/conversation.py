"""The operations that are measured. Blocking clients are called directly inside the coroutines and asyncio clients are
awaited, so neither pays for a bridge to the other."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

Open = Callable[[str], AbstractAsyncContextManager["Store"]]
"""Opens a store on the database at this URL."""


class Conversation(Protocol):
    async def append(self, text: str) -> None:
        """Adds one message."""

    async def turn(self, said: str, answer: str) -> int:
        """Adds the user's message, reads the model's input, adds the answer. Returns the number of messages read."""

    async def kept(self) -> int:
        """The number of messages in the conversation."""


class Store(Protocol):
    async def conversation(self, messages: int) -> Conversation:
        """A new conversation that already has this many messages."""
