"""What the next context needs, made while the server writes what comes before it."""

from collections.abc import Hashable
from itertools import islice
from typing import Any
from uuid import UUID

from backstory.composing import mentions_by_item, mentions_in, size_of_mentions
from backstory.core import Core
from backstory.domain.assembly.composition import PROVIDERS, rendered_once, size_of_rendered
from backstory.domain.assembly.history import newest_said
from backstory.domain.events import Change, ContextAssembled, MessageAdded
from backstory.domain.state import ContextState
from backstory.domain.tracking.entities import EXTRACTOR_VERSION
from backstory.foreseeing import FORESEEN, USUAL, Usual, foresee
from backstory.gathering import gatherer_of
from backstory.infrastructure.appending import PendingEvent
from backstory.infrastructure.newest_states import Memory
from backstory.noticing import SIGNS, signs_in
from backstory.recent import Prepared
from backstory.said import message_in

LATELY = 2
"""Messages between two contexts of a chat: the answer, and what is said to that."""


def prepare(core: Core, stream: UUID, change: Change, pending: PendingEvent, place: int) -> Prepared | None:
    """What is kept of a message that comes so many versions after the newest. Of anything else it is made when it is
    needed."""
    body = change.body
    if isinstance(body, ContextAssembled):
        with core.reader.lent(stream) as held:
            if held is not None:
                _find_mentions(core, stream, *held)
        return None
    if not isinstance(body, MessageAdded):
        return None
    contents = {(0, content.part): content.data for content in pending.contents}
    message = message_in(body, 0, contents)
    values: list[tuple[Hashable, Any, int]] = [(SIGNS, signs_in([message], message.role), 100)]
    ahead: tuple[int, Hashable, Any] | None = None
    with core.reader.lent(stream) as held:
        usual: Usual | None = None if held is None else held[1].get(USUAL)
        if usual is not None and usual.wanted.format in PROVIDERS:
            made = rendered_once(usual.wanted.format, [message])
            values.append((("rendered", usual.wanted.format), made, size_of_rendered(made)))
        if usual is None or message.role == "agent":
            # It is answered by somebody before the next context is asked for.
            mentions = mentions_in([message])
            values.append((("mentions", EXTRACTOR_VERSION), mentions, size_of_mentions(mentions)))
        elif held is not None:
            foreseen = foresee(core, stream, *held, change, pending, place, message, values)
            ahead = None if foreseen is None else (foreseen.at, FORESEEN, foreseen)
    return Prepared(message, tuple(values), ahead)


def _find_mentions(core: Core, stream: UUID, state: ContextState, memory: Memory) -> None:
    """Of the messages that came since the last context: nobody waited long enough when they were written."""
    usual: Usual | None = memory.get(USUAL)
    if usual is None or not usual.wanted.policy.entities:
        return
    lately = islice(newest_said(state, usual.wanted.window, usual.wanted.agent, (), set()), LATELY)
    items = [item.id for _, item in lately if item.type == "message"]
    mentions_by_item(gatherer_of(core, stream, state), items, EXTRACTOR_VERSION)
