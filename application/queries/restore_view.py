"""What somebody needs to go on with a session."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

from backstory.application.contents.reader import ContentReader
from backstory.application.contents.source import message_of
from backstory.application.queries.hot_context import by_urgency
from backstory.application.queries.recent_history import HistoryMessage
from backstory.application.queries.session_list import SessionSummary
from backstory.domain.errors import ContentErased, InvalidInput
from backstory.domain.events import SummaryMade
from backstory.domain.messages.contents import Part
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.summaries.document import SummaryDocument
from backstory.domain.text.titles import shortened

MESSAGES_RESTORED = 10
LONGEST_LINE = 100
LOOKED_AT = 20
"""The number of newest items that are searched for the last activity."""
ERASED = "(erased)"


class OpenGoal(NamedTuple):
    """An open goal."""

    id: int
    text: str
    status: str
    priority: str


class RestoreView(NamedTuple):
    """A session for somebody who goes on with it. `next_steps` are its open actions, else its open goals, else those of
    the newest summary. `recent_history` are its last ten messages, and `hot_context` is that of `session.views`."""

    title: str | None
    goals: tuple[OpenGoal, ...]
    last_activity: datetime
    last_activity_text: str | None
    next_steps: tuple[str, ...]
    messages: int
    summary: str | None
    recent_history: tuple[HistoryMessage, ...]
    hot_context: dict[str, Any]


def restore_view(
    listed: SessionSummary,
    state: ContextState,
    contents: ContentReader,
    *,
    recent: tuple[HistoryMessage, ...],
    hot: dict[str, Any],
) -> RestoreView:
    """The view of a session at a state."""
    goals = _goals(state, contents)
    summary, document = _summary(state, contents)
    return RestoreView(
        title=listed.title,
        goals=goals,
        last_activity=listed.last_activity,
        last_activity_text=_last_said(state, contents),
        next_steps=_next_steps(state, contents, goals, document),
        messages=listed.messages,
        summary=summary,
        recent_history=recent,
        hot_context=hot,
    )


def _goals(state: ContextState, contents: ContentReader) -> tuple[OpenGoal, ...]:
    texts = contents.texts(goal.text for goal in state.goals.values())
    return tuple(
        OpenGoal(key, texts.get(goal.text, ERASED), goal.status, goal.priority)
        for key, goal in sorted(state.goals.items())
    )


def _next_steps(
    state: ContextState,
    contents: ContentReader,
    goals: tuple[OpenGoal, ...],
    document: SummaryDocument | None,
) -> tuple[str, ...]:
    if state.actions:
        texts = contents.texts(action.text for action in state.actions.values())
        return tuple(texts.get(state.actions[key].text, ERASED) for key in by_urgency(state))
    if goals:
        return tuple(goal.text for goal in goals)
    return () if document is None else document.next_steps


def _summary(state: ContextState, contents: ContentReader) -> tuple[str | None, SummaryDocument | None]:
    """The newest session summary, as text and as fields."""
    if state.summary is None:
        return None, None
    version = state.summary.item
    body = contents.events([version])[version].body
    if not isinstance(body, SummaryMade):
        return None, None
    held = contents.bytes_of([version])
    text, fields = held.get((version, body.text.part)), held.get((version, body.document.part))
    document = None
    if fields is not None:
        # One that a newer version of the summary wrote is no reason not to go on.
        with suppress(InvalidInput):
            document = SummaryDocument.decode(fields)
    return None if text is None else text.decode(errors="replace"), document


def _last_said(state: ContextState, contents: ContentReader) -> str | None:
    """One line of the newest item with text, without private items and the system's."""
    newest = [
        item
        for item in reversed(state.items.values())
        if not item.private and item.type not in ("summary", "system_prompt") and item.role != "system"
    ][:LOOKED_AT]
    versions = [item.versions[-1] for item in newest]
    events, held = contents.events_and_bytes(versions)
    for item in newest:
        with suppress(ContentErased):
            line = _line(item, message_of(events[item.versions[-1]], held).parts)
            if line:
                return line
    return None


def _line(item: Item, parts: tuple[Part, ...]) -> str:
    line = shortened(" ".join(" ".join(_words(parts)).split()), LONGEST_LINE)
    return line if item.type in ("message", "tool_exchange") or not line else f"{item.type}: {line}"


def _words(parts: tuple[Part, ...]) -> Iterator[str]:
    for part in parts:
        if part.kind == "tool_use":
            yield f"called {part.name or 'a tool'}"
        elif part.kind != "thinking" and part.media_type.startswith("text/"):
            yield part.data.decode(errors="replace")
