"""`backstory at` and `backstory diff`: what the context was, and what became of it."""

from typing import Annotated

import typer

from backstory.application.branches.diff import diff_states
from backstory.domain.errors import NotFound
from backstory.interfaces.cli import shapes
from backstory.interfaces.cli.commands import Json, SessionName, command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.state_view import diff_view, state_view

STATE_KEYS = {
    "session": "the session that recorded this version",
    "version": "the version",
    "epoch": "how many backtracks there had been",
    "recorded_at": "when the version was recorded",
    "status": "open or ended",
    "title": "the title, or null",
    "tags": "a list",
    "project": "name, id, current_idea and status, or null",
    "phase": "the phase, or null",
    "project_layer": "0 to 5, or null",
    "clarity": "percent, or null",
    "agents": "by name: id, version, mode, capabilities",
    "windows": "by name: limit, encoding, model, items, tokens",
    "goals": "open ones: item, text, priority, status, parent",
    "questions": "open ones: item, text, priority, asked_by",
    "actions": "open ones: item, text, priority, assignee",
    "constraints": "those that hold: item, text",
    "tasks": "open ones: task, text",
    "current_task": "the task at hand, or null",
    "decisions": (
        "the newest 50: item, text, rationale, priority, decided_by, recorded_by, noticed_in, confirmed, at"
    ),
    "decision_count": "how many there are in all",
    "system_prompt": "the item that every call begins with, or null",
    "summary": "the newest session summary: item, upto, messages; or null",
    "pins": "items that are in every context",
    "last_assembly": "the newest recorded context: version, at; or null",
    "items": (
        "what is live: item, type, role, agent, private, tokens, importance, tier, windows, task, "
        "references, brought_at, accesses, text"
    ),
    "counters": "what was counted: messages, commands_executed, …",
    "digest": "SHA-256 of the state: equal states have equal digests",
}
CHANGE_KEYS = {
    "items_in": "items that came, as in `at`",
    "items_out": "items that went",
    "items_changed": "items that changed, as they are at the second version",
    "decisions_added": "decisions that came, as in `at`",
    "decisions_gone": "decisions that the second version does not know",
    "goals_added": "goals that were set",
    "goals_gone": "goals that were completed, or that the second version does not know",
    "goals_changed": "goals with another text, priority or status",
    "questions_opened": "items of questions that were asked",
    "questions_closed": "items of questions that were answered, or that the second version does not know",
    "tokens": "by window: tokens at the first version, and at the second",
    "pins_added": "items that were pinned",
    "pins_gone": "items that are no longer pinned",
    "counters": "what was counted and changed, at the first version and at the second: model_calls, assemblies, …",
}

Version = Annotated[
    int, typer.Argument(metavar="VERSION", help="A version, on whatever branch.", show_default=False)
]


@command(
    "at",
    Manual(
        examples=("backstory at last 7", "backstory at last 7 --json"), keys=STATE_KEYS, fails=(NotFound,)
    ),
)
def at(context: typer.Context, session: SessionName, version: Version, json: Json = False) -> None:
    """Show the context as it was at a version."""
    run = run_of(context)
    with run.history(session) as history:
        readable = history.state(version)
        if json:
            run.document(shapes.state(readable))
        else:
            run.out.print(state_view(readable, history.newest))


@command(
    "diff",
    Manual(
        examples=("backstory diff last 7 12", "backstory diff last 12 18 --json"),
        keys={"session": "the id", "from": "the first version", "to": "the second version", **CHANGE_KEYS},
        fails=(NotFound,),
        notes="The versions may be on different branches: then it is what one has and the other has not.",
    ),
)
def diff(
    context: typer.Context,
    session: SessionName,
    first: Annotated[
        int, typer.Argument(metavar="V1", help="The version to start from.", show_default=False)
    ],
    second: Annotated[int, typer.Argument(metavar="V2", help="The version to compare.", show_default=False)],
    json: Json = False,
) -> None:
    """Show what changed between two versions: items in and out, decisions, goals, tokens."""
    run = run_of(context)
    with run.history(session) as history:
        before, after = history.state(first), history.state(second)
        found = diff_states(before.state, after.state)
        if json:
            versions = {"session": str(history.session), "from": first, "to": second}
            run.document({**versions, **shapes.changes(found, before, after)})
        else:
            run.out.print(diff_view(found, before, after))
