"""The commands of a session: what people in a chat can ask it for, and when. One table for the parser, its help, the
reference in the docs and the context document's `available_commands`.

Names with a slash are those of chat commands; `facilitator …` are a facilitating agent's words.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from backstory.domain.commands.clears import staying_items
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW

CLEAR_ENOUGH = 90
"""The clarity in percent from which on there is nothing left to clarify."""


class Offer(NamedTuple):
    """A command: its name, what may follow it, what it does, and the name of the rule that says when it is there."""

    command: str
    argument: str
    description: str
    availability: str

    @property
    def usage(self) -> str:
        return f"{self.command} {self.argument}".rstrip()


OFFERS = (
    Offer(
        "/context status", "", "Show goals, files, decisions, constraints and the window's usage", "always"
    ),
    Offer("/context summary", "", "Show the session summary", "always"),
    Offer(
        "/context validate",
        "",
        "Check the context document, and that the last compaction lost no decision",
        "always",
    ),
    Offer("/context clear", "", "Remove all items that need not stay", "when_window_holds_more"),
    Offer("/context undo", "", "Restore the items that the newest clear removed", "when_cleared"),
    Offer("/context restore", "SESSION", "Continue another session, by id or title", "always"),
    Offer(
        "/context archive",
        "[--title=TITLE]",
        "End the session, keep it, and make memories of it",
        "when_session_open",
    ),
    Offer("/set_goal", "TEXT", "Set a goal", "when_session_open"),
    Offer("/complete_goal", "GOAL", "Complete a goal and its open sub-goals", "when_goals_open"),
    Offer(
        "/remember", "TEXT", "Keep a note in every context, and in the project's memory", "when_session_open"
    ),
    Offer("/recall", "QUERY", "Find what the project remembers", "when_in_project"),
    Offer(
        "/forget", "MEMORY [because REASON]", "Mark a memory as one that no longer holds", "when_in_project"
    ),
    Offer("/memory_candidates", "", "List memories that wait to be confirmed", "when_in_project"),
    Offer("/confirm_memory", "MEMORY", "Confirm a memory that waits", "when_in_project"),
    Offer("/dismiss_memory", "MEMORY [because REASON]", "Dismiss a memory that waits", "when_in_project"),
    Offer("/unpin", "ITEM", "Unpin a note or another item", "when_items_pinned"),
    Offer("/focus", "FILE…", "Add files to the focus", "when_session_open"),
    Offer("/unfocus", "FILE…", "Remove files from the focus", "when_files_in_focus"),
    Offer("/log_decision", "DECISION [because RATIONALE]", "Record a decision", "when_session_open"),
    Offer("/confirm_decision", "DECISION", "Confirm a noticed decision", "when_decisions_noticed"),
    Offer(
        "/dismiss_decision",
        "DECISION [because REASON]",
        "Dismiss a noticed decision",
        "when_decisions_noticed",
    ),
    Offer("/add_constraint", "TEXT", "Add a rule that holds until it is removed", "when_session_open"),
    Offer("/remove_constraint", "CONSTRAINT [because REASON]", "Remove a rule", "when_constraints_hold"),
    Offer("/add_action", "TEXT", "Add something to do", "when_session_open"),
    Offer("/complete_action", "ACTION", "Complete an action", "when_actions_pending"),
    Offer("/ask", "QUESTION", "Ask a question", "when_session_open"),
    Offer("/answer", "[QUESTION] ANSWER", "Answer an open question", "when_questions_open"),
    Offer("/backtrack", "VERSION [because REASON]", "Return to an earlier version", "when_version_above_1"),
    Offer("/fork", "[TITLE]", "Start a session with this one's history", "always"),
    Offer("/resume", "", "Reopen the session", "when_session_ended"),
    Offer("/verify", "", "Check that nothing in the record was altered", "always"),
    Offer("/help", "[COMMAND]", "List the commands, or explain one", "always"),
    Offer("facilitator status", "", "Show project status", "always"),
    Offer(
        "facilitator clarify",
        "[QUESTION]",
        "Start a clarify session, with a question if given",
        "when_clarity_below_90",
    ),
    Offer("facilitator update idea", "TEXT", "Save a new text of the current idea", "when_idea_loaded"),
    Offer("facilitator backtrack", "", "Return to the previous layer", "when_layer_above_0"),
    Offer("facilitator end session", "", "Summarize the session and end it", "when_session_open"),
)


class Rule(NamedTuple):
    """The condition for offering a command: in words, and as a test of the state and of whether the current idea is
    loaded."""

    words: str
    holds: Callable[[ContextState, bool], bool]


def _open(state: ContextState) -> bool:
    return state.status != "ended"


RULES: dict[str, Rule] = {
    "always": Rule("always", lambda state, idea_loaded: True),
    "when_session_open": Rule("while the session is open", lambda state, idea_loaded: _open(state)),
    "when_session_ended": Rule("once the session has ended", lambda state, idea_loaded: not _open(state)),
    "when_window_holds_more": Rule(
        "when the window holds items that need not stay",
        lambda state, idea_loaded: bool({item.id for item in state.live(MAIN_WINDOW)} - staying_items(state)),
    ),
    "when_cleared": Rule("after a clear that was not undone", lambda state, idea_loaded: bool(state.clears)),
    "when_goals_open": Rule("when a goal is open", lambda state, idea_loaded: bool(state.goals)),
    "when_in_project": Rule(
        "when the session belongs to a project",
        lambda state, idea_loaded: state.labels.get("project") is not None,
    ),
    "when_items_pinned": Rule("when an item is pinned", lambda state, idea_loaded: bool(state.pins)),
    "when_files_in_focus": Rule(
        "when files are in focus", lambda state, idea_loaded: bool(state.focus.files)
    ),
    "when_decisions_noticed": Rule(
        "when a noticed decision was neither confirmed nor dismissed",
        lambda state, idea_loaded: bool(state.candidates),
    ),
    "when_constraints_hold": Rule("when a rule holds", lambda state, idea_loaded: bool(state.constraints)),
    "when_actions_pending": Rule("when an action is open", lambda state, idea_loaded: bool(state.actions)),
    "when_questions_open": Rule("when a question is open", lambda state, idea_loaded: bool(state.questions)),
    "when_version_above_1": Rule(
        "from the session's second version on", lambda state, idea_loaded: state.version > 1
    ),
    "when_clarity_below_90": Rule(
        f"while the session is open and its clarity is below {CLEAR_ENOUGH} percent",
        lambda state, idea_loaded: _open(state) and (state.clarity or 0) < CLEAR_ENOUGH,
    ),
    "when_idea_loaded": Rule(
        "while the session is open and its current idea is in the window",
        lambda state, idea_loaded: _open(state) and idea_loaded,
    ),
    "when_layer_above_0": Rule(
        "when the project is above layer 0", lambda state, idea_loaded: (state.project_layer or 0) > 0
    ),
}


def is_available(offer: Offer, state: ContextState, *, idea_loaded: bool) -> bool:
    return RULES[offer.availability].holds(state, idea_loaded)


def available_commands(state: ContextState, *, idea_loaded: bool) -> list[dict[str, Any]]:
    """Every command with its rule, and whether the rule holds in this state."""
    return [
        {
            "command": offer.command,
            "usage": offer.usage,
            "description": offer.description,
            "availability": offer.availability,
            "available": is_available(offer, state, idea_loaded=idea_loaded),
        }
        for offer in OFFERS
    ]
