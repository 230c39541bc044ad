"""The effects that Backstory's own events have in a session, for tests that name an event alone."""

from collections.abc import Callable, Mapping
from typing import Any

from backstory.domain import events as e
from backstory.domain.commands.compaction import UNDONE
from backstory.domain.commands.facts import new_item
from backstory.domain.commands.memory import MEMORY
from backstory.domain.commands.recovery import ARCHIVED, FLASH_SAVE, STORED
from backstory.domain.commands.safety import QUARANTINED
from backstory.domain.effects import (
    Effects,
    Extension,
    Judgement,
    Mark,
    Removal,
    Resume,
    Return,
    Revision,
    WindowSettings,
)
from backstory.domain.errors import InvalidInput, UnknownVersion
from backstory.domain.log.ranges import from_ranges
from backstory.domain.log.references import references_of
from backstory.domain.policies.memory import DEFAULT_MEMORY
from backstory.domain.policies.tiers import TIER_LABEL, TierPolicy
from backstory.domain.policies.window import ZONES_LABEL, WindowPolicy
from backstory.domain.state import ContextState
from backstory.domain.trust import Trust
from backstory.domain.values import MAIN_WINDOW, Tier

BROUGHT: dict[type[e.EventBody], str] = {
    e.MessageAdded: "message",
    e.ToolCalled: "tool_exchange",
    e.ItemSaved: "artifact",
    e.DecisionRecorded: "decision",
    e.DecisionConfirmed: "decision",
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
    return _back(body.items, body.window, kept)


def _back(items: tuple[int, ...], window: str, kept: ContextState) -> Effects:
    missing = [item for item in items if item not in kept.items]
    if missing:
        raise InvalidInput("items", f"item {missing[0]} was never brought")
    rows = tuple(tuple(kept.items[item]._replace(quarantined=False)) for item in items)
    return Effects(returns=(Return(items=items, rows=rows, window=window),))


def _task_completed(body: e.TaskCompleted, states: Any, kept: ContextState) -> Effects:
    task = kept.tasks.get(body.task)
    return Effects() if task is None else _removes(task.item, disposition="completed")


def _task_failed(body: e.TaskFailed, states: Any, kept: ContextState) -> Effects:
    task = kept.tasks.get(body.task)
    return Effects() if task is None else _removes(task.item, disposition="failed")


def _goal_updated(body: e.GoalUpdated, states: Any, kept: ContextState) -> Effects:
    return Effects() if body.text is None else Effects(revises=Revision(item=body.goal, tokens=_tokens(body)))


def _replacing(body: e.EventBody, type_: str, replaced: int | None, kept: ContextState) -> Effects:
    """A prompt or a summary, in place of the one before it."""
    before = kept.items.get(replaced or 0)
    live = [before.id] if before is not None and before.windows else []
    removes = (Removal(items=tuple(live), disposition="superseded"),) if live else ()
    return Effects(brings=new_item(type_, tokens=_tokens(body)), removes=removes)


def _compacted(body: e.ItemsCompacted, states: Any, kept: ContextState) -> Effects:
    summarized, dropped = from_ranges(body.summarized), from_ranges(body.dropped)
    gone: tuple[tuple[str, tuple[int, ...]], ...] = (("summarized", summarized), ("dropped", dropped))
    if body.algorithm == FLASH_SAVE:
        cold = tuple(item for item in dropped if item in kept.items and kept.items[item].tier == Tier.COLD)
        gone = ((STORED, tuple(item for item in dropped if item not in cold)), (ARCHIVED, cold))
    removes = tuple(
        Removal(items=items, disposition=disposition, window=body.window)
        for disposition, items in gone
        if items
    )
    summary = None
    if body.summary is not None:
        summary = new_item("summary", tokens=_tokens(body), windows=(body.window,))
    return Effects(brings=summary, removes=removes)


def _compaction_undone(body: e.CompactionUndone, states: Any, kept: ContextState) -> Effects:
    summary = kept.items.get(body.compaction)
    removes: tuple[Removal, ...] = ()
    if summary is not None and body.window in summary.windows:
        removes = (Removal(items=(body.compaction,), disposition=UNDONE, window=body.window),)
    back = from_ranges(body.items)
    return Effects(removes=removes, returns=_back(back, body.window, kept).returns if back else ())


def _policy_chosen(body: e.PolicyChosen, states: Any, kept: ContextState) -> Effects:
    if body.kind == WindowPolicy.kind:
        chosen = WindowPolicy(name=body.name, version=body.version, **body.settings)
        return Effects(labels={ZONES_LABEL: chosen.zones_label()})
    if body.kind != TierPolicy.kind:
        return Effects()
    policy = TierPolicy(name=body.name, version=body.version, **body.settings)
    return Effects(labels={TIER_LABEL: policy.as_label()})


def _quarantined(body: e.ItemsQuarantined, states: Any, kept: ContextState) -> Effects:
    live = tuple(item for item in body.items if item in kept.items and kept.items[item].windows)
    removes = _removes(*live, disposition=QUARANTINED).removes if live else ()
    return Effects(judges=Judgement(items=body.items, quarantined=True), removes=removes)


def _released(body: e.ItemsReleased, states: Any, kept: ContextState) -> Effects:
    windows = {item: kept.quarantined.get(item, []) for item in body.items}
    returns = tuple(
        returned
        for window in dict.fromkeys(name for names in windows.values() for name in names)
        for returned in _back(
            tuple(item for item, names in windows.items() if window in names), window, kept
        ).returns
    )
    return Effects(judges=Judgement(items=body.items, quarantined=False), returns=returns)


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
    e.TaskFailed: _task_failed,
    e.SystemPromptSet: lambda body, states, kept: _replacing(body, "system_prompt", kept.system_prompt, kept),
    e.SummaryMade: lambda body, states, kept: _replacing(body, "summary", body.replaces, kept),
    e.ItemsCompacted: _compacted,
    e.ContextCleared: lambda body, states, kept: _removes(
        *from_ranges(body.items), disposition="cleared", window=body.window
    ),
    e.ClearUndone: lambda body, states, kept: _back(from_ranges(body.items), body.window, kept),
    e.TiersReassigned: lambda body, states, kept: Effects(
        tiers={tier: from_ranges(items) for tier, items in body.changes.items()}
    ),
    e.PolicyChosen: _policy_chosen,
    e.ProjectStarted: lambda body, states, kept: Effects(
        labels={"project": body.name}, window=WindowSettings(name=MAIN_WINDOW)
    ),
    e.MemoryRecorded: lambda body, states, kept: Effects(
        brings=new_item(MEMORY, tokens=_tokens(body), importance=DEFAULT_MEMORY.importance[body.kind]),
        removes=_removes(*body.supersedes, disposition="superseded").removes if body.supersedes else (),
    ),
    e.MemoryConfirmed: lambda body, states, kept: Effects(),
    e.MemoryCorroborated: lambda body, states, kept: Effects(),
    e.SessionReviewed: lambda body, states, kept: Effects(),
    e.MemoryForgotten: lambda body, states, kept: _removes(body.memory, disposition="forgotten"),
    e.ItemsConfirmed: lambda body, states, kept: Effects(
        judges=Judgement(items=body.items, trust=Trust.TRUSTED)
    ),
    e.ItemsQuarantined: _quarantined,
    e.ItemsReleased: _released,
    e.FlagsCleared: lambda body, states, kept: Effects(
        judges=Judgement(items=body.items, cleared=body.flags)
    ),
    e.CompactionUndone: _compaction_undone,
    e.CheckpointTaken: lambda body, states, kept: Effects(marks=Mark(name=body.name)),
}
