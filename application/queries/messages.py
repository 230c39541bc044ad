"""The live conversation of a window."""

from itertools import islice
from typing import Any
from uuid import UUID

from backstory.application.contents.items import ItemReader
from backstory.application.context.render import conversation
from backstory.application.runtime import Runtime
from backstory.domain.messages.contents import Message
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.state import ContextState
from backstory.domain.values import whole_number


def read_messages(
    runtime: Runtime, stream: UUID, format: str | None, window: str, at: int | None, last: int | None
) -> list[dict[str, Any]] | list[Message]:
    """The messages and tool exchanges that are live in a window, now or at a version."""
    if last is not None:
        whole_number("last", last, minimum=1)
    reader = runtime.reader
    if at is None:
        with reader.borrow(stream) as state:
            return conversation(
                ItemReader.of_newest(runtime, stream, state), _in(state, window, last), format
            )
    erasure = reader.last_erasure(stream)
    state = reader.past(stream, whole_number("at", at))
    item_reader = ItemReader(runtime, stream, state, erasure=erasure)
    return conversation(item_reader, _in(state, window, last), format)


def _in(state: ContextState, window: str, last: int | None) -> list[Item]:
    newest = (
        item
        for item in reversed(state.items.values())
        if item.type in CONVERSATION_TYPES and window in item.windows
    )
    return list(islice(newest, last))[::-1]
