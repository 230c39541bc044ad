"""What is worth remembering in messages: by a model, where the summarizer is one, else by rules."""

import logging
from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from backstory.domain.errors import SummaryRefused
from backstory.domain.memory.noticed import RULES, Noticed, noticed
from backstory.domain.summaries.source import SourceMessage

_log = logging.getLogger(__name__)


class NoticedMemories(NamedTuple):
    """What was noticed, and how."""

    noticed: tuple[Noticed, ...]
    made_by: str = RULES
    """Name and version, such as rules/1 or endpoint/1."""
    model: str | None = None
    prompt_version: int | None = None
    fallback: str | None = None
    """The reason why the model's answer was not used; None if it was, or if none was asked."""


@runtime_checkable
class Noticer(Protocol):
    """A summarizer that also notices. One that does not leaves it to the rules."""

    def notice(self, messages: Sequence[SourceMessage]) -> NoticedMemories:
        """Finds what is worth remembering. Raises SummaryRefused where there is no answer that may be used."""
        ...


def notice(summarizer: object, messages: Sequence[SourceMessage]) -> NoticedMemories:
    """What is worth remembering in messages. Where the summarizer fails at it, the rules do it."""
    if not isinstance(summarizer, Noticer):
        return NoticedMemories(tuple(noticed(messages)))
    try:
        found = summarizer.notice(messages)
        known = {message.item for message in messages}
        if all(one.items and known.issuperset(one.items) for one in found.noticed):
            return found
        why = "the answer names messages that were not shown."
    except SummaryRefused as refused:
        why = str(refused)
    except Exception as error:
        # Whatever somebody's own summarizer raises: its words may hold anything, so only its kind is told.
        why = f"noticing failed with {type(error).__name__}."
    _log.warning("What the summarizer noticed is not used: %s", why)
    return NoticedMemories(tuple(noticed(messages)), fallback=why)
