"""The context document's `available_commands`: what a session can be asked for, and whether it can be now."""

from collections.abc import Callable
from typing import Any, NamedTuple

from backstory.domain.state import ContextState

CLEAR_ENOUGH = 90
"""The clarity in percent from which on there is nothing left to clarify."""


class Offer(NamedTuple):
    """A method of the session, what it is for, and the name of the rule that says when it is there."""

    command: str
    description: str
    availability: str


OFFERS = (
    Offer("current_context", "Show where the session stands", "always"),
    Offer("ask", "Ask a question that clarifies the work", "when_clarity_below_90"),
    Offer("save", "Save the current idea anew", "when_idea_loaded"),
    Offer("set_layer", "Return to the previous layer", "when_layer_above_0"),
    Offer("backtrack", "Return to an earlier version", "when_version_above_1"),
    Offer("answer", "Answer an open question", "when_questions_open"),
    Offer("complete_action", "Complete a pending action", "when_actions_pending"),
    Offer("end", "End the session", "when_session_open"),
    Offer("resume", "Open the session again", "when_session_ended"),
    Offer("fork", "Begin another session with this history", "always"),
    Offer("verify", "Check that nothing in the record was altered", "always"),
)

RULES: dict[str, Callable[[ContextState, bool], bool]] = {
    "always": lambda state, idea_loaded: True,
    "when_clarity_below_90": lambda state, idea_loaded: (state.clarity or 0) < CLEAR_ENOUGH,
    "when_idea_loaded": lambda state, idea_loaded: idea_loaded,
    "when_layer_above_0": lambda state, idea_loaded: (state.project_layer or 0) > 0,
    "when_version_above_1": lambda state, idea_loaded: state.version > 1,
    "when_questions_open": lambda state, idea_loaded: bool(state.questions),
    "when_actions_pending": lambda state, idea_loaded: bool(state.actions),
    "when_session_open": lambda state, idea_loaded: state.status != "ended",
    "when_session_ended": lambda state, idea_loaded: state.status == "ended",
}


def available_commands(state: ContextState, *, idea_loaded: bool) -> list[dict[str, Any]]:
    """Every command with its rule, and whether the rule holds in this state."""
    return [
        {**offer._asdict(), "available": RULES[offer.availability](state, idea_loaded)} for offer in OFFERS
    ]
