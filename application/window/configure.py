"""Settings of a window: its limit, encoding and model."""

from collections.abc import Sequence
from functools import partial

from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionHandle
from backstory.application.queries.read_models import read_encodings
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.domain.commands import facts, items
from backstory.domain.log.guards import Decided
from backstory.domain.messages.contents import Message
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import DEFAULT_ENCODING
from backstory.domain.window.stubs import stubbed
from backstory.infrastructure.llm.tokens import check_encoding, count_parts


def configure_window(
    handle: SessionHandle, window: str, limit: int | None, encoding: str | None, model: str | None
) -> int:
    """Sets a window's limit, encoding and model."""
    if encoding is not None:
        check_encoding(encoding)
    change = facts.configure_window(window, limit=limit, encoding=encoding, model=model)
    counted_in = encoding or DEFAULT_ENCODING
    configure = Request(ContentBundle(), change, handle.provenance)
    requests = [configure]
    if counted_in != read_encodings(handle.runtime, handle.id).get(window, DEFAULT_ENCODING):
        recount = partial(_recount, handle=handle, window=window, encoding=counted_in)
        requests.insert(0, Request(ContentBundle(), recount, handle.provenance))
    # The key stands for the configuration: repeated, there is nothing left to count.
    done = handle.append(requests, key=handle.key, asked=[configure])
    handle.opened.encodings[window] = counted_in
    return done.last_version


def _recount(state: ContextState, handle: SessionHandle, window: str, encoding: str) -> Decided:
    """Counts the live items of a window. What was erased keeps the count that it had."""
    live = [item for item in state.live(window) if (item.encoding or DEFAULT_ENCODING) != encoding]
    found = ContentReader.on_branch(handle.runtime, handle.id, state.version).messages(live)
    tokens = {
        item: sum(count_parts(message.parts, encoding) for message in _shown(state.items[item], messages))
        for item, messages in found.items()
    }
    return items.count_tokens(state, encoding=encoding, tokens=tokens)


def _shown(item: Item, messages: Sequence[Message]) -> Sequence[Message]:
    """The messages of an item as its windows show them."""
    return stubbed(item, messages) if item.is_stub else messages
