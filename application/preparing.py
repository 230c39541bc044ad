"""What the next context needs of a new message, made while the server writes it: the client would only wait."""

from backstory.composing import mentions_in, size_of_mentions
from backstory.domain.events import Change, MessageAdded
from backstory.domain.tracking.entities import EXTRACTOR_VERSION
from backstory.infrastructure.appending import PendingEvent
from backstory.noticing import SIGNS, signs_in
from backstory.recent import Prepared
from backstory.said import message_in


def prepare(change: Change, pending: PendingEvent) -> Prepared | None:
    """What is kept of a message. Of anything else it is made when it is needed."""
    if not isinstance(change.body, MessageAdded):
        return None
    contents = {(0, content.part): content.data for content in pending.contents}
    message = message_in(change.body, 0, contents)
    mentions = mentions_in([message])
    return Prepared(
        message,
        (
            (("mentions", EXTRACTOR_VERSION), mentions, size_of_mentions(mentions)),
            (SIGNS, signs_in([message], message.role), 100),
        ),
    )
