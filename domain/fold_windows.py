"""What the events of windows do to the state."""

from math import ceil

from backstory.domain import events as e
from backstory.domain.fold_bodies import count
from backstory.domain.fold_clearing import FOLDS, folds
from backstory.domain.state import ContextState

__all__ = ["FOLDS", "folds"]


@folds(e.PolicyChosen)
def _policy_chosen(state: ContextState, event: e.Event, body: e.PolicyChosen) -> None:
    state.policies[body.kind] = {"name": body.name, "version": body.version, "settings": dict(body.settings)}


@folds(e.ResultsStubbed)
def _results_stubbed(state: ContextState, event: e.Event, body: e.ResultsStubbed) -> None:
    count(state, "stubbings")


@folds(e.CompactionUndone)
def _compaction_undone(state: ContextState, event: e.Event, body: e.CompactionUndone) -> None:
    state.compactions = [standing for standing in state.compactions if standing != body.compaction]


@folds(e.WindowConfigured)
def _window_configured(state: ContextState, event: e.Event, body: e.WindowConfigured) -> None:
    # Under another limit the levels begin elsewhere.
    state.alerts.pop(body.window, None)


@folds(e.WindowAlerted)
def _window_alerted(state: ContextState, event: e.Event, body: e.WindowAlerted) -> None:
    count(state, "alerts")
    state.alerts[body.window] = {
        level: ceil(share * body.limit) - body.next_tokens for level, share in body.levels.items()
    }


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
