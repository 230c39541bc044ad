"""The pieces of a prompt: its texts and messages, each with the section and the item that it comes from."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from backstory.domain.context.composition import PROVIDERS, ContextParts, ConversationItem, neutral, rendered
from backstory.domain.messages import requested
from backstory.domain.messages.prose import prose


class PromptPiece(NamedTuple):
    """One text or one message of a prompt."""

    section: str
    """system, rules, summary, task, history, state, older, …"""
    item: int | None
    """The item that it comes from; None for a text that is made of several."""
    text: str | None
    """The text, as it stands in the prompt; None for a message."""
    message: dict[str, Any] | None
    """The message in the prompt's format; None for a text."""


def pieces(format: str, parts: ContextParts) -> tuple[PromptPiece, ...]:
    """The pieces of a context in a format, in the order of the prompt."""
    return tuple(_pieces(format, parts))


def _pieces(format: str, parts: ContextParts) -> Iterator[PromptPiece]:
    for said in parts.system:
        yield from _system(format, said)
    yield from _texts(parts.lead)
    if parts.task:
        yield PromptPiece("task", None, parts.task, None)
    for said in parts.history:
        yield from _history(format, said)
    yield from _texts(parts.tail)


def _texts(texts: Sequence[tuple[str, str]]) -> Iterator[PromptPiece]:
    for section, text in texts:
        yield PromptPiece(section, None, text, None)


def _system(format: str, said: ConversationItem) -> Iterator[PromptPiece]:
    if format == "markdown":
        for message in said.messages:
            yield PromptPiece("system", said.item, "\n".join(filter(None, map(prose, message.parts))), None)
    else:
        # Here, unlike in the conversation, every provider has a place for the system's messages.
        told = requested(said.messages, format) if format in PROVIDERS else neutral("system", [said])
        yield from (PromptPiece("system", said.item, None, message) for message in told)


def _history(format: str, said: ConversationItem) -> Iterator[PromptPiece]:
    if format == "markdown":
        yield PromptPiece("history", said.item, said.text, None)
    else:
        told = rendered(format, said.messages) if format in PROVIDERS else neutral("history", [said])
        yield from (PromptPiece("history", said.item, None, message) for message in told)
