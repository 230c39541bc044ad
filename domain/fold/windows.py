"""Folds of window events: policies, stubs, alerts, clears, checkpoints, working sets."""

from math import ceil

from backstory.domain import events as e
from backstory.domain.fold.bodies import count, drop_oldest
from backstory.domain.records import CheckpointNote, working_set_name
from backstory.domain.state import CLEARS_KEPT, NAMES_KEPT, ContextState
from backstory.domain.values import microseconds


def policy_chosen(state: ContextState, event: e.Event, body: e.PolicyChosen) -> None:
    state.policies[body.kind] = {"name": body.name, "version": body.version, "settings": dict(body.settings)}


def results_stubbed(state: ContextState, event: e.Event, body: e.ResultsStubbed) -> None:
    count(state, "stubbings")


def compaction_undone(state: ContextState, event: e.Event, body: e.CompactionUndone) -> None:
    state.compactions = [standing for standing in state.compactions if standing != body.compaction]
    count(state, "compactions", -1)


def window_configured(state: ContextState, event: e.Event, body: e.WindowConfigured) -> None:
    # Under another limit the levels begin elsewhere.
    state.alerts.pop(body.window, None)


def window_alerted(state: ContextState, event: e.Event, body: e.WindowAlerted) -> None:
    count(state, "alerts")
    state.alerts[body.window] = {
        level: ceil(share * body.limit) - body.next_tokens for level, share in body.levels.items()
    }


def context_cleared(state: ContextState, event: e.Event, body: e.ContextCleared) -> None:
    state.clears = [*state.clears, event.version][-CLEARS_KEPT:]


def clear_undone(state: ContextState, event: e.Event, body: e.ClearUndone) -> None:
    state.clears = [clear for clear in state.clears if clear != body.clear]


def checkpoint_taken(state: ContextState, event: e.Event, body: e.CheckpointTaken) -> None:
    window = state.windows.get(body.window)
    state.checkpoint = CheckpointNote(
        version=event.version,
        at=microseconds(event.occurred_at),
        window=body.window,
        tokens=window.tokens if window is not None else 0,
        live=len(state.items),
        brought=sum(state.counts.values()),
        activity=state.activity,
        phase=state.phase,
        tasks_completed=state.counters.get("tasks_completed", 0),
        for_size="context_size_threshold" in body.triggers,
        layer=state.project_layer,
    )


def prune_planned(state: ContextState, event: e.Event, body: e.PrunePlanned) -> None:
    state.prune_plans[body.window] = event.version


def working_set_kept(state: ContextState, event: e.Event, body: e.WorkingSetKept) -> None:
    state.working_sets[working_set_name(body.agent, body.tier)] = event.version
    drop_oldest(state.working_sets, NAMES_KEPT)


def forget_left_alerts(state: ContextState) -> None:
    """An alert stands until the window has fewer tokens than its level begins with; then the level was left."""
    for name, levels in list(state.alerts.items()):
        window = state.windows.get(name)
        standing = {
            level: least for level, least in levels.items() if window is not None and window.tokens >= least
        }
        if not standing:
            del state.alerts[name]
        elif len(standing) < len(levels):
            state.alerts[name] = standing
