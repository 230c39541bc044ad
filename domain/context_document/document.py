"""The context document (`current-context.json`): a session's state with its texts, section by section.

What a session never said gets a default, so that every document is complete:

| field                         | default                                                                    |
|-------------------------------|----------------------------------------------------------------------------|
| role.agent                    | who wrote last, else the joined agent whose name sorts first, else "agent" |
| role.agent_id                 | the agent's name                                                           |
| role.agent_version            | "unknown"                                                                  |
| role.mode                     | "default"                                                                  |
| project.name                  | "unnamed"                                                                  |
| project.id                    | the project's name                                                         |
| project.current_layer         | 0, which is IDEA                                                           |
| project.clarity               | 0                                                                          |
| project.status                | "In Progress", or "Ended" once the session has ended                       |
| context_window.total_tokens   | 200000                                                                     |
| loaded_artifacts[].name       | the caller's id of it, else its type and version                           |
| loaded_artifacts[].load_layer | 1 for what is never left out (decisions, goals, …), 3 for summaries, 2     |

Anything else that is unknown, and every text that was erased, is null.
"""

from typing import Any

from backstory.domain.context_document.artifacts import artifacts
from backstory.domain.context_document.commands import available_commands
from backstory.domain.context_document.rules import LAYER_NAMES, check_context
from backstory.domain.context_document.sources import Sources, exported_id, exported_time
from backstory.domain.events import DecisionConfirmed, DecisionRecorded
from backstory.domain.log.references import ContentRef
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.records import Action, Decision, Question, Window
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, Priority, microseconds

DOCUMENT_VERSION = "1.0"
SCHEMA = "forgemind-context-v1"
DEFAULT_TOTAL_TOKENS = 200_000
_MINUTE = 60_000_000


def context_document(state: ContextState, sources: Sources) -> dict[str, Any]:
    """The whole document. It reads no clock: its time is that of the state's newest event."""
    loaded = list(artifacts(state, sources))
    idea = state.project.current_idea if state.project else None
    idea_loaded = any(row["loaded"] and row["id"] == idea for row in loaded)
    return {
        "version": DOCUMENT_VERSION,
        "schema": SCHEMA,
        **required_sections(state, last_compaction=_last_compaction(state, sources)),
        "loaded_artifacts": loaded,
        "recent_decisions": [_decision(decision, sources) for decision in state.decisions],
        "pending_actions": [_action(key, state.actions[key], sources) for key in sorted(state.actions)],
        "open_questions": [_question(key, state.questions[key], sources) for key in sorted(state.questions)],
        "available_commands": available_commands(state, idea_loaded=idea_loaded),
        "session_stats": _session_stats(state),
    }


def required_sections(state: ContextState, *, last_compaction: str | None = None) -> dict[str, Any]:
    """The sections that the rules ask for. Only the time of the last compaction has to be read."""
    return {
        "metadata": _metadata(state),
        "role": _role(state),
        "project": _project(state),
        "context_window": _context_window(state, last_compaction),
    }


def check_state(state: ContextState) -> None:
    """Checks a state by the rules of the document that it would give. Raises ContextInvalid."""
    window = state.windows.get(MAIN_WINDOW, Window())
    live_tokens = sum(item.tokens_in(window.encoding) for item in state.live(MAIN_WINDOW))
    check_context(required_sections(state), live_tokens=live_tokens)


def _metadata(state: ContextState) -> dict[str, Any]:
    return {
        "timestamp": exported_time(state.active),
        "session_id": str(state.stream),
        "session_start": exported_time(state.started),
        "session_duration_minutes": (state.active - state.started) // _MINUTE,
        "last_updated_by": _agent_name(state),
    }


def _agent_name(state: ContextState) -> str:
    # By name, not by who came first: a state read from a snapshot has its agents in the order of names.
    return state.last_actor or min(state.agents, default="agent")


def _role(state: ContextState) -> dict[str, Any]:
    name = _agent_name(state)
    agent = state.agents.get(name)
    return {
        "agent": name,
        "agent_id": (agent and agent.id) or name,
        "agent_version": (agent and agent.version) or "unknown",
        "mode": (agent and agent.mode) or "default",
        "capabilities": list(agent.capabilities) if agent else [],
    }


