"""What the next context needs, made while the server writes what comes before it."""

from collections.abc import Hashable
from itertools import islice
from typing import Any
from uuid import UUID

from backstory.application.contents.cache import Prepared
from backstory.application.contents.items import item_reader_of
from backstory.application.contents.said import message_in
from backstory.application.context.composing import mentions_by_item, mentions_in, size_of_mentions
from backstory.application.context.foreseeing import FORESEEN, USUAL, Usual, foresee
from backstory.application.context.noticing import SIGNS, signs_in
from backstory.application.runtime import Runtime
from backstory.domain.context.composition import PROVIDERS, rendered_once, size_of_rendered
from backstory.domain.context.history import newest_said
from backstory.domain.entities.entities import EXTRACTOR_VERSION
from backstory.domain.events import Change, ContextAssembled, MessageAdded
from backstory.domain.state import ContextState
from backstory.infrastructure.postgres.append import PendingEvent
from backstory.infrastructure.states.newest_states import Memory

LATELY = 2
"""Messages between two contexts of a chat: the answer, and what is said to that."""


def prepare(
    runtime: Runtime, stream: UUID, change: Change, pending: PendingEvent, place: int
) -> Prepared | None:
    """What is kept of a message that comes so many versions after the newest. Of anything else it is made when it is
    needed."""
    body = change.body
    if isinstance(body, ContextAssembled):
        with runtime.reader.lent(stream) as held:
            if held is not None:
                _find_mentions(runtime, stream, *held)
        return None
    if not isinstance(body, MessageAdded):
        return None
    contents = {(0, content.part): content.data for content in pending.contents}
    message = message_in(body, 0, contents)
    values: list[tuple[Hashable, Any, int]] = [(SIGNS, signs_in([message], message.role), 100)]
    ahead: tuple[int, Hashable, Any] | None = None
    with runtime.reader.lent(stream) as held:
        usual: Usual | None = None if held is None else held[1].get(USUAL)
        if usual is not None and usual.wanted.format in PROVIDERS:
            made = rendered_once(usual.wanted.format, [message])
            values.append((("rendered", usual.wanted.format), made, size_of_rendered(made)))
        if usual is None or message.role == "agent":
            # It is answered by somebody before the next context is asked for.
            mentions = mentions_in([message])
            values.append((("mentions", EXTRACTOR_VERSION), mentions, size_of_mentions(mentions)))
        elif held is not None:
            foreseen = foresee(runtime, stream, *held, change, pending, place, message, values)
            ahead = None if foreseen is None else (foreseen.at, FORESEEN, foreseen)
    return Prepared(message, tuple(values), ahead)


def _find_mentions(runtime: Runtime, stream: UUID, state: ContextState, memory: Memory) -> None:
    """Of the messages that came since the last context: nobody waited long enough when they were written."""
    usual: Usual | None = memory.get(USUAL)
    if usual is None or not usual.wanted.policy.entities:
        return
    lately = islice(newest_said(state, usual.wanted.window, usual.wanted.agent, (), set()), LATELY)
    items = [item.id for _, item in lately if item.type == "message"]
    mentions_by_item(item_reader_of(runtime, stream, state), items, EXTRACTOR_VERSION)
