"""A conversation told again, as neutral messages or a provider's own. What a message is in a provider's format is made
once."""

from collections.abc import Sequence
from typing import Any

from backstory.application.contents.items import ItemReader
from backstory.domain import messages as formats
from backstory.domain.errors import InvalidInput
from backstory.domain.messages import openai
from backstory.domain.messages.contents import Message
from backstory.domain.records import Item

Plain = tuple[dict[str, str], ...]


def retold(
    item_reader: ItemReader, items: Sequence[Item], format: str | None
) -> list[dict[str, Any]] | list[Message]:
    """What the items say, in their order, without those of which something was erased. What is returned is the caller's
    to change."""
    said = item_reader.material.messages
    if format is None:
        item_reader.items(item.id for item in items)
        return [message for item in items for message in said.get(item.id, ())]
    if format not in formats.FORMATS:
        raise InvalidInput("format", f"must be one of {', '.join(formats.FORMATS)}, got {format!r}")

    def plain(item: Item) -> tuple[Plain | None]:
        made = _rendered(said[item.id], format)
        flat = all(isinstance(value, str) for one in made for value in one.values())
        return (tuple(made) if flat else None,)

    known = item_reader.kept_of(items, ("retold", format), plain, _size)
    item_reader.items(item for item, (flat,) in known.items() if flat is None)
    told: list[dict[str, Any]] = []
    for item, (flat,) in known.items():
        # Of what holds nothing but texts a shallow copy is one of its own.
        told += _rendered(said[item], format) if flat is None else [one.copy() for one in flat]
    return told


def _rendered(messages: Sequence[Message], format: str) -> list[dict[str, Any]]:
    if format == openai.FORMAT:
        return [one for message in messages for one in openai.render_all(message)]
    return [formats.render(message, format) for message in messages]


def _size(kept: tuple[Plain | None]) -> int:
    return sum(300 + sum(map(len, one.values())) for one in kept[0] or ())
