"""Checkpoints: the triggers, and the fields that are recorded."""

from collections.abc import Mapping
from typing import Any

from backstory.domain.log.ranges import as_ranges
from backstory.domain.policies.window import DEFAULT_WINDOW, WindowPolicy
from backstory.domain.records import CONVERSATION_TYPES
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW

SIZE = "context_size_threshold"
PHASE = "phase_transition"
LAYER = "layer_transition"
MILESTONE = "task_milestone"
RISKY = "risky_operation"
INTERVAL = "time_interval"
"""The triggers, by the Moderator document's names; that of the layer by ForgeMind's."""

USAGE_STEP = 0.05
"""Above the threshold another checkpoint is due when usage has risen by this much: that is a zone of the ladder."""

_MINUTE = 60_000_000


def due_triggers(
    state: ContextState,
    *,
    at: int,
    next_operation: str | None = None,
    next_tokens: int = 0,
    window: str = MAIN_WINDOW,
    policy: WindowPolicy = DEFAULT_WINDOW,
) -> tuple[str, ...]:
    """The triggers that call for a checkpoint at a moment, in microseconds since 1970. An ended session needs none."""
    if state.status == "ended":
        return ()
    note = state.checkpoint
    completed = state.counters.get("tasks_completed", 0)
    before = 0 if note is None else note.tasks_completed
    since = state.started if note is None else note.at
    idle = state.activity == (0 if note is None else note.activity)
    fired = {
        SIZE: _has_filled(state, next_tokens, window, policy),
        PHASE: state.phase != (None if note is None else note.phase),
        LAYER: state.project_layer != (None if note is None else note.layer),
        MILESTONE: completed // policy.checkpoint_tasks > before // policy.checkpoint_tasks,
        RISKY: next_operation in policy.risky_operations,
        INTERVAL: not idle and at - since >= policy.checkpoint_minutes * _MINUTE,
    }
    return tuple(trigger for trigger, holds in fired.items() if holds)


def _has_filled(state: ContextState, next_tokens: int, window: str, policy: WindowPolicy) -> bool:
    """Whether usage is above the threshold and was not when the last checkpoint was taken: or the window has grown by a
    step since, or something has left meanwhile, so that it has come up again. The next call's tokens come and go: of
    a window that is the same, one checkpoint is enough."""
    settings = state.windows.get(window)
    if settings is None or settings.limit is None:
        return False
    usage = (settings.tokens + next_tokens) / settings.limit
    if usage <= policy.checkpoint_from:
        return False
    note = state.checkpoint
    if note is None or note.window != window:
        return True
    has_left = len(state.items) < note.live + sum(state.counts.values()) - note.brought
    was_above = note.for_size or note.tokens > policy.checkpoint_from * settings.limit
    return not was_above or settings.tokens - note.tokens >= USAGE_STEP * settings.limit or has_left


def checkpoint_contents(
    state: ContextState,
    *,
    fold_version: int,
    window: str = MAIN_WINDOW,
    files: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The fields of the event that records a checkpoint of a state."""
    settings = state.windows.get(window)
    metrics = {
        "tokens": settings.tokens if settings is not None else 0,
        "items": settings.items if settings is not None else 0,
        "decisions": state.decision_count,
        "messages": state.message_count,
        "goals_open": len(state.goals),
        "questions_open": len(state.questions),
        "actions_open": len(state.actions),
        "errors_open": len(state.errors),
        **{f"counter:{name}": count for name, count in sorted(state.counters.items())},
    }
    if settings is not None and settings.limit is not None:
        metrics["limit"] = settings.limit
    return {
        "state_at": state.version,
        "state_sha256": state.digest(),
        "fold_version": fold_version,
        "window": window,
        "phase": state.phase,
        "current_task": state.current_task,
        "open_tasks": tuple(sorted(state.tasks, key=lambda task: state.tasks[task].item)),
        "completed_tasks": tuple(state.completed_tasks),
        "metrics": metrics,
        "conversation": as_ranges(item.id for item in state.live(window) if item.type in CONVERSATION_TYPES),
        "files": dict(state.files if files is None else files),
    }
