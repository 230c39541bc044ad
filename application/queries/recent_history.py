"""The newest messages with their texts."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from backstory.application.contents.reader import ContentReader
from backstory.domain.context.history import is_visible
from backstory.domain.messages.contents import Message, Part, metadata_of
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW


class HistoryMessage(NamedTuple):
    """A message or tool exchange."""

    item: int
    at: datetime
    agent: str | None
    role: str | None
    text: str | None
    """None if it was erased."""
    importance: float
    tokens: int
    """Those of the whole text, also where the window shows a stub."""
    metadata: Mapping[str, Any]
    """The caller's own fields."""


def recent_history(
    state: ContextState,
    contents: ContentReader,
    *,
    limit: int,
    max_tokens: int | None = None,
    min_importance: float = 0.0,
    agent: str | None = None,
) -> tuple[HistoryMessage, ...]:
    """The newest messages of the main window that an agent may see, oldest first: of those at least this important, the
    longest run that is within both limits."""
    chosen: list[Item] = []
    tokens = 0
    for item in reversed(state.items.values()):
        if item.type not in CONVERSATION_TYPES or not is_visible(item, MAIN_WINDOW, agent):
            continue
        if item.importance < min_importance:
            continue
        tokens += item.tokens
        if len(chosen) == limit or (max_tokens is not None and tokens > max_tokens):
            break
        chosen.append(item)
    chosen.reverse()
    found = contents.messages(chosen)
    return tuple(
        HistoryMessage(
            item.id,
            item.brought_at,
            item.agent,
            item.role,
            said_in(found[item.id]) if item.id in found else None,
            item.importance,
            item.tokens,
            metadata_of(found.get(item.id, ())),
        )
        for item in chosen
    )


def texts_of(items: list[Item], contents: ContentReader) -> dict[int, str | None]:
    """The text of each item; None where something of it was erased."""
    messages = contents.messages(items)
    return {item.id: said_in(messages[item.id]) if item.id in messages else None for item in items}


def said_in(messages: Iterable[Message]) -> str:
    """The text of messages."""
    return "\n".join(text for message in messages for part in message.parts if (text := _part(part)))


def _part(part: Part) -> str:
    if part.kind == "thinking":
        return ""
    if part.kind == "tool_use":
        return f"{part.name}({part.data.decode(errors='replace')})"
    if part.media_type.startswith("text/") or part.media_type.endswith("json"):
        return part.data.decode(errors="replace")
    return f"[{part.kind}]"
