"""A change of a session as conditions see it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from backstory.domain.context_document.document import DEFAULT_TOTAL_TOKENS
from backstory.domain.events import DecisionConfirmed, DecisionRecorded, Event
from backstory.domain.events.conversation import MessageBody
from backstory.domain.records import Window
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, Priority

LONGEST_TEXT = 2_000
"""Characters of a message or a decision that a condition sees."""
_NO_MESSAGE = {"role": "", "actor": "", "text": "", "is_decision": False, "decided_by": "", "by_boss": False}


def values_of(
    before: ContextState, after: ContextState, event: Event | None = None, text: str = "", command: str = ""
) -> dict[str, Any]:
    """The values of a change. Without an event they are those of a session in which nothing changes."""
    message, priority = dict(_NO_MESSAGE), ""
    if event is not None:
        message["actor"] = event.actor or ""
        body = event.body
        if isinstance(body, MessageBody):
            message |= {"role": str(body.role), "text": text[:LONGEST_TEXT]}
        elif isinstance(body, DecisionRecorded | DecisionConfirmed):
            maker = body.decided_by or ""
            message |= {
                "text": text[:LONGEST_TEXT],
                "is_decision": True,
                "decided_by": maker,
                "by_boss": maker not in after.agents,
            }
            given = getattr(body, "priority", Priority.MEDIUM)
            priority = Priority(given).level
    return {
        "current_layer": after.project_layer or 0,
        "previous_layer": before.project_layer or 0,
        "current_clarity": after.clarity or 0,
        "previous_clarity": before.clarity or 0,
        "context_usage_percent": _usage(after),
        "previous_usage_percent": _usage(before),
        "message": message,
        "priority": priority,
        "command": command,
        "event": "" if event is None else event.type,
        "actor": message["actor"],
        "state": _facts(after),
        "previous_state": _facts(before),
    }


def is_boss_decision(message: Mapping[str, Any]) -> bool:
    """Whether a change is a decision that no agent of the session made."""
    return bool(message["is_decision"] and message["by_boss"])


def _usage(state: ContextState) -> float:
    window = state.windows.get(MAIN_WINDOW, Window())
    return round(100 * window.tokens / (window.limit or DEFAULT_TOTAL_TOKENS), 4)


def _facts(state: ContextState) -> dict[str, Any]:
    return {
        "status": state.status,
        "phase": state.phase or "",
        "task": state.current_task or "",
        "project": str(state.labels.get("project") or ""),
        "tokens": state.tokens,
        "items": len(state.items),
        "messages": state.message_count,
        "decisions": state.decision_count,
        "goals": len(state.goals),
        "actions": len(state.actions),
        "questions": len(state.questions),
        "errors": len(state.errors),
        "artifacts": len(state.loaded),
    }


_EMPTY = ContextState(UUID(int=0))
NOTHING = values_of(_EMPTY, _EMPTY)
"""The values of a session in which nothing has happened yet."""
VARIABLES = frozenset(NOTHING)
"""What a condition may name."""
