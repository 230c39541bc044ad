"""Renders docs/reference/events.md from the event classes themselves."""

import ast
import inspect
import types
import typing
from datetime import datetime
from enum import EnumType
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Union
from uuid import UUID

from pydantic import AwareDatetime, BaseModel

from backstory.domain import effects
from backstory.domain.events import (
    BODIES,
    Event,
    EventBody,
    artifacts,
    clears,
    contexts,
    conversation,
    decisions,
    imports,
    items,
    memory,
    progress,
    safety,
    sessions,
    tasks,
    tiers,
    triggers,
    windows,
    work,
)
from backstory.domain.log.references import ContentRef, PartRef
from backstory.domain.values import ItemId, Label, Share, Tokens

PAGE = Path("docs/reference/events.md")

INTRODUCTION = """\
# Events

<!-- Written by scripts/reference_events.py from the classes in domain/events; run `make docs` to update it. -->

This page lists every event type with its fields and effects. A field with its default value is not stored. Your own
event types have a namespace, such as `acme:deploy.finished`; see [Add an event type](../how-to/add-an-event-type.md).
"""

ENVELOPE = {
    "stream": "The session it belongs to.",
    "version": "Its place in the session: 1, 2, 3, … Also the id of the item that it brought.",
    "type": "The event type: a heading below.",
    "schema_version": "The version of the type's fields when the event was stored.",
    "recorded_at": "The time of the append, by the database's clock. Never earlier than that of the event before it.",
    "occurred_at": "The time given by the caller; otherwise `recorded_at`.",
    "actor": "The actor that wrote it.",
    "caller": "The key that it was written with; null when it was written without one.",
    "cause": "The version of the event that it follows from.",
    "epoch": "The number of backtracks before it.",
    "body": "The fields below. For an unknown type or version, the stored bytes.",
    "effects": "The changes to items, windows, labels and checkpoints, as the verbs below.",
}

WORDS: dict[Any, str] = {
    ItemId: "version",
    Label: "label",
    Share: "number, 0 to 1",
    Tokens: "tokens",
    ContentRef: "[content](#content)",
    PartRef: "[part](#part)",
    AwareDatetime: "time",
    datetime: "time",
    UUID: "UUID",
    str: "text",
    int: "whole number",
    float: "number",
    bool: "yes or no",
    Any: "any",
}


def _model_in(hint: Any) -> type[BaseModel] | None:
    """The class of values that a verb takes."""
    for arg in (hint, *typing.get_args(hint)):
        if isinstance(arg, type) and issubclass(arg, BaseModel):
            return arg
    return None


VERBS = {
    verb: model
    for verb, hint in typing.get_type_hints(effects.Effects, include_extras=True).items()
    if verb in effects.Effects.model_fields and (model := _model_in(hint)) is not None
}
"""The verbs that take a value with fields, and its class."""

TYPES = """\
## Types of fields

| word | meaning |
|---|---|
| label | Text of 1 to 200 printable characters. It stands in the event itself and cannot be erased. |
| version | The version of an event of the session, which is also the id of the item it brought. |
| tokens | A count, 0 or more. |
| content | Text or other bytes, kept beside the log: they can be erased while every proof still holds. |
| part | A content with what it is in a message. |
| time | A moment with a time zone, stored in UTC. |
"""


def render() -> str:
    """The whole page."""
    sections = [INTRODUCTION, _envelope(), TYPES, _section("content", ContentRef), _section("part", PartRef)]
    for module in (
        sessions,
        conversation,
        items,
        contexts,
        windows,
        tiers,
        clears,
        decisions,
        work,
        progress,
        artifacts,
        triggers,
        memory,
        tasks,
        safety,
        imports,
    ):
        own = [body for body in BODIES.values() if body.__module__ == module.__name__]
        summary = (module.__doc__ or "").strip().splitlines()[0]
        sections += [f"## {summary.rstrip('.')}\n", *(_event(body) for body in own)]
    return "\n".join([*sections, _effects()])


def _envelope() -> str:
    hints = typing.get_type_hints(Event, include_extras=True)
    rows = [(f"`{name}`", _words(hints[name]), ENVELOPE[name]) for name in Event.model_fields]
    return "## Envelope\n\nEvery event has these fields.\n\n" + _table(("field", "type", "meaning"), rows)


