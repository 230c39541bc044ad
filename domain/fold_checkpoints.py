"""What a checkpoint does to the state, besides marking its version."""

from backstory.domain import events as e
from backstory.domain.fold_windows import FOLDS, folds
from backstory.domain.records import CheckpointNote
from backstory.domain.state import ContextState
from backstory.domain.values import microseconds

__all__ = ["FOLDS", "folds"]


@folds(e.CheckpointTaken)
def _checkpoint_taken(state: ContextState, event: e.Event, body: e.CheckpointTaken) -> None:
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
    )
