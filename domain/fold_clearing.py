"""What clears do to the state: it knows which of them still stand, the newest last."""

from backstory.domain import events as e
from backstory.domain.fold_contexts import FOLDS, folds
from backstory.domain.state import CLEARS_KEPT, ContextState

__all__ = ["FOLDS", "folds"]


@folds(e.ContextCleared)
def _context_cleared(state: ContextState, event: e.Event, body: e.ContextCleared) -> None:
    state.clears = [*state.clears, event.version][-CLEARS_KEPT:]


@folds(e.ClearUndone)
def _clear_undone(state: ContextState, event: e.Event, body: e.ClearUndone) -> None:
    state.clears = [clear for clear in state.clears if clear != body.clear]
