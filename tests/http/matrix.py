"""A row for every route, by operation id: the action that its caller must be allowed, and an example that works.

In an example, `$name` stands for a value of the world (`world.py`), and so do the parameters of the path. The tests of
keys make each request with every kind of key.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from backstory.application.session import Session
from backstory.domain.access import Action


@dataclass(frozen=True)
class Row:
    """A route's action, and a request that it answers with success. None: the route asks for no key."""

    action: Action | None
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    """Sent as JSON."""
    content: str | None = None
    """Sent as it is, in place of a body."""
    headers: Mapping[str, str] = field(default_factory=dict)
    path: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the path that the world has no value for, or another one."""
    before: Sequence[str] = ()
    """Rows whose requests are made first, by whoever may: what this one ends, erases or answers."""
    prepare: Callable[[Session], object] | None = None
    """Done in the session before the request."""
    streams: bool = False
    """The answer does not end by itself; its status and headers are looked at."""


def _compact(session: Session) -> None:
    for number in range(20):
        session.message(f"{number}: the lamp fails in fog. " * 40)
    session.window.compact("everything")


READ, APPEND, OPERATE, ADMIN = Action.READ, Action.APPEND, Action.OPERATE, Action.ADMIN


def _open_call(session: Session) -> None:
    session.tool_call("read_file", {"path": "lens.py"}, call_id="call-2")


def _stub(session: Session) -> None:
    for number in range(20):
        session.message(f"{number}: the lamp burns.")
    session.window.compact("stubs")


WRITES: dict[str, Row] = {
    "message": Row(APPEND, body={"content": "Good evening."}),
    "set_system_prompt": Row(APPEND, body={"text": "You keep a lighthouse."}),
    "tool_call": Row(APPEND, body={"name": "ls", "arguments": {}, "call_id": "call-9"}),
    "tool_result": Row(APPEND, body={"call_id": "call-2", "result": "def lens(): ..."}, prepare=_open_call),
    "decide": Row(APPEND, body={"text": "The lens is cleaned daily.", "priority": "P1"}),
    "model_called": Row(APPEND, body={"assembly": None, "model": "claude-sonnet-4-5"}),
    "end": Row(APPEND, body={"why": "done"}),
    "resume": Row(APPEND, body={}, prepare=lambda session: session.end()),
    "items_save": Row(APPEND, body={"type": "note", "content": "Oil is low."}),
    "items_touch": Row(APPEND, body={"item_ids": ["$item"]}),
    "items_remove": Row(APPEND, body={"item_ids": ["$item"]}),
    "items_pin": Row(APPEND, body={"item": "$item"}),
    "items_unpin": Row(APPEND, body={"item": "$item"}, before=["items_pin"]),
    "items_deprecate": Row(APPEND, body={"item": "$item"}),
    "items_bring_back": Row(APPEND, body={"item_ids": ["$item"]}, before=["items_remove"]),
    "decisions_confirm": Row(APPEND, body={"candidate": "$candidate"}),
    "decisions_dismiss": Row(APPEND, body={"candidate": "$candidate"}),
    "safety_quarantine": Row(APPEND, body={"items": ["$item"], "why": "It tells lies."}),
    "safety_release": Row(APPEND, body={"items": ["$item"]}, before=["safety_quarantine"]),
    "safety_confirm": Row(APPEND, body={"items": ["$item"], "person": "Edith"}),
    "safety_clear": Row(APPEND, body={"items": ["$item"]}),
    "work_set_goal": Row(APPEND, body={"text": "Paint the tower.", "parent": "$goal"}),
    "work_update_goal": Row(APPEND, body={"goal": "$goal", "priority": "high"}),
    "work_complete_goal": Row(APPEND, body={"goal": "$goal"}),
    "work_add_action": Row(APPEND, body={"text": "Buy oil.", "due": "2030-01-01T00:00:00Z"}),
    "work_block_action": Row(APPEND, body={"action": "$action", "by": "the ship"}),
    "work_complete_action": Row(APPEND, body={"action": "$action"}),
    "work_ask": Row(APPEND, body={"text": "Which oil?"}),
    "work_answer": Row(APPEND, body={"question": "$question", "text": "Whale oil."}),
    "work_add_constraint": Row(APPEND, body={"text": "No fire indoors."}),
    "work_remove_constraint": Row(APPEND, body={"constraint": "$constraint"}),
    "work_start_task": Row(APPEND, body={"task": "T-2", "text": "Paint."}),
    "work_complete_task": Row(APPEND, body={"task": "T-1"}),
    "progress_set_phase": Row(APPEND, body={"phase": "build"}),
    "progress_set_layer": Row(APPEND, body={"project_layer": 2}),
    "progress_set_clarity": Row(APPEND, body={"clarity": 80}),
    "progress_focus": Row(APPEND, body={"files": ["lamp.py"]}),
    "progress_error": Row(APPEND, body={"text": "The lamp is out.", "name": "LampError"}),
    "progress_resolve_error": Row(APPEND, body={"item": "$error", "how": "new wick"}),
    "progress_command_executed": Row(APPEND, body={"command": "make light", "exit_code": 0}),
    "progress_file_updated": Row(APPEND, body={"path": "lamp.py"}),
    "progress_commit_made": Row(APPEND, body={"commit": "abc123", "message": "Light it"}),
    "details_rename": Row(APPEND, body={"title": "The lighthouse"}),
    "details_tag": Row(APPEND, body={"tags": ["night"]}),
    "details_set_project": Row(APPEND, body={"name": "$project"}),
    "details_join": Row(APPEND, body={"name": "coder"}),
    "window_choose_policy": Row(APPEND, body={"policy": {"kind": "tiers", "settings": {"hot": 0.9}}}),
    "window_compacted": Row(
        APPEND, body={"summary": "A lamp.", "summarized": ["$item"], "algorithm": "mine"}
    ),
    "window_clear": Row(APPEND, body={}),
    "window_undo_clear": Row(APPEND, body={}, before=["window_clear"]),
    "window_configure": Row(APPEND, body={"limit": 9000}),
    "window_undo_compaction": Row(APPEND, body={}, prepare=_compact),
    "window_restore_results": Row(APPEND, body={"items": ["$call"]}, prepare=_stub),
    "checkpoints_create": Row(APPEND, body={"name": "evening"}),
    "answered": Row(APPEND, body={"context": "$assembly", "answer": "Yes.", "model": "gpt-4o"}),
    "backtrack": Row(APPEND, body={"to": "$message", "why": "the lamp broke"}),
    "redo": Row(APPEND, body={}, before=["backtrack"]),
}

MATRIX: dict[str, Row] = {
    **WRITES,
    "context": Row(APPEND, body={"budget": 8000}),
    "preview_context": Row(READ, {"budget": 8000}),
    "summarize": Row(APPEND, body={}),
    "before_call": Row(APPEND, body={"next_tokens": 100}),
    "reproduce": Row(READ, {"version": "$assembly"}),
    "saw": Row(READ, {"version": "$answer"}),
    "state": Row(READ),
    "state_data": Row(READ),
    "diff": Row(READ, {"from_version": "$message", "to_version": "$decision"}),
    "events": Row(READ),
    "items": Row(READ, {"texts": True}),
    "timeline": Row(READ, {"columns": 10}),
    "start_session": Row(APPEND, body={"project": "$project"}),
    "list_sessions": Row(READ),
    "show_session": Row(READ),
    "summarize_session": Row(READ),
    "version": Row(READ),
    "search": Row(READ, {"query": "lighthouse"}),
    "search_session": Row(READ, {"query": "lighthouse"}),
    "dropped": Row(READ, prepare=_compact),
    "list_projects": Row(READ),
    "remember": Row(APPEND, body={"text": "The lamp is new."}),
    "list_memories": Row(READ),
    "recall": Row(READ, {"query": "keeper"}),
    "show_memory": Row(READ),
    "show_memory_history": Row(READ),
    "supersede": Row(APPEND, body={"text": "The keeper left."}),
    "forget": Row(APPEND, body={"why": "she left"}),
    "erase_memory": Row(OPERATE, body={"why": "asked to"}),
    "archive_session": Row(APPEND, body={"title": "The lamp"}),
    "should_archive": Row(READ),
    "archive_project": Row(APPEND),
    "confirm_memory": Row(APPEND, body={}, path={"memory": "$waiting"}),
    "dismiss_memory": Row(APPEND, body={"why": "a joke"}, path={"memory": "$waiting"}),
    "show_memory_policy": Row(READ),
    "choose_memory_policy": Row(OPERATE, body={"policy": {"settings": {"archive_every": 50}}}),
    "remember_from_session": Row(APPEND, body={"text": "The lens is clean.", "items": ["$item"]}),
    "recall_in_session": Row(READ, {"query": "keeper"}),
}