def _project(state: ContextState) -> dict[str, Any]:
    project = state.project
    name = project.name if project else "unnamed"
    layer = state.project_layer or 0
    status = "Ended" if state.status == "ended" else "In Progress"
    return {
        "name": name,
        "id": (project and project.id) or name,
        "current_idea": project.current_idea if project else None,
        "current_layer": layer,
        "layer_name": LAYER_NAMES[layer],
        "clarity": state.clarity or 0,
        "status": (project and project.status) or status,
    }


def _context_window(state: ContextState, last_compaction: str | None) -> dict[str, Any]:
    window = state.windows.get(MAIN_WINDOW, Window())
    policy = WindowPolicy.chosen(state.policies.get(WindowPolicy.kind))
    total = window.limit or DEFAULT_TOTAL_TOKENS
    used = window.tokens
    return {
        "total_tokens": total,
        "used_tokens": used,
        "usage_percent": round(100 * used / total, 2),
        "available_tokens": max(0, total - used),
        "compaction_threshold_percent": _percent(policy.warning),
        "emergency_threshold_percent": _percent(policy.low_space),
        "needs_compaction": used >= policy.warning * total,
        "last_compaction": last_compaction,
        "compressions_this_session": state.counters.get("compactions", 0),
    }


def _percent(share: float) -> float:
    percent = round(100 * share, 2)
    return int(percent) if percent == int(percent) else percent


def _last_compaction(state: ContextState, sources: Sources) -> str | None:
    if not state.compactions:
        return None
    return exported_time(microseconds(sources.events[state.compactions[-1]].occurred_at))


def _decision(decision: Decision, sources: Sources) -> dict[str, Any]:
    body = sources.events[decision.id].body
    assert isinstance(body, DecisionRecorded | DecisionConfirmed)
    recorded = body if isinstance(body, DecisionRecorded) else None

    def text(ref: ContentRef | None) -> str | None:
        return sources.texts.get((decision.id, ref.part)) if ref else None

    return {
        "id": exported_id("decision", decision.id),
        "timestamp": exported_time(decision.at),
        "decision": text(body.text),
        "rationale": text(body.rationale),
        "alternatives_rejected": [text(ref) for ref in recorded.alternatives_rejected] if recorded else [],
        "impact": [text(ref) for ref in recorded.impact] if recorded else [],
        "decision_maker": decision.decided_by,
        "recorded_by": decision.recorded_by,
        "immutable": True,
    }


def _action(key: int, action: Action, sources: Sources) -> dict[str, Any]:
    return {
        "id": exported_id("action", key),
        "action": sources.texts.get(action.text),
        "priority": Priority(action.priority).p_name,
        "layer": action.layer,
        "blocked_by": sources.texts.get(action.blocked_by) if action.blocked_by else None,
        "estimated_time_minutes": action.estimate_minutes,
        "assigned_to": action.assignee,
        "created": exported_time(action.created),
        "due": None if action.due is None else exported_time(action.due),
    }


def _question(key: int, question: Question, sources: Sources) -> dict[str, Any]:
    return {
        "id": exported_id("question", key),
        "question": sources.texts.get(question.text),
        "context": sources.texts.get(question.context) if question.context else None,
        "asked_by": question.asked_by,
        "asked_at": exported_time(question.asked),
        "status": "awaiting_answer",
        "priority": Priority(question.priority).level,
        "blocking": [exported_id("action", action) for action in question.blocks],
    }


def _session_stats(state: ContextState) -> dict[str, int]:
    counters = state.counters
    return {
        "messages_exchanged": state.message_count,
        "clarifications_made": counters.get("clarifications", 0),
        "decisions_recorded": state.decision_count,
        "files_updated": counters.get("files_updated", 0),
        "git_commits": counters.get("git_commits", 0),
        "commands_executed": counters.get("commands_executed", 0),
        "errors_encountered": counters.get("errors_encountered", 0),
    }
