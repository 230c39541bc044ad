"""A row for every route, by operation id: the action that its caller must be allowed, and an example that works.

In an example, `$name` stands for a value of the world (`world.py`), and so do the parameters of the path. The tests of
keys make each request with every kind of key.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from backstory.application.session import Session
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.access import Action
from backstory.domain.effects import Effects, NewItem
from backstory.domain.events.base import Change, EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.values import Tier


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
    """Done in the session before the request. It may answer further values of the world."""
    refused_to_agents: bool = False
    """Whether a key that acts for an agent is refused, since it takes a person."""
    streams: bool = False
    """The answer does not end by itself; its status and headers are looked at."""


class ShipSighted(EventBody):
    """A ship came into sight."""

    type: ClassVar[str] = "harbour:ship.sighted"
    name: str
    note: ContentRef | None = None


def _talk(session: Session) -> None:
    for number in range(20):
        session.message(f"{number}: the lamp fails in fog. " * 40)


def _compact(session: Session) -> dict[str, Any]:
    _talk(session)
    return {"summary": session.window.compact("everything").summary}


READ, APPEND, OPERATE, ADMIN = Action.READ, Action.APPEND, Action.OPERATE, Action.ADMIN


def _open_call(session: Session) -> None:
    session.tool_call("read_file", {"path": "lens.py"}, call_id="call-2")


def _stub(session: Session) -> None:
    for number in range(20):
        session.message(f"{number}: the lamp burns.")
    session.window.compact("stubs")


def _flag(session: Session) -> dict[str, Any]:
    brought = NewItem(type="note", tokens=1, importance=0.5, tier=Tier.WARM, flags=("instructions",))
    return {"flagged": session.record(ShipSighted(name="Ariel"), effects=Effects(brings=brought))}


def _flag_memory(session: Session) -> dict[str, Any]:
    brought = NewItem(type="memory", tokens=1, importance=0.5, tier=Tier.WARM, flags=("instructions",))
    change = Change(ShipSighted(name="Ariel"), Effects(brings=brought))
    return {"suspect": session.memory.project._handle.write(ContentBundle(), change)}


def _checkpoint_file(session: Session) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        return {"file": session.checkpoints.save(folder, "first").read_text()}


TRANSCRIPT = json.dumps(
    {
        "type": "user",
        "uuid": "a1",
        "parentUuid": None,
        "sessionId": "s1",
        "timestamp": "2026-01-02T03:04:05Z",
        "message": {"role": "user", "content": "Where is the lamp?"},
    }
)


TRIGGER = {"name": "lit", "condition": "current_clarity > 50", "actions": ["save_context_snapshot"]}

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
    "safety_confirm": Row(APPEND, body={"items": ["$item"], "person": "Edith"}, refused_to_agents=True),
    "safety_clear": Row(APPEND, body={"items": ["$flagged"]}, prepare=_flag),
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
    "work_fail_task": Row(APPEND, body={"task": "T-1", "why": "no ships came"}),
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
    "atomic": Row(
        APPEND, body={"operations": [{"do": "message", "content": "Hi."}, {"do": "decide", "text": "Go."}]}
    ),
    "append_lines": Row(
        APPEND,
        content='{"do": "message", "content": "Hi."}\n{"do": "work.set_goal", "text": "Sleep."}\n',
        headers={"Content-Type": "application/x-ndjson"},
    ),
    "record": Row(
        APPEND,
        body={
            "type": "harbour:ship.sighted",
            "payload": {"name": "Ariel", "note": {"$content": "note"}},
            "contents": {"note": {"text": "From the north."}},
        },
    ),
    "branches": Row(READ),
    "fork": Row(APPEND, body={"at": "$decision", "why": "try"}),
    "continue_session": Row(APPEND, body={}),
    "command": Row(APPEND, body={"text": "/set_goal Sleep"}),
    "erase": Row(OPERATE, body={"item": "$item", "why": "asked to"}),
    "verify": Row(READ),
    "model_calls": Row(READ),
    "prompts": Row(READ),
    "status": Row(READ),
    "window_usage": Row(READ, {"limit": 5}),
    "compactions": Row(READ, prepare=_compact),
    "compact": Row(APPEND, body={"algorithm": "everything"}, prepare=_talk),
    "dropped": Row(READ, prepare=_compact),
    "uncompact": Row(READ, prepare=_compact),
    "expand": Row(APPEND, body={"summary": "$summary"}, prepare=_compact),
    "show_expanded": Row(READ, {"summary": "$summary"}, prepare=_compact),
    "prune": Row(APPEND, body={"target": 0.2}, prepare=_talk),
    "flash_save": Row(APPEND, body={}),
    "recover": Row(APPEND, body={"next_tokens": 10}),
    "list_checkpoints": Row(READ),
    "create_checkpoint_if_due": Row(APPEND, body={"next_operation": "major_refactor"}),
    "show_checkpoint": Row(READ),
    "save_checkpoint": Row(OPERATE),
    "restore_checkpoint": Row(APPEND, body={"checkpoint": "first"}),
    "build_task_context": Row(
        APPEND, body={"task": {"id": "T-9", "name": "Clean the lens"}, "path": "$root", "agent": "coder"}
    ),
    "show_task_context": Row(READ, {"task": "T-9"}, before=["build_task_context"]),
    "active_task_contexts": Row(READ),
    "task_context_stats": Row(READ),
    "complete_project_task": Row(APPEND, body={"task": "T-9"}, before=["build_task_context"]),
    "fail_project_task": Row(APPEND, body={"task": "T-9", "why": "fog"}, before=["build_task_context"]),
    "clear_task_contexts": Row(APPEND, body={"task": "T-9"}),
    "clear_agent_contexts": Row(APPEND, body={"agent": "coder"}),
    "update_session_tiers": Row(APPEND, body={}),
    "update_tiers": Row(OPERATE, body={}),
    "agent_save": Row(
        APPEND,
        {"project": "$project"},
        {"item_type": "TASK", "content": "Clean."},
        path={"agent_id": "coder"},
    ),
    "agent_context": Row(READ, {"session": "$session", "tier": "WARM"}, path={"agent_id": "coder"}),
    "agent_flash_save": Row(APPEND, {"session": "$session"}, {}, path={"agent_id": "coder"}),
    "agent_stats": Row(READ, {"session": "$session"}, path={"agent_id": "coder"}),
    "agent_update_tiers": Row(APPEND, {"session": "$session"}, {}, path={"agent_id": "coder"}),
    "agent_diff": Row(APPEND, {"session": "$session"}, {"tier": "WARM"}, path={"agent_id": "coder"}),
    "agent_checkpoints": Row(READ, {"session": "$session"}, path={"agent_id": "coder"}),
    "feed": Row(READ, {"limit": 5}),
    "feed_status": Row(OPERATE),
    "activity": Row(READ),
    "projections": Row(OPERATE),
    "set_aside": Row(OPERATE),
    "check_projections": Row(OPERATE, {"sessions": ["$session"]}),
    "rebuild_projections": Row(OPERATE, body={"sessions": ["$session"]}),
    "retry_set_aside": Row(OPERATE, body={"projection": "activity"}),
    "rebuild_feed_projection": Row(OPERATE, body={"projection": "activity"}),
    "jobs": Row(OPERATE),
    "job_runs": Row(OPERATE, {"job": "tiers"}),
    "run_job": Row(OPERATE, body={"job": "tiers"}),
    "retention": Row(OPERATE),
    "set_retention": Row(ADMIN, body={"project": "$project", "after_days": 90, "erase": True}),
    "apply_retention": Row(ADMIN, body={"dry_run": True}),
    "verify_all": Row(OPERATE),
    "list_keys": Row(ADMIN),
    "create_key": Row(ADMIN, body={"name": "$fresh", "action": "read"}),
    "rotate_key": Row(ADMIN, body={"name": "$fresh"}, before=["create_key"]),
    "revoke_key": Row(ADMIN, body={"name": "$fresh"}, before=["create_key"]),
    "export": Row(OPERATE, {"sessions": ["$session"]}),
    "import_file": Row(OPERATE, {"format": "claude-code"}, content=TRANSCRIPT),
    "restore_checkpoint_file": Row(OPERATE, content="$file", prepare=_checkpoint_file),
    "purge": Row(ADMIN, body={"without_export": True}),
    "purge_memory": Row(ADMIN, body={"without_export": True}),
    "project_version": Row(READ),
    "project_state_data": Row(READ),
    "project_events": Row(READ),
    "verify_project": Row(READ),
    "choose_safety": Row(OPERATE, body={"policy": {"settings": {"secrets": "mask"}}}),
    "project_safety_quarantine": Row(APPEND, body={"items": ["$memory"], "why": "It tells lies."}),
    "project_safety_release": Row(APPEND, body={"items": ["$memory"]}, before=["project_safety_quarantine"]),
    "project_safety_confirm": Row(
        APPEND, body={"items": ["$memory"], "person": "Edith"}, refused_to_agents=True
    ),
    "project_safety_clear": Row(APPEND, body={"items": ["$suspect"]}, prepare=_flag_memory),
    "tier_items": Row(READ, {"live": False}),
    "tier_stats": Row(READ),
    "tier_diff": Row(APPEND, body={"tier": "WARM"}),
    "load_items": Row(APPEND, body={"tier": "WARM"}),
    "item_parts": Row(READ, {"item": "$item"}),
    "item_figures": Row(READ),
    "item_content": Row(READ, {"item": "$item"}),
    "item_text": Row(READ, {"item": "$item"}),
    "text_at": Row(READ, {"version": "$goal", "part": 0}),
    "decision_items": Row(READ),
    "decisions": Row(READ),
    "candidates": Row(READ),
    "project_decisions": Row(READ),
    "messages": Row(READ),
    "current_context": Row(READ),
    "validate": Row(READ),
    "hot_context": Row(READ),
    "recent_history": Row(READ, {"min_importance": 0}),
    "restore_view": Row(READ),
    "entities": Row(READ),
    "session_summary": Row(READ),
    "imported_lines": Row(READ),
    "reached": Row(READ, {"items": "$item"}),
    "take_out": Row(OPERATE, body={"items": ["$item"], "why": "It tells lies."}),
    "memories_reached": Row(READ, {"items": "$memory"}),
    "take_out_memories": Row(OPERATE, body={"items": ["$memory"], "why": "It tells lies."}),
    "quarantined": Row(READ),
    "flagged": Row(READ),
    "flag_counts": Row(READ),
    "project_flag_counts": Row(READ),
    "safety_policy": Row(READ),
    "quarantined_memories": Row(READ),
    "flagged_memories": Row(READ),
    "project_safety_policy": Row(READ),
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
    "search_and_record": Row(APPEND, body={"query": "lighthouse"}),
    "search_session_and_record": Row(APPEND, body={"query": "lighthouse"}),
    "list_projects": Row(READ),
    "remember": Row(APPEND, body={"text": "The lamp is new."}),
    "list_memories": Row(READ),
    "recall": Row(READ, {"query": "keeper"}),
    "recall_and_record": Row(APPEND, body={"query": "keeper"}),
    "show_memory": Row(READ),
    "show_memory_history": Row(READ),
    "supersede": Row(APPEND, body={"text": "The keeper left."}),
    "forget": Row(APPEND, body={"why": "she left"}),
    "erase_memory": Row(OPERATE, body={"why": "asked to"}),
    "archive_session": Row(APPEND, body={"title": "The lamp"}),
    "should_archive": Row(READ),
    "archive_project": Row(APPEND),
    "list_artifacts": Row(READ),
    "get_artifact": Row(READ, {"id": "LAMP-1"}),
    "artifact_settings": Row(READ),
    "configure_artifacts": Row(OPERATE, body={"root": "$root"}),
    "choose_artifact_policy": Row(OPERATE, body={"policy": {"settings": {"stale_minutes": 5}}}),
    "scan_artifacts": Row(APPEND, body={"patterns": ["*.md"]}),
    "project_artifacts_register": Row(APPEND, body={"id": "LAMP-2", "type": "idea"}),
    "project_artifacts_remove": Row(APPEND, body={"id": "LAMP-1", "why": "sold"}),
    "list_triggers": Row(READ),
    "set_triggers": Row(OPERATE, body={}),
    "check_triggers": Row(READ, body={"triggers": [TRIGGER]}),
    "dry_run_triggers": Row(READ, body={"triggers": [TRIGGER]}),
    "project_trigger_history": Row(READ),
    "run_triggers": Row(APPEND, body={}),
    "trigger_history": Row(READ),
    "list_window_artifacts": Row(READ),
    "load_artifact": Row(APPEND, body={"artifact": "LAMP-1"}),
    "load_artifact_layers": Row(APPEND, body={}),
    "preload_artifacts": Row(APPEND, body={"layer": 0}),
    "artifacts_unload": Row(APPEND, body={"artifacts": ["LAMP-1"]}, before=["load_artifact"]),
    "unload_stale_artifacts": Row(APPEND, body={"minutes": 0}),
    "confirm_memory": Row(APPEND, body={}, path={"memory": "$waiting"}),
    "dismiss_memory": Row(APPEND, body={"why": "a joke"}, path={"memory": "$waiting"}),
    "show_memory_policy": Row(READ),
    "choose_memory_policy": Row(OPERATE, body={"policy": {"settings": {"archive_every": 50}}}),
    "remember_from_session": Row(APPEND, body={"text": "The lens is clean.", "items": ["$item"]}),
    "recall_in_session": Row(READ, {"query": "keeper"}),
    "live_session": Row(READ, {"after": 0, "upto": "$version"}, streams=True),
    "live_project": Row(READ, {"after": 0, "upto": 1}, streams=True),
    "live": Row(READ, {"after": 0, "upto": 1}, streams=True),
    "calls": Row(ADMIN),
    "metrics": Row(READ),
    "livez": Row(None),
    "readyz": Row(None),
    "who_is_logged_in": Row(None),
    "log_in": Row(None),
    "log_out": Row(None),
}
