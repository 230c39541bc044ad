"""The effects that Backstory's own events have in a session, for tests that name an event alone."""

from collections.abc import Callable, Mapping
from typing import Any

from backstory.domain import events as e
from backstory.domain.commands.facts import new_item
from backstory.domain.effects import (
    Effects,
    Extension,
    Mark,
    Removal,
    Resume,
    Return,
    Revision,
    WindowSettings,
)
from backstory.domain.errors import InvalidInput, UnknownVersion
from backstory.domain.references import references_of
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW

BROUGHT: dict[type[e.EventBody], str] = {
    e.MessageAdded: "message",
    e.ToolCalled: "tool_exchange",
    e.ItemSaved: "artifact",
    e.DecisionRecorded: "decision",
    e.GoalSet: "goal",
    e.ActionAdded: "action",
    e.QuestionAsked: "question",
    e.ConstraintAdded: "constraint",
    e.TaskStarted: "task",
    e.ErrorMet: "error",
}
"""The type of item that an event brings. A saved item's type is in its effects; here it is an artifact."""


def usual_effects(body: e.EventBody, states: Mapping[int, ContextState], kept: ContextState) -> Effects:
    """The effects of a body that stands alone: none for a type of the user's own. `states` are those of all
    versions, `kept` is the newest with the items that have left every window."""
    if type(body) in BROUGHT:
        return _brings(body)
    find = _EFFECTS.get(type(body))
    return Effects() if find is None else find(body, states, kept)


def _brings(body: e.EventBody) -> Effects:
    type_ = BROUGHT[type(body)]
    task = body.task if isinstance(body, e.TaskStarted) else None
    role = body.role if isinstance(body, e.MessageAdded | e.ToolCalled) else None
    return Effects(brings=new_item(type_, tokens=_tokens(body), role=role, task=task))


def _tokens(body: e.EventBody) -> int:
    """About as many tokens as the texts would have."""
    return sum(1 + ref.size // 4 for ref in references_of(body.encode()))


def _removes(*items: int, disposition: str, window: str | None = None) -> Effects:
    return Effects(removes=(Removal(items=items, disposition=disposition, window=window),))


def _title(title: Any) -> dict[str, Any]:
    return {} if title is None else {"title": {"part": title.part}}


def _started(body: e.SessionStarted, states: Any, kept: ContextState) -> Effects:
    labels: dict[str, Any] = {"status": "open", **_title(body.title)}
    if body.tags:
        labels["tags"] = list(body.tags)
    if body.project is not None:
        labels["project"] = body.project
    return Effects(labels=labels, window=WindowSettings(name=MAIN_WINDOW))


def _backtracked(
    body: e.SessionBacktracked, states: Mapping[int, ContextState], kept: ContextState
) -> Effects:
    resumed = states.get(body.to)
    if resumed is None:
        raise UnknownVersion(f"version {body.to} does not exist.")
    return Effects(resumes=Resume(stream=kept.stream, version=body.to), labels={"status": resumed.status})


def _returned(body: e.ItemsReturned, states: Any, kept: ContextState) -> Effects:
    missing = [item for item in body.items if item not in kept.items]
    if missing:
        raise InvalidInput("items", f"item {missing[0]} was never brought")
    rows = tuple(tuple(kept.items[item]) for item in body.items)
    return Effects(returns=(Return(items=body.items, rows=rows, window=body.window),))


def _task_completed(body: e.TaskCompleted, states: Any, kept: ContextState) -> Effects:
    task = kept.tasks.get(body.task)
    return Effects() if task is None else _removes(task.item, disposition="completed")


def _goal_updated(body: e.GoalUpdated, states: Any, kept: ContextState) -> Effects:
    return Effects() if body.text is None else Effects(revises=Revision(item=body.goal, tokens=_tokens(body)))


_EFFECTS: dict[type[e.EventBody], Callable[[Any, Any, ContextState], Effects]] = {
    e.SessionStarted: _started,
    e.SessionEnded: lambda body, states, kept: Effects(labels={"status": "ended"}),
    e.SessionResumed: lambda body, states, kept: Effects(labels={"status": "open"}),
    e.SessionRenamed: lambda body, states, kept: Effects(labels=_title(body.title)),
    e.SessionTagged: lambda body, states, kept: Effects(labels={"tags": list(body.tags)}),
    e.SessionForked: lambda body, states, kept: Effects(
        resumes=Resume(stream=body.parent, version=body.at), labels={"status": "open", **_title(body.title)}
    ),
    e.SessionBacktracked: _backtracked,
    e.ProjectSet: lambda body, states, kept: Effects(labels={"project": body.name}),
    e.WindowConfigured: lambda body, states, kept: Effects(
        window=WindowSettings(name=body.window, limit=body.limit, encoding=body.encoding, model=body.model)
    ),
    e.ToolAnswered: lambda body, states, kept: Effects(
        extends=Extension(item=body.exchange, tokens=_tokens(body))
    ),
    e.ItemsTouched: lambda body, states, kept: Effects(touches=body.items),
    e.ItemsRemoved: lambda body, states, kept: _removes(
        *body.items, disposition="removed", window=body.window
    ),
    e.ItemsReturned: _returned,
    e.ItemDeprecated: lambda body, states, kept: _removes(body.item, disposition="deprecated"),
    e.ErrorResolved: lambda body, states, kept: _removes(body.item, disposition="resolved"),
    e.GoalUpdated: _goal_updated,
    e.GoalCompleted: lambda body, states, kept: _removes(body.goal, *body.closed, disposition="completed"),
    e.ActionCompleted: lambda body, states, kept: _removes(body.action, disposition="completed"),
    e.QuestionAnswered: lambda body, states, kept: _removes(body.question, disposition="answered"),
    e.ConstraintRemoved: lambda body, states, kept: _removes(body.constraint, disposition="removed"),
    e.TaskCompleted: _task_completed,
    e.CheckpointTaken: lambda body, states, kept: Effects(marks=Mark(name=body.name)),
}
