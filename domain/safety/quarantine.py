"""States without what is in quarantine."""

from backstory.domain.state import ContextState


def without_quarantined(state: ContextState) -> ContextState:
    """The state as prompts may know it: without the goals, decisions, tasks and so on that are in quarantine. The state
    itself where nothing is."""
    hidden = state.quarantined
    if not hidden:
        return state
    seen = state.copy()
    for name in ("goals", "actions", "questions", "constraints", "errors", "pins"):
        kept = {key: value for key, value in getattr(state, name).items() if key not in hidden}
        setattr(seen, name, kept)
    seen.tasks = {name: task for name, task in state.tasks.items() if task.item not in hidden}
    if seen.current_task not in seen.tasks:
        seen.current_task = None
    seen.decisions = [note for note in state.decisions if note.id not in hidden]
    seen.candidates = [
        note for note in state.candidates if note.id not in hidden and note.noticed_in not in hidden
    ]
    seen.compactions = [compaction for compaction in state.compactions if compaction not in hidden]
    seen.feedback = [item for item in state.feedback if item not in hidden]
    if state.summary is not None and state.summary.item in hidden:
        seen.summary = None
    return seen
