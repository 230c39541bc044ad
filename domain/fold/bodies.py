"""Folds of events whose state is not covered by the generic effects: conversation, goals, tasks, files."""

from typing import Any

from backstory.domain import events as e
from backstory.domain.context.calibration import Calibration
from backstory.domain.events.conversation import MessageBody
from backstory.domain.fold.artifacts import artifact_saved
from backstory.domain.log.references import ContentRef
from backstory.domain.records import (
    Action,
    Agent,
    Decision,
    FileFocus,
    Goal,
    LastCall,
    Place,
    Project,
    Question,
    Task,
)
from backstory.domain.state import (
    COMPLETED_TASKS_KEPT,
    DECISIONS_KEPT,
    FEEDBACK_KEPT,
    FILES_KEPT,
    NAMES_KEPT,
    OPEN_CALLS_KEPT,
    ContextState,
)
from backstory.domain.values import microseconds

FEEDBACK = "feedback"
"""The kind of message that tells what somebody thinks of the work."""


def place(event: e.Event, ref: ContentRef) -> Place:
    return (event.version, ref.part)


def count(state: ContextState, counter: str, by: int = 1) -> None:
    state.counters[counter] = state.counters.get(counter, 0) + by


def drop_oldest(kept: dict[Any, Any], most: int) -> None:
    while len(kept) > most:
        del kept[next(iter(kept))]


def set_role(state: ContextState, event: e.Event, role: str) -> None:
    item = state.items.get(event.version)
    if item is not None:
        state.items[event.version] = item._replace(role=role)


def started(state: ContextState, event: e.Event, body: e.SessionStarted) -> None:
    if body.project is not None:
        state.project = Project(body.project, None, None, None)


def backtracked(state: ContextState, event: e.Event, body: e.SessionBacktracked) -> None:
    count(state, "backtracks")


def project_set(state: ContextState, event: e.Event, body: e.ProjectSet) -> None:
    state.project = Project(body.name, body.id, body.current_idea, body.status)


def agent_joined(state: ContextState, event: e.Event, body: e.AgentJoined) -> None:
    state.agents[body.name] = Agent(body.id, body.version, body.mode, body.capabilities)


def message_added(state: ContextState, event: e.Event, body: e.MessageAdded) -> None:
    _said(state, event, body)
    if body.kind is not None:
        count(state, f"{body.kind}s" if body.kind == "clarification" else f"kind:{body.kind}")
    if body.kind == FEEDBACK:
        state.feedback = [*state.feedback, event.version][-FEEDBACK_KEPT:]


def tool_called(state: ContextState, event: e.Event, body: e.ToolCalled) -> None:
    _said(state, event, body)
    state.open_calls.update(dict.fromkeys(body.calls, event.version))
    drop_oldest(state.open_calls, OPEN_CALLS_KEPT)


def tool_answered(state: ContextState, event: e.Event, body: e.ToolAnswered) -> None:
    count(state, "messages")
    for call in body.answers:
        state.open_calls.pop(call, None)


def _said(state: ContextState, event: e.Event, body: MessageBody) -> None:
    count(state, "messages")
    set_role(state, event, str(body.role))


def model_called(state: ContextState, event: e.Event, body: e.ModelCalled) -> None:
    count(state, "model_calls")
    count(state, "input_tokens", body.input_tokens or 0)
    count(state, "output_tokens", body.output_tokens or 0)
    count(state, "cost_microdollars", round((body.cost_usd or 0) * 1_000_000))
    state.last_call = LastCall(event.version, body.model, body.input_tokens, body.output_tokens)
    if body.assembled_tokens and body.input_tokens:
        known = state.calibrations.pop(body.model, Calibration())
        state.calibrations[body.model] = known.with_call(body.assembled_tokens, body.input_tokens)
        drop_oldest(state.calibrations, NAMES_KEPT)


def item_deprecated(state: ContextState, event: e.Event, body: e.ItemDeprecated) -> None:
    open_items: tuple[dict[int, Any], ...] = (
        state.goals,
        state.actions,
        state.questions,
        state.constraints,
        state.errors,
    )
    for kind in open_items:
        kind.pop(body.item, None)


def item_saved(state: ContextState, event: e.Event, body: e.ItemSaved) -> None:
    artifact_saved(state, event, body)
    if body.path is not None:
        state.saved_files.pop(body.path, None)
        state.saved_files[body.path] = event.version
        drop_oldest(state.saved_files, FILES_KEPT)


def decision_recorded(state: ContextState, event: e.Event, body: e.DecisionRecorded) -> None:
    at = microseconds(event.occurred_at)
    note = Decision(event.version, at, str(body.priority), body.decided_by, body.recorded_by)
    state.decisions = [*state.decisions, note][-DECISIONS_KEPT:]


