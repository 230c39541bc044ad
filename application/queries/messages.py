"""The live conversation of a window."""

from itertools import islice
from typing import Any

from backstory.application.contents.items import ItemReader
from backstory.application.context.render import conversation
from backstory.application.handle import SessionHandle
from backstory.application.writing.access import record_read
from backstory.domain.messages.contents import Message
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.state import ContextState
from backstory.domain.values import LARGEST, whole_number


def read_messages(
    handle: SessionHandle, format: str | None, window: str, at: int | None, last: int | None
) -> list[dict[str, Any]] | list[Message]:
    """The messages and tool exchanges that are live in a window, now or at a version."""
    if last is not None:
        whole_number("last", last, minimum=1, maximum=LARGEST)
    runtime, reader = handle.runtime, handle.runtime.reader
    if at is None:
        with reader.borrow(handle.id) as state:
            items = _in(state, window, last)
            found = conversation(ItemReader.of_newest(runtime, handle.id, state), items, format)
    else:
        erasure = reader.last_erasure(handle.id)
        state = reader.past(handle.id, whole_number("at", at))
        items = _in(state, window, last)
        found = conversation(ItemReader(runtime, handle.id, state, erasure=erasure), items, format)
    record_read(handle, [item.id for item in items])
    return found


def _in(state: ContextState, window: str, last: int | None) -> list[Item]:
    newest = (
        item
        for item in reversed(state.items.values())
        if item.type in CONVERSATION_TYPES and window in item.windows
    )
    return list(islice(newest, last))[::-1]
