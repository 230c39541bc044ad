"""Providers' message formats: what comes in equals what goes out, and either can be said in the other."""

from collections.abc import Iterable, Mapping
from typing import Any

from backstory.domain.errors import InvalidInput
from backstory.domain.messages import anthropic, anthropic_requests, openai, openai_requests
from backstory.domain.messages.contents import Message
from backstory.domain.messages.inner import inner_parts
from backstory.domain.messages.shapes import shape_in

__all__ = ["FORMATS", "parse", "render", "requested", "inner_parts"]

FORMATS = (openai.FORMAT, anthropic.FORMAT)


def parse(format: str, message: Mapping[str, Any] | object, field: str = "message") -> Message:
    """The neutral message of one in the named format."""
    match format:
        case openai.FORMAT:
            return openai.parse(message, field)
        case anthropic.FORMAT:
            return anthropic.parse(message, field)
    raise InvalidInput("format", f"must be one of {', '.join(FORMATS)}")


def render(message: Message, format: str | None = None) -> dict[str, Any]:
    """The message in the named format, or in the one that it came in."""
    match format or message.format:
        case openai.FORMAT:
            return openai.render(message)
        case anthropic.FORMAT:
            return anthropic.render(message)
    raise InvalidInput("format", f"must be one of {', '.join(FORMATS)}")


def requested(messages: Iterable[Message], format: str) -> list[dict[str, Any]]:
    """The messages of one item as a provider's API accepts them. Messages with nothing to say are left out."""
    if format == openai.FORMAT:
        given = [(one, message.name) for message in messages for one in openai.render_all(message)]
        return [one for said, name in given if (one := openai_requests.accepted(said, name)) is not None]
    said = (anthropic_requests.accepted(anthropic.render(one), _speaker(one)) for one in messages)
    return anthropic_requests.joined(one for one in said if one is not None)


def _speaker(message: Message) -> str | None:
    """The speaker's name; OpenAI's format has a field for it."""
    if message.name is None and message.format == openai.FORMAT and message.role == "user":
        given = shape_in(message).get("name")
        return given if isinstance(given, str) else None
    return message.name
