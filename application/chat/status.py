"""`/context status`, `/context summary` and `/context validate`: what the session is about, in words and as data."""

from typing import Any

from backstory.application.chat.answers import Answer, CommandCall
from backstory.application.chat.references import id_of, shown_text
from backstory.application.queries.session_list import read_session
from backstory.domain.context_document.rules import LAYER_NAMES
from backstory.domain.records import Window
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW

DECISIONS_SHOWN = 3


def show_status(call: CommandCall) -> Answer:
    call.nothing_more()
    state = call.state
    summary = read_session(call.session._runtime, call.session.id)
    hot = call.session.views.hot_context()
    window = state.windows.get(MAIN_WINDOW, Window())
    usage = f"{window.tokens:,}" + (f" of {window.limit:,}" if window.limit else "") + " tokens"
    head = f"{summary.title or 'untitled'} ({state.status}, {state.message_count} messages, {usage})"
    sections = [
        (
            "Goals",
            [
                f"{goal['goal_id']} [{goal['status']}] {shown_text(goal['goal'])}"
                for goal in hot["active_goals"]
            ],
        ),
        ("Files", hot["current_file_context"]["files"] or list(summary.primary_files)),
        ("Next", [shown_text(text) for text in hot["pending_actions"]]),
        ("Questions", [shown_text(text) for text in hot["open_questions"]]),
        ("Decisions", [_decision(row) for row in hot["key_decisions"][-DECISIONS_SHOWN:]]),
        ("Constraints", [shown_text(text) for text in hot["important_constraints"]]),
        (
            "Notes",
            [f"{id_of('pinned item', row['item'])} {shown_text(row['text'])}" for row in hot["pinned_notes"]],
        ),
    ]
    lines = [f"{name}:\n" + "\n".join(f"  {line}" for line in listed) for name, listed in sections if listed]
    data = {
        "title": summary.title,
        "status": state.status,
        "version": state.version,
        "messages": state.message_count,
        "tokens": window.tokens,
        "token_limit": window.limit,
        **hot,
    }
    return Answer("\n".join([head, *lines]), data)


def _decision(row: dict[str, Any]) -> str:
    said = f"{row['decision_id']} {shown_text(row['decision'])}"
    said += f" (because {shown_text(row['rationale'])})" if row["rationale"] else ""
    return said


def project_of(state: ContextState) -> dict[str, Any]:
    layer = state.project_layer or 0
    return {
        "name": state.project.name if state.project else None,
        "current_idea": state.project.current_idea if state.project else None,
        "layer": layer,
        "layer_name": LAYER_NAMES[layer],
        "clarity": state.clarity or 0,
        "phase": state.phase,
    }


def show_summary(call: CommandCall) -> Answer:
    call.nothing_more()
    text = call.session.views.summary()
    if text is None:
        return Answer("There is no session summary yet.", {"summary": None})
    return Answer(text, {"summary": text})


def validate(call: CommandCall) -> Answer:
    """Checks the context document. What breaks a rule is answered as an error."""
    call.nothing_more()
    document = call.session.views.validate()
    tokens, project = document["context_window"]["used_tokens"], document["project"]
    loaded = sum(row["loaded"] for row in document["loaded_artifacts"])
    said = (
        f"Valid: loaded items {loaded:,}, tokens {tokens:,}, layer {project['current_layer']} "
        f"{project['layer_name']}, decisions {len(document['recent_decisions'])}."
    )
    return Answer(said, {"valid": True, "version": call.state.version})
