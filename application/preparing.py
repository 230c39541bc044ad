"""What the next context needs of a new message, made while the server writes it: the client would only wait."""

from collections.abc import Hashable
from typing import Any
from uuid import UUID

from backstory.composing import mentions_in, size_of_mentions
from backstory.core import Core
from backstory.domain.assembly.composition import PROVIDERS, rendered_once, size_of_rendered
from backstory.domain.events import Change, ContextAssembled, MessageAdded
from backstory.domain.tracking.entities import EXTRACTOR_VERSION
from backstory.infrastructure.appending import PendingEvent
from backstory.mentioning import ASKED, RANKED, WEIGHED, add_ahead, rank_ahead, weigh_ahead
from backstory.noticing import SIGNS, signs_in
from backstory.recent import Prepared
from backstory.said import message_in


def prepare(core: Core, stream: UUID, change: Change, pending: PendingEvent, place: int) -> Prepared | None:
    """What is kept of a message that comes so many versions after the newest. Of anything else it is made when it is
    needed."""
    if isinstance(change.body, ContextAssembled):
        with core.reader.lent(stream) as held:
            if held is not None:
                weigh_ahead(core, stream, *held)
        return None
    if not isinstance(change.body, MessageAdded):
        return None
    contents = {(0, content.part): content.data for content in pending.contents}
    message = message_in(change.body, 0, contents)
    mentions = mentions_in([message])
    values: list[tuple[Hashable, Any, int]] = [
        (("mentions", EXTRACTOR_VERSION), mentions, size_of_mentions(mentions)),
        (SIGNS, signs_in([message], message.role), 100),
    ]
    ahead: tuple[int, Hashable, Any] | None = None
    with core.reader.lent(stream) as held:
        if held is not None and (asked := held[1].get(ASKED)) is not None:
            if asked.format in PROVIDERS:
                made = rendered_once(asked.format, [message])
                values.append((("rendered", asked.format), made, size_of_rendered(made)))
            new = change.effects.brings
            # An agent's message is answered by somebody before the next context is asked for.
            if new is not None and message.role == "agent":
                weights = add_ahead(*held, new, mentions, place)
                if weights is None:
                    # The last context was not recorded by itself, so that nobody waited then.
                    weigh_ahead(core, stream, *held)
                    weights = add_ahead(*held, new, mentions, place)
                ahead = None if weights is None else (weights.at, WEIGHED, weights)
            elif new is not None:
                ranking = rank_ahead(core, stream, *held, new, mentions, place)
                ahead = None if ranking is None else (ranking.at, RANKED, ranking)
    return Prepared(message, tuple(values), ahead)
