"""Providers' message formats: what comes in equals what goes out, and either can be said in the other."""

from collections.abc import Mapping
from typing import Any

from backstory.domain.errors import InvalidInput
from backstory.domain.messages import anthropic, openai
from backstory.domain.messages.contents import Message
from backstory.domain.messages.inner import inner_parts

__all__ = ["FORMATS", "parse", "render", "inner_parts"]

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