def _event(body: type[EventBody]) -> str:
    verbs = (
        ", ".join(f"[{verb}](#{verb if verb in VERBS else 'effects'})" for verb in body.verbs) or "no effects"
    )
    facts = f"`{body.__name__}`, schema version {body.schema_version}, {verbs}."
    head = f"### `{body.type}`\n\n{_prose(body)}\n\n{facts}\n"
    parts = [head, *([_fields(body)] if body.model_fields else [])]
    parts += [f"Of each `{value.__name__}`:\n\n{_fields(value)}" for value in _values_in(body)]
    return "\n".join(parts)


def _values_in(body: type[EventBody]) -> list[type[BaseModel]]:
    """The values of its own that an event is made of: those that stand in its module."""
    hints = typing.get_type_hints(body).values()
    found = [inner for hint in hints for inner in typing.get_args(hint) if isinstance(inner, type)]
    return [inner for inner in found if inner.__module__ == body.__module__ and issubclass(inner, BaseModel)]


def _effects() -> str:
    table = [line for line in (effects.__doc__ or "").splitlines() if line.startswith("|")]
    after = (effects.__doc__ or "").rpartition("|\n")[2].strip()
    parts = [f"## Effects\n\n{_unwrapped(after)}\n", "\n".join(table) + "\n"]
    parts += [f"### {verb}\n\n{_prose(model)}\n\n{_fields(model)}" for verb, model in VERBS.items()]
    return "\n".join(parts)


def _section(title: str, model: type[BaseModel]) -> str:
    return f"### {title}\n\n{_prose(model)}\n\n{_fields(model)}"


def _fields(model: type[BaseModel]) -> str:
    hints = typing.get_type_hints(model, include_extras=True)
    meanings = meanings_of(model)
    rows = [
        (f"`{name}`", _words(hints[name]) + _range(field), _default(field), meanings.get(name, ""))
        for name, field in model.model_fields.items()
    ]
    return _table(("field", "type", "default", "meaning"), rows)


def meanings_of(model: type[BaseModel]) -> dict[str, str]:
    """The text below each field of a class and of its bases. Read from the source: Python does not keep it,
    and having pydantic look for it would make every import slower."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if not base.__module__.startswith("backstory."):
            continue
        tree = _classes(base.__module__)[base.__name__]
        for field, below in zip(tree.body, tree.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and _is_text(below):
                found[field.target.id] = _unwrapped(below.value.value)  # type: ignore[attr-defined]
    return found


@cache
def _classes(module: str) -> dict[str, ast.ClassDef]:
    """The classes of a module, as they are written."""
    tree = ast.parse(inspect.getsource(import_module(module)))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _words(hint: Any) -> str:
    if hint in WORDS:
        return WORDS[hint]
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(_words(arg) for arg in args if arg is not type(None))
    if origin is tuple:
        return f"list of {_words(args[0])}" if args[-1] is ... else f"({', '.join(map(_words, args))})"
    if origin is dict:
        return f"{_words(args[1])}, by {_words(args[0])}"
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in args)
    if isinstance(hint, EnumType):
        return ", ".join(f"`{member.value}`" for member in hint)
    return f"`{hint.__name__}`"


def _range(field: Any) -> str:
    """The bounds that a number has; those of versions and tokens are in their words."""
    bounds = {type(bound).__name__: bound for bound in field.metadata}
    if field.annotation not in (int, int | None, float | None) or "AfterValidator" in bounds:
        return ""
    low = bounds["Ge"].ge if "Ge" in bounds else None
    high = bounds["Le"].le if "Le" in bounds else None
    if low is None or high == 2**31 - 1:
        return ""
    return f", {low} or more" if high is None else f", {low} to {high}"


def _default(field: Any) -> str:
    if field.is_required():
        return "required"
    default = field.get_default(call_default_factory=True)
    if default is None:
        return "none"
    if isinstance(default, tuple | dict):
        return ", ".join(f"`{value}`" for value in default) or "empty"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def _prose(model: type[BaseModel]) -> str:
    return _unwrapped(inspect.cleandoc(model.__doc__ or ""))


def _unwrapped(text: str) -> str:
    return " ".join(text.split())


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return (
        "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
        + "\n"
    )
