"""Renders chosen items: the bytes of a context, new or reproduced, and a conversation in a provider's format."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from backstory.application.contents.source import ItemSource
from backstory.domain import messages as formats
from backstory.domain.context import composition, layout
from backstory.domain.context.composition import (
    PROVIDERS,
    Composed,
    ContextParts,
    ConversationItem,
    Rendered,
)
from backstory.domain.context.loaded_items import Chosen, LoadedItems
from backstory.domain.errors import InvalidInput
from backstory.domain.messages import openai
from backstory.domain.messages.contents import Message
from backstory.domain.records import Item

LAYOUTS: dict[int, Any] = {1: layout}
"""By version. A version that recorded contexts name stays, unchanged, when a newer one is added."""
FlatMessages = tuple[dict[str, str], ...]
"""Messages that hold nothing but texts."""


class PartText(NamedTuple):
    """The text of a part, and what it shows."""

    shown: Any
    text: str


class MadeBefore(NamedTuple):
    """Pieces of a context that are made already: lines of older items, rendered messages, texts of parts."""

    lines: Mapping[int, str] = MappingProxyType({})
    rendered: Mapping[int, Rendered] = MappingProxyType({})
    texts: Mapping[str, PartText] = MappingProxyType({})


def layout_of(renderer: int) -> Any:
    """The layout of a renderer's version."""
    if renderer not in LAYOUTS:
        raise InvalidInput("renderer", f"must be one of {', '.join(map(str, LAYOUTS))}, got {renderer!r}")
    return LAYOUTS[renderer]


def compose(
    format: str,
    layout: Any,
    loaded: LoadedItems,
    chosen: Chosen,
    agent: str | None,
    made: MadeBefore | None = None,
) -> Composed:
    """The context of the chosen items, for an agent."""
    state, made = loaded.state, made or MadeBefore()
    if chosen.result_characters is not None:
        loaded = loaded.with_cut_results(chosen.history[-1], chosen.result_characters)

    def text_of(part: str, shown: Any, make: Callable[[Any], str]) -> tuple[str, str]:
        before = made.texts.get(part)
        return part, before.text if before is not None and before.shown == shown else make(shown)

    lead = [text_of("rules", chosen.rules, partial(layout.rules, loaded))]
    if chosen.summaries:
        shown = (chosen.summaries, chosen.summary_lines)
        lead.append(text_of("summary", shown, lambda _: _summary(layout, loaded, chosen)))
    in_words = format == "markdown"
    tail = [
        text_of("state", chosen.work, partial(layout.work, loaded)),
        text_of("entities", chosen.entities, layout.entities),
    ]
    if chosen.memories:
        tail.append(("memory", layout.memories([loaded.memories[memory] for memory in chosen.memories])))
    if chosen.artifacts:
        tail.append(text_of("artifacts", chosen.artifacts, partial(layout.artifacts, loaded)))
    if chosen.older:
        older = [loaded.item(item) for item in chosen.older]
        quoted = {item.id: made.lines.get(item.id) or layout.older(loaded, item) for item in older}
        tail.append(("older", layout.older_items(older, quoted)))
    if chosen.earlier:
        lines = [made.lines.get(item) or layout.earlier(loaded, loaded.item(item)) for item in chosen.earlier]
        tail.append(("earlier", "\n".join([layout.EARLIER_HEADING, *lines])))

    def conversation_item(item: int) -> ConversationItem:
        text = layout.said(loaded, state.items[item]) if in_words else ""
        told = state.items[item]
        messages = loaded.heard(told, agent) if format in PROVIDERS else loaded.messages[item]
        return ConversationItem(item, messages, text, made.rendered.get(item), told.agent)

    parts = ContextParts(
        system=[conversation_item(item) for item in chosen.system],
        lead=[(name, text) for name, text in lead if text],
        task="" if chosen.task is None else layout.task(loaded, chosen.task, in_words),
        history=[conversation_item(item) for item in chosen.history],
        tail=[(name, text) for name, text in tail if text],
        frame=(layout.CONTEXT_OPENS, layout.CONTEXT_CLOSES),
    )
    return composition.compose(format, parts)


def _summary(layout: Any, loaded: LoadedItems, chosen: Chosen) -> str:
    lines = layout.summary_lines(loaded, chosen.summaries, chosen.rules)
    return str(layout.summary(lines[: chosen.summary_lines]))


def conversation(
    item_reader: ItemSource, items: Sequence[Item], format: str | None
) -> list[dict[str, Any]] | list[Message]:
    """The messages of these items, neutral or in a provider's format, without items of which something was erased. The
    caller may change what is returned."""
    messages = item_reader.loaded.messages
    if format is None:
        item_reader.items(item.id for item in items)
        return [message for item in items for message in messages.get(item.id, ())]
    if format not in formats.FORMATS:
        raise InvalidInput("format", f"must be one of {', '.join(formats.FORMATS)}, got {format!r}")

    def flat(item: Item) -> tuple[FlatMessages | None]:
        made = _rendered(messages[item.id], format)
        only_texts = all(isinstance(value, str) for one in made for value in one.values())
        return (tuple(made) if only_texts else None,)

    known = item_reader.derive(items, ("conversation", format), flat, _size)
    item_reader.items(item for item, (made,) in known.items() if made is None)
    result: list[dict[str, Any]] = []
    for item, (made,) in known.items():
        # Where there are only texts, a shallow copy is the caller's own.
        result += _rendered(messages[item], format) if made is None else [one.copy() for one in made]
    return result


def _rendered(messages: Sequence[Message], format: str) -> list[dict[str, Any]]:
    if format == openai.FORMAT:
        return [one for message in messages for one in openai.render_all(message)]
    return [formats.render(message, format) for message in messages]


def _size(made: tuple[FlatMessages | None]) -> int:
    return sum(300 + sum(map(len, one.values())) for one in made[0] or ())
