"""Commands on goals, actions, questions, constraints and tasks: each looks at the state first."""

from collections.abc import Container

from backstory.domain import events as e
from backstory.domain.effects import Effects, NewItem, Removal, Revision
from backstory.domain.errors import InvalidInput, ItemNotLive, UnknownItem
from backstory.domain.events.base import Change
from backstory.domain.log.guards import Decided, Guard
from backstory.domain.log.references import ContentRef
from backstory.domain.state import FOCUSED_FILES_KEPT, ContextState
from backstory.domain.trust import Origin
from backstory.domain.values import Priority, build, label, version_number


def _open(state: ContextState, kind: str, found: Container[int], item: int) -> Guard:
    """The guard on one open item; an error when it is not open."""
    version_number(kind, item)
    if item not in found:
        if item > state.version:
            raise UnknownItem(f"{kind} {item} does not exist: the session is at version {state.version}.")
        raise ItemNotLive(f"{kind} {item} is not open in this session.")
    return _unchanged(state, item)


def _unchanged(state: ContextState, *items: int) -> Guard:
    """The guard for changing open things. One whose item has left the windows is open all the same, but no guard
    on items reaches it: then it is the exact version."""
    if all(item in state.items for item in items):
        return Guard(items=items, since=state.version)
    return Guard(expected=state.version)


def set_goal(
    state: ContextState,
    *,
    item: NewItem,
    text: ContentRef,
    priority: Priority | str = Priority.MEDIUM,
    parent: int | None = None,
    status: str = "pending",
) -> Decided:
    guard = Guard() if parent is None else _open(state, "goal", state.goals, parent)
    body = build(e.GoalSet, text=text, priority=priority, parent=parent, status=status)
    # The sub-goal needs its parent to be open, not unchanged: two agents may add below it at once.
    return Decided(Change(body, Effects(brings=item)), guard._replace(since=None))


def update_goal(
    state: ContextState,
    *,
    goal: int,
    text: ContentRef | None = None,
    tokens: int = 0,
    encoding: str | None = None,
    priority: Priority | str | None = None,
    status: str | None = None,
    origin: Origin | None = None,
) -> Decided:
    guard = _open(state, "goal", state.goals, goal)
    if text is None and priority is None and status is None:
        raise InvalidInput("update", "must change the goal's text, priority or status")
    body = build(e.GoalUpdated, goal=goal, text=text, priority=priority, status=status)
    revises = (
        Revision(item=goal, tokens=tokens, encoding=encoding, origin=origin) if text is not None else None
    )
    return Decided(Change(body, Effects(revises=revises)), guard)


def complete_goal(state: ContextState, *, goal: int) -> Decided:
    _open(state, "goal", state.goals, goal)
    below = [goal]
    for other, record in state.goals.items():
        if record.parent in below:
            below.append(other)
    closed = tuple(below)
    body = e.GoalCompleted(goal=goal, closed=closed[1:])
    effects = Effects(removes=(Removal(items=closed, disposition="completed"),))
    # The exact version: a sub-goal that somebody adds meanwhile must be closed as well.
    return Decided(Change(body, effects), Guard(expected=state.version))


def block_action(state: ContextState, *, action: int, by: ContentRef | None) -> Decided:
    guard = _open(state, "action", state.actions, action)
    return Decided(Change(e.ActionBlocked(action=action, by=by)), guard)


def complete_action(state: ContextState, *, action: int) -> Decided:
    guard = _open(state, "action", state.actions, action)
    effects = Effects(removes=(Removal(items=(action,), disposition="completed"),))
    return Decided(Change(e.ActionCompleted(action=action), effects), guard)


def answer_question(
    state: ContextState, *, question: int, answer: ContentRef, answered_by: str | None = None
) -> Decided:
    guard = _open(state, "question", state.questions, question)
    body = build(e.QuestionAnswered, question=question, answer=answer, answered_by=answered_by)
    effects = Effects(removes=(Removal(items=(question,), disposition="answered"),))
    return Decided(Change(body, effects), guard)


def remove_constraint(state: ContextState, *, constraint: int, why: ContentRef | None = None) -> Decided:
    guard = _open(state, "constraint", state.constraints, constraint)
    effects = Effects(removes=(Removal(items=(constraint,), disposition="removed"),))
    return Decided(Change(e.ConstraintRemoved(constraint=constraint, why=why), effects), guard)


def complete_task(state: ContextState, *, task: str) -> Decided:
    return _ended(state, build(e.TaskCompleted, task=task), task, "completed")


def fail_task(state: ContextState, *, task: str, why: ContentRef | None = None) -> Decided:
    return _ended(state, build(e.TaskFailed, task=task, why=why), task, "failed")


def _ended(state: ContextState, body: e.EventBody, task: str, disposition: str) -> Decided:
    record = state.tasks.get(task)
    if record is None:
        raise ItemNotLive(f"task {task!r} is not open in this session.")
    effects = Effects(removes=(Removal(items=(record.item,), disposition=disposition),))
    return Decided(Change(body, effects), _unchanged(state, record.item))


def resolve_error(state: ContextState, *, item: int, how: ContentRef | None = None) -> Decided:
    guard = _open(state, "error", state.errors, item)
    effects = Effects(removes=(Removal(items=(item,), disposition="resolved"),))
    return Decided(Change(e.ErrorResolved(item=item, how=how), effects), guard)


def focus(
    state: ContextState,
    *,
    files: tuple[str, ...],
    remove: tuple[str, ...],
    last_edited: str | None,
    current_function: str | None,
) -> Decided:
    if not (files or remove or last_edited or current_function):
        raise InvalidInput(
            "focus", "must add or remove files, or name the file or function that is worked on"
        )
    for path in (*files, *remove):
        label("files" if path in files else "remove", path)
    if both := set(files) & set(remove):
        raise InvalidInput("remove", f"must not name a file that is added: {min(both)!r}")
    before = state.focus
    kept = tuple(path for path in before.files if path not in remove)
    edited = before.last_edited if last_edited is None and before.last_edited not in remove else last_edited
    function = before.current_function if edited == before.last_edited else None
    body = build(
        e.FilesFocused,
        files=tuple(dict.fromkeys([*files, *kept]))[:FOCUSED_FILES_KEPT],
        last_edited=edited,
        current_function=current_function or function,
    )
    # Nobody else may have changed the list meanwhile. No item stands for it, so the guard is on the version.
    return Decided(Change(body), Guard(expected=state.version))
