"""Changes that need no look at the state: they commute, so nothing is lost or refused when many write at once."""

from collections.abc import Sequence
from typing import Any

from backstory.domain import events as e
from backstory.domain.effects import NO_EFFECTS, Effects, Extension, Mark, NewItem, WindowSettings
from backstory.domain.errors import InvalidInput
from backstory.domain.events.base import Change
from backstory.domain.log.references import ContentRef
from backstory.domain.policies.importance import DEFAULT_IMPORTANCE, ImportancePolicy
from backstory.domain.trust import Origin
from backstory.domain.values import DEFAULT_ENCODING, MAIN_WINDOW, build


def new_item(
    type_: str,
    *,
    tokens: int,
    encoding: str = DEFAULT_ENCODING,
    importance: float | None = None,
    role: str | None = None,
    text: str | None = None,
    policy: ImportancePolicy = DEFAULT_IMPORTANCE,
    **fields: Any,
) -> NewItem:
    """The item a change brings: its first importance from the policy unless the caller gives it, and its tier. A
    message's `text` counts for its importance and is not kept here."""
    weight = policy.first_importance(type_, role, text) if importance is None else importance
    return build(
        NewItem,
        type=type_,
        tokens=tokens,
        encoding=None if encoding == DEFAULT_ENCODING else encoding,
        importance=weight,
        tier=policy.tier(weight) if isinstance(weight, int | float) else weight,
        **fields,
    )


def start_session(
    title: ContentRef | None, tags: Sequence[str], project: str | None, window: WindowSettings
) -> Change:
    labels: dict[str, Any] = {"status": "open"}
    if title is not None:
        labels["title"] = {"part": title.part}
    if tags:
        labels["tags"] = list(tags)
    if project is not None:
        labels["project"] = project
    body = build(e.SessionStarted, title=title, tags=tuple(tags), project=project)
    return Change(body, Effects(labels=labels, window=window))


def end_session(why: ContentRef | None) -> Change:
    return Change(e.SessionEnded(why=why), Effects(labels={"status": "ended"}))


def resume_session() -> Change:
    return Change(e.SessionResumed(), Effects(labels={"status": "open"}))


def rename_session(title: ContentRef) -> Change:
    return Change(e.SessionRenamed(title=title), Effects(labels={"title": {"part": title.part}}))


def tag_session(tags: Sequence[str]) -> Change:
    said = build(e.SessionTagged, tags=tuple(tags))
    body = said.model_copy(update={"tags": tuple(dict.fromkeys(said.tags))})
    return Change(body, Effects(labels={"tags": list(body.tags)}))


def set_project(**fields: Any) -> Change:
    body = build(e.ProjectSet, **fields)
    return Change(body, Effects(labels={"project": body.name}))


def join_agent(**fields: Any) -> Change:
    return Change(build(e.AgentJoined, **fields))


def add_message(body: e.MessageAdded, item: NewItem) -> Change:
    return _citing(body, item)


def _citing(body: e.EventBody, item: NewItem) -> Change:
    """Brings an item, which is an access to those it refers to."""
    return Change(body, Effects(brings=item, touches=tuple(dict.fromkeys(item.references))))


def call_tools(body: e.ToolCalled, item: NewItem) -> Change:
    if len(set(body.calls)) != len(body.calls):
        raise InvalidInput("calls", "must have distinct call ids")
    return _citing(body, item)


def answer_tools(body: e.ToolAnswered, tokens: int, origin: Origin = "external_tool") -> Change:
    return Change(body, Effects(extends=Extension(item=body.exchange, tokens=tokens, origin=origin)))


def save_item(body: e.ItemSaved, item: NewItem) -> Change:
    return _citing(body, item)


def record_decision(item: NewItem, **fields: Any) -> Change:
    return Change(build(e.DecisionRecorded, **fields), Effects(brings=item))


def set_goal(item: NewItem, **fields: Any) -> Change:
    return Change(build(e.GoalSet, **fields), Effects(brings=item))


def add_action(item: NewItem, **fields: Any) -> Change:
    return Change(build(e.ActionAdded, **fields), Effects(brings=item))


def ask_question(item: NewItem, **fields: Any) -> Change:
    return Change(build(e.QuestionAsked, **fields), Effects(brings=item))


def add_constraint(item: NewItem, **fields: Any) -> Change:
    return Change(build(e.ConstraintAdded, **fields), Effects(brings=item))


def start_task(item: NewItem, **fields: Any) -> Change:
    return Change(build(e.TaskStarted, **fields), Effects(brings=item))


def meet_error(item: NewItem, **fields: Any) -> Change:
    return Change(build(e.ErrorMet, **fields), Effects(brings=item))


def take_checkpoint(name: str, triggers: Sequence[str]) -> Change:
    body = build(e.CheckpointTaken, name=name, triggers=tuple(triggers))
    return Change(body, Effects(marks=Mark(name=body.name)))


def note(body: type[e.EventBody], /, **fields: Any) -> Change:
    """An event that does nothing but say what happened: a commit, a call of the model, a change of phase."""
    return Change(build(body, **fields))


def touch_items(items: Sequence[int], reason: str) -> Change:
    said = build(e.ItemsTouched, items=tuple(items), reason=reason)
    body = said.model_copy(update={"items": tuple(dict.fromkeys(said.items))})
    if not body.items:
        raise InvalidInput("items", "must name at least one item")
    return Change(body, Effects(touches=body.items))


def assemble_context(found: Sequence[int], **fields: Any) -> Change:
    """Records an access to the items that a query found. Items shown by default are not counted, or nothing would
    cool."""
    effects = Effects(touches=tuple(found)) if found else NO_EFFECTS
    return Change(build(e.ContextAssembled, **fields), effects)


def configure_window(
    window: str = MAIN_WINDOW, *, limit: int | None, encoding: str | None, model: str | None
) -> Change:
    body = build(e.WindowConfigured, window=window, limit=limit, encoding=encoding, model=model)
    settings = build(WindowSettings, name=window, limit=limit, encoding=encoding, model=model)
    return Change(body, Effects(window=settings))
