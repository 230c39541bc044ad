"""The working state with its texts: goals, files, actions, questions, decisions, constraints, pinned notes."""

from collections.abc import Sequence
from typing import Any

from backstory.application.contents.reader import ContentReader
from backstory.application.queries.recent_history import texts_of
from backstory.domain.context_document.sources import exported_id
from backstory.domain.events import (
    DecisionConfirmed,
    DecisionRecorded,
)
from backstory.domain.records import Decision, Place
from backstory.domain.state import ContextState
from backstory.domain.values import Priority, from_microseconds, microseconds


def hot_context(state: ContextState, contents: ContentReader) -> dict[str, Any]:
    """The state as the hot context of the short-term memory document. Texts that were erased are null."""
    places = [
        *(goal.text for goal in state.goals.values()),
        *(action.text for action in state.actions.values()),
        *(question.text for question in state.questions.values()),
        *state.constraints.values(),
    ]
    texts = contents.texts(places)
    return {
        "conversation_id": str(state.stream),
        "session_started": timestamp(state.started),
        "active_goals": [
            {
                "goal_id": f"GOAL-{key}",
                "goal": texts.get(goal.text),
                "status": goal.status,
                "priority": Priority(goal.priority).level,
                "created": timestamp(goal.created),
                "parent_goal_id": None if goal.parent is None else f"GOAL-{goal.parent}",
                "agent": goal.agent,
            }
            for key, goal in sorted(state.goals.items())
        ],
        "current_file_context": {
            "files": list(state.focus.files),
            "last_edited": state.focus.last_edited,
            "current_function": state.focus.current_function,
        },
        "pending_actions": [texts.get(state.actions[key].text) for key in by_urgency(state)],
        "open_questions": [texts.get(state.questions[key].text) for key in sorted(state.questions)],
        "key_decisions": decision_rows(state.decisions, contents),
        "important_constraints": [texts.get(state.constraints[key]) for key in sorted(state.constraints)],
        "pinned_notes": [
            {"item": item, "text": text} for item, text in pinned_texts(state, contents).items()
        ],
    }


def pinned_texts(state: ContextState, contents: ContentReader) -> dict[int, str | None]:
    """The texts of the pinned items that are live; None for an erased one."""
    return texts_of([state.items[pin] for pin in sorted(state.pins) if pin in state.items], contents)


def decisions_on(contents: ContentReader) -> list[Decision]:
    """Every decision of a branch, the oldest first, also those that the state no longer holds."""
    notes = []
    for event in contents.events_of_type(DecisionRecorded.type, DecisionConfirmed.type):
        body, at = event.body, microseconds(event.occurred_at)
        if isinstance(body, DecisionRecorded):
            notes.append(Decision(event.version, at, str(body.priority), body.decided_by, body.recorded_by))
        elif isinstance(body, DecisionConfirmed):
            notes.append(Decision(event.version, at, "medium", body.decided_by, event.actor))
    return notes


def decision_rows(notes: Sequence[Decision], contents: ContentReader) -> list[dict[str, Any]]:
    """Decisions with their texts."""
    refs: dict[int, tuple[Place, Place | None]] = {}
    for version, event in contents.events(note.id for note in notes).items():
        body = event.body
        if isinstance(body, DecisionRecorded | DecisionConfirmed):
            why = (version, body.rationale.part) if body.rationale else None
            refs[version] = ((version, body.text.part), why)
    texts = contents.texts(place for pair in refs.values() for place in pair if place is not None)
    return [_decision(note, refs[note.id], texts) for note in notes]


def _decision(note: Decision, places: tuple[Place, Place | None], texts: dict[Place, str]) -> dict[str, Any]:
    text, why = places
    return {
        "decision_id": exported_id("decision", note.id),
        "decision": texts.get(text),
        "rationale": texts.get(why) if why else None,
        "timestamp": timestamp(note.at),
        "agent": note.decided_by or note.recorded_by,
    }


def by_urgency(state: ContextState) -> list[int]:
    """The open actions, the most urgent first."""
    urgency = list(Priority)
    return sorted(state.actions, key=lambda key: (urgency.index(Priority(state.actions[key].priority)), key))


def timestamp(microseconds: int) -> str:
    """A time in ISO 8601 and UTC, always with microseconds."""
    return from_microseconds(microseconds).isoformat(timespec="microseconds").replace("+00:00", "Z")
