"""The handler of each command."""

from collections.abc import Callable

from backstory.application.chat import facilitator, help, notes, sessions, status, work
from backstory.application.chat.answers import Answer, CommandCall
from backstory.domain.context_document.commands import OFFERS

Handler = Callable[[CommandCall], Answer]

HANDLERS: dict[str, Handler] = {
    "/context status": status.show_status,
    "/context summary": status.show_summary,
    "/context validate": status.validate,
    "/context clear": sessions.clear,
    "/context undo": sessions.undo_clear,
    "/context restore": sessions.restore,
    "/context archive": sessions.archive,
    "/set_goal": work.set_goal,
    "/complete_goal": work.complete_goal,
    "/remember": notes.remember,
    "/recall": notes.recall,
    "/forget": notes.forget,
    "/memory_candidates": notes.candidates,
    "/confirm_memory": notes.confirm,
    "/dismiss_memory": notes.dismiss,
    "/unpin": notes.unpin,
    "/focus": work.focus,
    "/unfocus": work.unfocus,
    "/log_decision": work.log_decision,
    "/confirm_decision": work.confirm_decision,
    "/dismiss_decision": work.dismiss_decision,
    "/add_constraint": work.add_constraint,
    "/remove_constraint": work.remove_constraint,
    "/add_action": work.add_action,
    "/complete_action": work.complete_action,
    "/ask": work.ask,
    "/answer": work.answer,
    "/backtrack": sessions.backtrack,
    "/fork": sessions.fork,
    "/resume": sessions.resume,
    "/verify": sessions.verify,
    "/help": help.show_help,
    "facilitator status": facilitator.show_status,
    "facilitator clarify": facilitator.clarify,
    "facilitator update idea": facilitator.update_idea,
    "facilitator backtrack": facilitator.previous_layer,
    "facilitator end session": facilitator.end_session,
}

assert list(HANDLERS) == [offer.command for offer in OFFERS]
