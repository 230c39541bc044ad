"""The fold of each event type. Types that are not listed change the state by their effects only."""

from collections.abc import Callable
from typing import Any

from backstory.domain import events as e
from backstory.domain.fold import bodies, contexts, memory, windows
from backstory.domain.state import ContextState

Fold = Callable[[ContextState, e.Event, Any], None]

FOLDS: dict[str, Fold] = {
    e.SessionStarted.type: bodies.started,
    e.SessionBacktracked.type: bodies.backtracked,
    e.ProjectSet.type: bodies.project_set,
    e.AgentJoined.type: bodies.agent_joined,
    e.MessageAdded.type: bodies.message_added,
    e.ToolCalled.type: bodies.tool_called,
    e.ToolAnswered.type: bodies.tool_answered,
    e.ModelCalled.type: bodies.model_called,
    e.ItemSaved.type: bodies.item_saved,
    e.ItemDeprecated.type: bodies.item_deprecated,
    e.DecisionRecorded.type: bodies.decision_recorded,
    e.GoalSet.type: bodies.goal_set,
    e.GoalUpdated.type: bodies.goal_updated,
    e.GoalCompleted.type: bodies.goal_completed,
    e.ActionAdded.type: bodies.action_added,
    e.ActionBlocked.type: bodies.action_blocked,
    e.ActionCompleted.type: bodies.action_completed,
    e.QuestionAsked.type: bodies.question_asked,
    e.QuestionAnswered.type: bodies.question_answered,
    e.ConstraintAdded.type: bodies.constraint_added,
    e.ConstraintRemoved.type: bodies.constraint_removed,
    e.TaskStarted.type: bodies.task_started,
    e.TaskCompleted.type: bodies.task_completed,
    e.PhaseChanged.type: bodies.phase_changed,
    e.LayerChanged.type: bodies.layer_changed,
    e.ClarityChanged.type: bodies.clarity_changed,
    e.FilesFocused.type: bodies.files_focused,
    e.CommandExecuted.type: bodies.command_executed,
    e.FileUpdated.type: bodies.file_updated,
    e.CommitMade.type: bodies.commit_made,
    e.ErrorMet.type: bodies.error_met,
    e.ErrorResolved.type: bodies.error_resolved,
    e.DecisionNoticed.type: contexts.decision_noticed,
    e.DecisionConfirmed.type: contexts.decision_confirmed,
    e.DecisionDismissed.type: contexts.decision_dismissed,
    e.SystemPromptSet.type: contexts.system_prompt_set,
    e.SummaryMade.type: contexts.summary_made,
    e.ContextAssembled.type: contexts.context_assembled,
    e.ItemPinned.type: contexts.item_pinned,
    e.ItemUnpinned.type: contexts.item_unpinned,
    e.ItemsCompacted.type: contexts.items_compacted,
    e.ContentsErased.type: contexts.content_erased,
    e.PolicyChosen.type: windows.policy_chosen,
    e.ResultsStubbed.type: windows.results_stubbed,
    e.CompactionUndone.type: windows.compaction_undone,
    e.WindowConfigured.type: windows.window_configured,
    e.WindowAlerted.type: windows.window_alerted,
    e.ContextCleared.type: windows.context_cleared,
    e.ClearUndone.type: windows.clear_undone,
    e.CheckpointTaken.type: windows.checkpoint_taken,
    e.PrunePlanned.type: windows.prune_planned,
    e.WorkingSetKept.type: windows.working_set_kept,
    e.MemoryRecorded.type: memory.memory_recorded,
    e.MemoryForgotten.type: memory.memory_forgotten,
}