def goal_set(state: ContextState, event: e.Event, body: e.GoalSet) -> None:
    state.goals[event.version] = Goal(
        place(event, body.text),
        str(body.priority),
        body.parent,
        body.status,
        microseconds(event.occurred_at),
        event.actor,
    )


def goal_updated(state: ContextState, event: e.Event, body: e.GoalUpdated) -> None:
    goal = state.goals.get(body.goal)
    if goal is not None:
        state.goals[body.goal] = goal._replace(
            text=place(event, body.text) if body.text else goal.text,
            priority=str(body.priority or goal.priority),
            status=body.status or goal.status,
        )


def goal_completed(state: ContextState, event: e.Event, body: e.GoalCompleted) -> None:
    for goal in (body.goal, *body.closed):
        if state.goals.pop(goal, None) is not None:
            count(state, "goals_completed")


def action_added(state: ContextState, event: e.Event, body: e.ActionAdded) -> None:
    state.actions[event.version] = Action(
        place(event, body.text),
        str(body.priority),
        body.layer,
        body.estimate_minutes,
        body.assignee,
        microseconds(body.due) if body.due else None,
        place(event, body.blocked_by) if body.blocked_by else None,
        microseconds(event.occurred_at),
    )


def action_blocked(state: ContextState, event: e.Event, body: e.ActionBlocked) -> None:
    action = state.actions.get(body.action)
    if action is not None:
        blocked_by = place(event, body.by) if body.by else None
        state.actions[body.action] = action._replace(blocked_by=blocked_by)


def action_completed(state: ContextState, event: e.Event, body: e.ActionCompleted) -> None:
    if state.actions.pop(body.action, None) is not None:
        count(state, "actions_completed")


def question_asked(state: ContextState, event: e.Event, body: e.QuestionAsked) -> None:
    state.questions[event.version] = Question(
        place(event, body.text),
        place(event, body.context) if body.context else None,
        str(body.priority),
        body.asked_by,
        microseconds(event.occurred_at),
        body.blocks,
    )


def question_answered(state: ContextState, event: e.Event, body: e.QuestionAnswered) -> None:
    if state.questions.pop(body.question, None) is not None:
        count(state, "questions_answered")


def constraint_added(state: ContextState, event: e.Event, body: e.ConstraintAdded) -> None:
    state.constraints[event.version] = place(event, body.text)


def constraint_removed(state: ContextState, event: e.Event, body: e.ConstraintRemoved) -> None:
    state.constraints.pop(body.constraint, None)


def task_started(state: ContextState, event: e.Event, body: e.TaskStarted) -> None:
    state.tasks[body.task] = Task(
        event.version,
        place(event, body.text),
        tuple(place(event, criterion) for criterion in body.acceptance_criteria),
        body.depends_on_tasks,
        body.depends_on_files,
        microseconds(event.occurred_at),
    )
    state.current_task = body.task


def task_completed(state: ContextState, event: e.Event, body: e.TaskCompleted) -> None:
    if state.tasks.pop(body.task, None) is None:
        return
    count(state, "tasks_completed")
    state.completed_tasks = [*state.completed_tasks, body.task][-COMPLETED_TASKS_KEPT:]
    _leave_task(state, body.task)


def task_failed(state: ContextState, event: e.Event, body: e.TaskFailed) -> None:
    if state.tasks.pop(body.task, None) is None:
        return
    count(state, "tasks_failed")
    _leave_task(state, body.task)


def _leave_task(state: ContextState, task: str) -> None:
    if state.current_task == task:
        state.current_task = max(state.tasks, key=lambda task: state.tasks[task].item, default=None)


def phase_changed(state: ContextState, event: e.Event, body: e.PhaseChanged) -> None:
    state.phase = body.phase


def layer_changed(state: ContextState, event: e.Event, body: e.LayerChanged) -> None:
    state.project_layer = body.project_layer


def clarity_changed(state: ContextState, event: e.Event, body: e.ClarityChanged) -> None:
    state.clarity = body.clarity


def files_focused(state: ContextState, event: e.Event, body: e.FilesFocused) -> None:
    state.focus = FileFocus(body.files, body.last_edited, body.current_function)


def command_executed(state: ContextState, event: e.Event, body: e.CommandExecuted) -> None:
    count(state, "commands_executed")


def file_updated(state: ContextState, event: e.Event, body: e.FileUpdated) -> None:
    count(state, "files_updated")
    state.files.pop(body.path, None)
    if body.checksum is not None:
        state.files[body.path] = body.checksum
        drop_oldest(state.files, FILES_KEPT)


def commit_made(state: ContextState, event: e.Event, body: e.CommitMade) -> None:
    count(state, "git_commits")


def error_met(state: ContextState, event: e.Event, body: e.ErrorMet) -> None:
    count(state, "errors_encountered")
    state.errors[event.version] = body.name


def error_resolved(state: ContextState, event: e.Event, body: e.ErrorResolved) -> None:
    state.errors.pop(body.item, None)
