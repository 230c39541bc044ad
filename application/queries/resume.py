"""Resuming an earlier session: its goals, its last activity, its next steps."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar

from backstory.application.contents.reader import ContentReader
from backstory.application.contents.source import message_of
from backstory.application.queries.hot_context import by_urgency
from backstory.application.queries.session_list import read_session
from backstory.application.runtime import Runtime
from backstory.application.session import Session
from backstory.domain.errors import ContentErased, InvalidInput, Refused
from backstory.domain.events import SummaryMade
from backstory.domain.messages.contents import Part
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.summaries.document import SummaryDocument
from backstory.domain.text.titles import shortened

Handle = TypeVar("Handle")
LONGEST_LINE = 100
LOOKED_AT = 20
"""The number of newest items that are searched for the last activity."""
ERASED = "(erased)"


class ResumedGoal(NamedTuple):
    """An open goal."""

    id: int
    text: str
    status: str
    priority: str


class Resumed(NamedTuple, Generic[Handle]):
    """A resumed session. `resumed` is the version that opened it again, if it had ended. `next_steps` are its open
    actions, else its open goals, else those of the newest summary."""

    session: Handle
    title: str | None
    goals: tuple[ResumedGoal, ...]
    last_activity: datetime
    last_activity_text: str | None
    next_steps: tuple[str, ...]
    messages: int
    summary: str | None
    resumed: int | None
    forked_from: Handle | None


def resume(runtime: Runtime, session: Session, *, fork: bool) -> Resumed[Session]:
    """Opens a session again if it had ended, or forks it at its newest version and leaves it unchanged."""
    listed = read_session(runtime, session.id)
    state = session.state
    contents = ContentReader.on_branch(runtime, session.id, state.version)
    goals = _goals(state, contents)
    summary, document = _summary(state, contents)
    resumed: int | None = None
    going_on = session
    if fork:
        going_on = session.fork(state.version)
    elif state.status == "ended":
        # Somebody else may have opened it meanwhile: then it is open, which is what was asked for.
        with suppress(Refused):
            resumed = session.resume()
    return Resumed(
        session=going_on,
        title=listed.title,
        goals=goals,
        last_activity=listed.last_activity,
        last_activity_text=_last_said(state, contents),
        next_steps=_next_steps(state, contents, goals, document),
        messages=listed.messages,
        summary=summary,
        resumed=resumed,
        forked_from=session if fork else None,
    )


def _goals(state: ContextState, contents: ContentReader) -> tuple[ResumedGoal, ...]:
    texts = contents.texts(goal.text for goal in state.goals.values())
    return tuple(
        ResumedGoal(key, texts.get(goal.text, ERASED), goal.status, goal.priority)
        for key, goal in sorted(state.goals.items())
    )


def _next_steps(
    state: ContextState,
    contents: ContentReader,
    goals: tuple[ResumedGoal, ...],
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


def resumed_lines(resumed: Resumed[Handle]) -> list[str]:
    """The lines for people."""
    how = " (it had ended and is open again)" if resumed.resumed else ""
    if resumed.forked_from is not None:
        how = " (in a fork; the session itself is left as it is)"
    lines = [f"✓ Restored session: {resumed.title or 'untitled'}{how}"]
    lines.append(f"Active goals: {len(resumed.goals)}")
    lines += [f"  {_one_line(goal.text)} ({goal.status})" for goal in resumed.goals]
    lines.append(f"Last activity: {resumed.last_activity_text or 'nothing was said yet'}")
    lines.append(f"Next steps: {', '.join(map(_one_line, resumed.next_steps)) or 'none'}")
    return lines


def _one_line(text: str) -> str:
    return " ".join(text.split())
