"""What an event says, as a message: put together from its body and the contents it names."""

from backstory.domain.errors import ContentErased
from backstory.domain.events import Event, EventBody, ItemSaved, UnknownBody
from backstory.domain.events.conversation import MessageBody
from backstory.domain.log.references import PLAIN_TEXT, ContentRef, PartRef, references_of
from backstory.domain.messages.contents import Message, Part
from backstory.domain.records import Place

Bytes = dict[Place, bytes]


def message_of(event: Event, contents: Bytes) -> Message:
    """What an event says, as a message: a provider's own, a saved item's parts, or the texts of anything else."""
    return message_in(event.body, event.version, contents)


def message_in(body: EventBody | UnknownBody, version: int, contents: Bytes) -> Message:
    """The same, for the body of an event at a version."""
    if isinstance(body, MessageBody):
        parts = tuple([_part(version, ref, contents) for ref in body.parts])
        extras = None if body.extras is None else _data(version, body.extras, contents)
        return Message(str(body.role), parts, body.format, extras)
    if isinstance(body, ItemSaved):
        return Message("system", tuple(_part(version, ref, contents) for ref in body.parts))
    texts = tuple(
        Part(
            "text" if ref.media_type == PLAIN_TEXT else "document",
            _data(version, ref, contents),
            ref.media_type,
        )
        for ref in references_of(body.encode())
    )
    return Message("system", texts)


def _part(version: int, ref: PartRef, contents: Bytes) -> Part:
    return Part(
        ref.kind,
        _data(version, ref.content, contents),
        ref.content.media_type,
        ref.call_id,
        ref.name,
        None if ref.extras is None else _data(version, ref.extras, contents),
    )


def _data(version: int, ref: ContentRef, contents: Bytes) -> bytes:
    data = contents.get((version, ref.part))
    if data is None:
        raise erased(version)
    return data


def erased(version: int) -> ContentErased:
    return ContentErased(f"the contents of version {version} were erased.")
