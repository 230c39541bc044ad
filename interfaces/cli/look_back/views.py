"""`backstory sessions hot-context`, `recent-history`, `restore-view`: what is needed to go on with a session."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from backstory.domain.errors import NotFound
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json, SessionName
from backstory.interfaces.cli.output.layout import ROWS, columns, line, paragraph
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.views import (
    HistoryMessageDocument,
    HotContextDocument,
    RestoreViewDocument,
)
from backstory.interfaces.wording import ERASED, moment, one_line, session_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from backstory.application.queries.recent_history import HistoryMessage

TEXT_INDENT = 4

AsActor = Annotated[
    str | None, typer.Option(metavar="NAME", help="As this agent sees it, with its private items.")
]


@command(
    "sessions hot-context",
    Manual(
        examples=("backstory sessions hot-context last", "backstory sessions hot-context last --json"),
        document=HotContextDocument,
        fails=(NotFound,),
    ),
)
def hot_context(
    context: typer.Context, session: SessionName, actor: AsActor = None, json: Json = False
) -> None:
    """Show the working state: goals, files, actions, decisions, constraints, pinned notes."""
    run = run_of(context)
    with run.session(session, actor) as found:
        hot = found.views.hot_context()
    if json:
        run.document(HotContextDocument.model_validate(hot))
    else:
        _print_hot(run, hot)


@command(
    "sessions recent-history",
    Manual(
        examples=(
            "backstory sessions recent-history last",
            "backstory sessions recent-history last --limit 5 --min-importance 0 --json",
        ),
        document=HistoryMessageDocument,
        lines=True,
        fails=(NotFound,),
    ),
)
def recent_history(
    context: typer.Context,
    session: SessionName,
    limit: Annotated[int, typer.Option(metavar="N", help="Messages, at most.")] = ROWS,
    max_tokens: Annotated[int, typer.Option(metavar="N", help="Tokens of all of them, at most.")] = 3000,
    min_importance: Annotated[
        float, typer.Option(metavar="SHARE", help="Only messages of at least this importance, 0 to 1.")
    ] = 0.5,
    actor: AsActor = None,
    json: Json = False,
) -> None:
    """Print the newest messages of the main window with their texts."""
    run = run_of(context)
    with run.session(session, actor) as found:
        messages = found.views.recent_history(limit, max_tokens=max_tokens, min_importance=min_importance)
    if not json:
        _print_messages(run, messages)
        return
    for message in messages:
        run.line(HistoryMessageDocument.model_validate(message))


@command(
    "sessions restore-view",
    Manual(
        examples=("backstory sessions restore-view last",),
        document=RestoreViewDocument,
        fails=(NotFound,),
        notes="Changes nothing; `sessions resume` also opens a session again that has ended.",
    ),
)
def restore_view(
    context: typer.Context, session: SessionName, actor: AsActor = None, json: Json = False
) -> None:
    """Show what is needed to go on: goals, next steps, the last ten messages, the hot context."""
    from backstory.application.queries.resume import view_lines
    from backstory.application.queries.session_list import summary_of

    run = run_of(context)
    with run.session(session, actor) as found:
        view = found.views.restore_view()
        name = session_name(summary_of(found))
    if json:
        run.document(RestoreViewDocument.model_validate(view))
        return
    run.out.print(line((name, "heading")))
    for text in view_lines(view):
        run.out.print(Text(text))
    if view.recent_history:
        run.out.print(line(("last messages", "heading")))
        _print_messages(run, view.recent_history)
    _print_hot(run, view.hot_context)


def _print_messages(run: Run, messages: "Iterable[HistoryMessage]") -> None:
    for message in messages:
        who = message.agent or message.role or "tool"
        run.out.print(
            line(
                (f"{message.item:>6}  ", "version"),
                (f"{moment(message.at)}  ", "quiet"),
                one_line(who),
                (f"  {message.importance:.2f}", "quiet"),
            )
        )
        paragraph(run.out, ERASED if message.text is None else message.text, indent=TEXT_INDENT)


def _print_hot(run: Run, hot: dict[str, Any]) -> None:
    files = hot["current_file_context"]
    sections = {
        "goals": [f"{row['goal_id']} [{row['status']}] {_told(row['goal'])}" for row in hot["active_goals"]],
        "files": files["files"],
        "actions": [_told(text) for text in hot["pending_actions"]],
        "questions": [_told(text) for text in hot["open_questions"]],
        "decisions": [f"{row['decision_id']} {_told(row['decision'])}" for row in hot["key_decisions"]],
        "constraints": [_told(text) for text in hot["important_constraints"]],
        "pinned notes": [f"ITEM-{row['item']} {_told(row['text'])}" for row in hot["pinned_notes"]],
        "entities": [", ".join(names) for names in hot["key_entities"].values() if names],
    }
    for heading, rows in sections.items():
        if rows:
            run.out.print(line((heading, "heading")))
            run.out.print(columns([[one_line(row)] for row in rows], indent=2))


def _told(text: str | None) -> str:
    return ERASED if text is None else text
