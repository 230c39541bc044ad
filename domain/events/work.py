"""Events of the work: goals, actions, questions, constraints, tasks."""

from typing import ClassVar, Literal

from pydantic import AwareDatetime, Field

from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.values import ItemId, Label, Priority

GoalStatus = Literal["pending", "in-progress"]


class GoalSet(EventBody):
    """A goal, or a sub-goal of one."""

    type: ClassVar[str] = "goal.set"
    verbs: ClassVar[tuple[str, ...]] = ("brings",)
    text: ContentRef
    """The goal's text."""
    priority: Priority = Priority.MEDIUM
    """Its priority."""
    parent: ItemId | None = None
    """The open goal that it is a sub-goal of."""
    status: GoalStatus = "pending"
    """Whether work on it has begun."""


class GoalUpdated(EventBody):
    """A goal's text, priority or status changed."""

    type: ClassVar[str] = "goal.updated"
    verbs: ClassVar[tuple[str, ...]] = ("revises",)
    goal: ItemId
    """The goal, by the version that set it."""
    text: ContentRef | None = None
    """The new text; None leaves it as it is."""
    priority: Priority | None = None
    """The new priority; None leaves it as it is."""
    status: GoalStatus | None = None
    """The new status; None leaves it as it is."""


class GoalCompleted(EventBody):
    """A goal was reached, and with it what was still open below it."""

    type: ClassVar[str] = "goal.completed"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    goal: ItemId
    """The goal, by the version that set it."""
    closed: tuple[ItemId, ...] = ()
    """The sub-goals that were closed with it."""


class ActionAdded(EventBody):
    """Something to do."""

    type: ClassVar[str] = "action.added"
    verbs: ClassVar[tuple[str, ...]] = ("brings",)
    text: ContentRef
    """Its text."""
    priority: Priority = Priority.MEDIUM
    """Its priority."""
    layer: int | None = Field(default=None, ge=0, le=5)
    """The project layer it belongs to, 0 to 5."""
    estimate_minutes: int | None = Field(default=None, ge=0)
    """The estimated minutes."""
    assignee: Label | None = None
    """The person or agent it is assigned to."""
    due: AwareDatetime | None = None
    """The due time."""
    blocked_by: ContentRef | None = None
    """The reason it is blocked; None when it can be done now."""


class ActionBlocked(EventBody):
    """An action waits for something, or no longer does."""

    type: ClassVar[str] = "action.blocked"
    action: ItemId
    """The action, by the version that added it."""
    by: ContentRef | None = None
    """The reason it is blocked; None when it is free again."""


class ActionCompleted(EventBody):
    """An action is done."""

    type: ClassVar[str] = "action.completed"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    action: ItemId
    """The action, by the version that added it."""


class QuestionAsked(EventBody):
    """A question to be answered."""

    type: ClassVar[str] = "question.asked"
    verbs: ClassVar[tuple[str, ...]] = ("brings",)
    text: ContentRef
    """The question."""
    context: ContentRef | None = None
    """The reason for asking."""
    priority: Priority = Priority.MEDIUM
    """Its priority."""
    asked_by: Label | None = None
    """The person or agent that asks."""
    blocks: tuple[ItemId, ...] = ()
    """The actions that wait for the answer."""


class QuestionAnswered(EventBody):
    """A question has its answer."""

    type: ClassVar[str] = "question.answered"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    question: ItemId
    """The question, by the version that asked it."""
    answer: ContentRef
    """The answer's text."""
    answered_by: Label | None = None
    """The person or agent that answered."""


class ConstraintAdded(EventBody):
    """A rule that holds until it is removed."""

    type: ClassVar[str] = "constraint.added"
    verbs: ClassVar[tuple[str, ...]] = ("brings",)
    text: ContentRef
    """The rule."""


class ConstraintRemoved(EventBody):
    """A rule no longer holds."""

    type: ClassVar[str] = "constraint.removed"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    constraint: ItemId
    """The rule, by the version that added it."""
    why: ContentRef | None = None
    """The reason."""


class TaskStarted(EventBody):
    """A task began and is the current one."""

    type: ClassVar[str] = "task.started"
    verbs: ClassVar[tuple[str, ...]] = ("brings",)
    task: Label
    """The caller's id of the task, by which items are assigned to it."""
    text: ContentRef
    """Its text."""
    acceptance_criteria: tuple[ContentRef, ...] = ()
    """The acceptance criteria."""
    depends_on_tasks: tuple[Label, ...] = ()
    """Ids of tasks that come first."""
    depends_on_files: tuple[Label, ...] = ()
    """Paths of files that it needs."""


class TaskCompleted(EventBody):
    """A task is done."""

    type: ClassVar[str] = "task.completed"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    task: Label
    """The task's id."""


class TaskFailed(EventBody):
    """A task was given up, and is not the current one any more."""

    type: ClassVar[str] = "task.failed"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    task: Label
    """The task's id."""
    why: ContentRef | None = None
    """The reason."""
