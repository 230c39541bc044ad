"""A conversation told again, as neutral messages or a provider's own. What a message is in a provider's format is made
once."""

from collections.abc import Sequence
from typing import Any

from backstory.domain import formats
from backstory.domain.contents import Message
from backstory.domain.errors import InvalidInput
from backstory.domain.formats import openai
from backstory.domain.records import Item
from backstory.gathering import Gatherer

Plain = tuple[dict[str, str], ...]


def retold(
    gatherer: Gatherer, items: Sequence[Item], format: str | None
) -> list[dict[str, Any]] | list[Message]:
    """What the items say, in their order, without those of which something was erased. What is returned is the caller's
    to change."""
    said = gatherer.material.messages
    if format is None:
        gatherer.items(item.id for item in items)
        return [message for item in items for message in said.get(item.id, ())]
    if format not in formats.FORMATS:
        raise InvalidInput("format", f"must be one of {', '.join(formats.FORMATS)}, got {format!r}")

    def plain(item: Item) -> tuple[Plain | None]:
        made = _rendered(said[item.id], format)
        flat = all(isinstance(value, str) for one in made for value in one.values())
        return (tuple(made) if flat else None,)

    known = gatherer.kept_of(items, ("retold", format), plain, _size)
    gatherer.items(item for item, (flat,) in known.items() if flat is None)
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
