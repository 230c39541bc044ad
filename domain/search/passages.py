"""The text of an item as it is searched and shown: what tools take and give stands in words instead of JSON."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.prose import answered_call, prose, result_text, tool_name
from backstory.domain.messages.shapes import text_of
from backstory.domain.search.terms import READ, terms

LABEL = 80
"""Characters of a call's label: a line of a terminal."""
ARGUMENT = 50
"""Characters of each argument in it."""
LABELLED = 2
"""How often a word of a label counts besides. A path or a command says what a call is about; its result, which may be
hundreds of times as long, only what was there."""


class Passage(NamedTuple):
    """A part of an item's text."""

    text: str
    call: str | None = None
    """The id of the call that it is, or that it is the result of."""
    label: str | None = None
    """Of a call: the tool, and its short arguments."""


def passages(messages: Iterable[Message]) -> list[Passage]:
    """The text of messages, part by part."""
    found = (_passage(part) for message in messages for part in message.parts)
    return [passage for passage in found if passage.text]


def whole_text(found: Iterable[Passage]) -> str:
    """The passages as one text."""
    return "\n".join(passage.text for passage in found)


def counted_terms(found: Iterable[Passage]) -> Counter[str]:
    """The terms of passages and how often each counts."""
    found = list(found)
    counts = terms(whole_text(found))
    for label in (passage.label for passage in found if passage.label is not None):
        counts.update({term: LABELLED * count for term, count in terms(label).items()})
    return counts


def _passage(part: Part) -> Passage:
    if part.kind == "tool_use":
        name, arguments = f"[{tool_name(part)}]", _arguments(part)
        text = " | ".join(filter(None, map(_argument, arguments)))
        return Passage(f"{name} {text}", answered_call(part), _label(name, arguments))
    if part.kind == "tool_result":
        return Passage(f"→ {_in_words(result_text(part))}", answered_call(part))
    return Passage(prose(part))


def _arguments(part: Part) -> list[tuple[str, Any]]:
    """The arguments of a call with their names."""
    value = _read(text_of(part))
    return [*value.items()] if isinstance(value, dict) else [("", value)]


def _argument(argument: tuple[str, Any]) -> str:
    """An argument in words: texts stand for themselves."""
    name, value = argument
    return value if isinstance(value, str) else _said({name: value} if name else value)


def _in_words(text: str) -> str:
    return _said(_read(text)) if text.lstrip()[:1] in ("{", "[") else text


def _read(text: str) -> Any:
    """What a JSON text holds; the text itself where it is none, or longer than what is searched."""
    try:
        return json.loads(text) if len(text) <= READ else text
    except (ValueError, RecursionError):
        return text


def _said(value: Any) -> str:
    """A value of JSON in words, but for what only says yes, no or nothing."""
    return " ".join(_words(value))


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, one in value.items():
            if said := _said(one):
                yield f"{name}: {said}"
    elif isinstance(value, list):
        yield from filter(None, map(_said, value))
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _label(name: str, arguments: Iterable[tuple[str, Any]]) -> str:
    """A call in short: those of its arguments that are one line of text."""
    texts = (value.strip() for _, value in arguments if isinstance(value, str))
    label = name
    for short in (_short(text) for text in texts if text and "\n" not in text):
        more = f"{label} {short}" if label == name else f"{label} | {short}"
        if len(more) > LABEL:
            break
        label = more
    return label


def _short(argument: str) -> str:
    """The end of a path, the beginning of all else."""
    if len(argument) <= ARGUMENT:
        return argument
    if "/" in argument and " " not in argument:
        return f"…{argument[1 - ARGUMENT :]}"
    return f"{argument[: ARGUMENT - 1]}…"
