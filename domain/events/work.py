"""Events of the work: goals, actions, questions, constraints, tasks."""

from datetime import datetime
from typing import ClassVar, Literal

from pydantic import Field

from backstory.domain.events.base import EventBody
from backstory.domain.references import ContentRef
from backstory.domain.values import ItemId, Label, Priority

GoalStatus = Literal["pending", "in-progress"]


class GoalSet(EventBody):
    """A goal, or a sub-goal of one."""

    type: ClassVar[str] = "goal.set"
    text: ContentRef
    priority: Priority = Priority.MEDIUM
    parent: ItemId | None = None
    status: GoalStatus = "pending"


class GoalUpdated(EventBody):
    """A goal's text, priority or status changed."""

    type: ClassVar[str] = "goal.updated"
    goal: ItemId
    text: ContentRef | None = None
    priority: Priority | None = None
    status: GoalStatus | None = None


class GoalCompleted(EventBody):
    """A goal was reached, and with it what was still open below it."""

    type: ClassVar[str] = "goal.completed"
    goal: ItemId
    closed: tuple[ItemId, ...] = ()
    """The sub-goals that were closed with it."""


class ActionAdded(EventBody):
    """Something to do."""

    type: ClassVar[str] = "action.added"
    text: ContentRef
    priority: Priority = Priority.MEDIUM
    layer: int | None = Field(default=None, ge=0, le=5)
    estimate_minutes: int | None = Field(default=None, ge=0)
    assignee: Label | None = None
    due: datetime | None = None
    blocked_by: ContentRef | None = None


class ActionBlocked(EventBody):
    """An action waits for something, or no longer does."""

    type: ClassVar[str] = "action.blocked"
    action: ItemId
    by: ContentRef | None = None
    """What it waits for; None when it is free again."""


class ActionCompleted(EventBody):
    """An action is done."""

    type: ClassVar[str] = "action.completed"
    action: ItemId


class QuestionAsked(EventBody):
    """A question that somebody has to answer."""

    type: ClassVar[str] = "question.asked"
    text: ContentRef
    context: ContentRef | None = None
    priority: Priority = Priority.MEDIUM
    asked_by: Label | None = None
    blocks: tuple[ItemId, ...] = ()
    """The actions that wait for the answer."""


class QuestionAnswered(EventBody):
    """A question has its answer."""

    type: ClassVar[str] = "question.answered"
    question: ItemId
    answer: ContentRef
    answered_by: Label | None = None


class ConstraintAdded(EventBody):
    """A rule that holds until it is removed."""

    type: ClassVar[str] = "constraint.added"
    text: ContentRef


class ConstraintRemoved(EventBody):
    """A rule no longer holds."""

    type: ClassVar[str] = "constraint.removed"
    constraint: ItemId
    why: ContentRef | None = None


class TaskStarted(EventBody):
    """A task began and is the current one."""

    type: ClassVar[str] = "task.started"
    task: Label
    """The caller's id of the task, by which items are assigned to it."""
    text: ContentRef
    acceptance_criteria: tuple[ContentRef, ...] = ()
    depends_on_tasks: tuple[Label, ...] = ()
    depends_on_files: tuple[Label, ...] = ()


class TaskCompleted(EventBody):
    """A task is done."""

    type: ClassVar[str] = "task.completed"
    task: Label
