"""The files of one conversation: its hot context, recent history, summary and metadata."""

import json
from collections.abc import Sequence
from typing import Any

from backstory.application.files.views import View
from backstory.application.queries.hot_context import timestamp
from backstory.application.queries.recent_history import HistoryMessage
from backstory.domain.values import microseconds

RECENT_MESSAGES = 20


def conversation_files(view: View) -> dict[str, bytes]:
    """By name below the session's folder. Without a message there is no history: an empty file is no JSON lines."""
    history = [_message(found) for found in view.recent(RECENT_MESSAGES)]
    files = {
        "hot_context.json": document(view.hot),
        "metadata.json": document(metadata(view)),
        "summary.md": summary_page(view).encode(),
    }
    return {**files, "recent_history.jsonl": lines(history)} if history else files


def metadata(view: View) -> dict[str, Any]:
    listed = view.listed
    return {
        "session_id": view.id,
        "started": timestamp(microseconds(listed.started_at)),
        "last_activity": timestamp(microseconds(listed.last_activity)),
        "message_count": listed.messages,
        "title": listed.title,
        "status": "active" if listed.status == "open" else listed.status,
        "agents": list(listed.agents),
        "primary_files": view.hot["current_file_context"]["files"] or list(listed.primary_files),
        "tags": list(listed.tags),
        "project": listed.project,
        "version": listed.version,
        "decision_count": view.state.decision_count,
    }


def _message(found: HistoryMessage) -> dict[str, Any]:
    return {
        "msg_id": f"msg-{found.item:04d}",
        "timestamp": timestamp(microseconds(found.at)),
        "agent": found.agent or found.role or "agent",
        "role": found.role,
        "content": found.text,
        "importance": float(found.importance),
        "metadata": dict(found.metadata),
    }


def summary_page(view: View) -> str:
    """The session summary under the session's name; before there is one, what the state itself tells."""
    heading = f"# Session Summary ({view.id})"
    if view.summary is not None:
        body = view.summary.strip()
        body = body.removeprefix("# Session summary").lstrip()
        return f"{heading}\n\n{body}\n"
    hot = view.hot
    goals = [f"- {_mark(goal['status'])} {_line(goal['goal'])}" for goal in hot["active_goals"]]
    decisions = [
        f"{place}. {_line(row['decision'])}" + (f" ({_line(row['rationale'])})" if row["rationale"] else "")
        for place, row in enumerate(hot["key_decisions"], 1)
    ]
    files = hot["current_file_context"]["files"] or list(view.listed.primary_files)
    context = [f"- Working files: {', '.join(files)}"] if files else []
    context += [f"- Constraint: {_line(text)}" for text in hot["important_constraints"]]
    context += [f"- Next: {_line(text)}" for text in hot["pending_actions"]]
    sections = [
        ("Objective", [_line(view.listed.title)] if view.listed.title else []),
        ("Progress", goals),
        ("Key Decisions", decisions),
        ("Critical Context", context),
    ]
    parts = ["\n".join([f"## {name}", *listed]) for name, listed in sections if listed]
    return "\n\n".join([heading, *parts]) + "\n"


def _mark(status: str) -> str:
    return "🔄" if status == "in-progress" else "⏳"


def _line(text: str | None) -> str:
    return "(erased)" if text is None else " ".join(text.split())


def document(value: Any) -> bytes:
    """One JSON document."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode(errors="replace")


def lines(rows: Sequence[dict[str, Any]]) -> bytes:
    """JSON lines, each with the same keys. Readers such as Polars tell the type of a column from the first hundred
    lines, so rows that are the first to have a value somewhere are moved to the top."""
    first: dict[int, None] = {}
    for name in rows[0] if rows else ():
        found = next((place for place, row in enumerate(rows) if row[name] not in (None, [])), None)
        if found is not None:
            first[found] = None
    order = [*first, *(place for place in range(len(rows)) if place not in first)]
    if len(rows) <= 100:
        order = list(range(len(rows)))
    return "".join(json.dumps(rows[place], ensure_ascii=False) + "\n" for place in order).encode(
        errors="replace"
    )
