"""Events as lines: the rail that shows their branch, and what they say in a few words."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from uuid import UUID

from rich.text import Text

from backstory.history import Entry, NamedContent, payload_of
from backstory.interfaces.cli.wording import ERASED, clock, counted, one_line, printable, short_id, size

TYPE_WIDTH = 19
TIME_FROM = 96
"""Columns from which a line has room for the time."""


def rail(entry: Entry) -> Text:
    """Where an event stands: on the branch that leads to the newest version, or beside it.

    Two lanes are enough for any history: in the order of versions, every event is either on the current
    branch or not, and a backtrack says itself where it goes on from.
    """
    lane = "inherited" if entry.inherited else "live"
    if entry.live:
        return Text("●  ", lane)
    return Text.assemble(("├─" if entry.strays else "│ ", lane), ("○", "abandoned"))


def event_line(entry: Entry, width: int, *, mark: str = " ") -> Text:
    """One event on one line of this many columns."""
    line = Text(mark)
    line.append_text(rail(entry))
    line.append(f" {entry.version:>3}  ", "version" if entry.live else "abandoned")
    if width >= TIME_FROM:
        line.append(clock(entry.event.occurred_at) + "  ", "quiet")
    line.append(f"{entry.event.type:<{TYPE_WIDTH}} ", _style(entry))
    line.append_text(spoken(entry))
    line.no_wrap = True
    line.truncate(width, overflow="ellipsis")
    return line


def _style(entry: Entry) -> str:
    if entry.event.effects.resumes is not None:
        return "seam"
    return "type" if entry.live else "abandoned"


def spoken(entry: Entry) -> Text:
    """Who said what, on one line."""
    words = one_line(said_in(entry))
    speaker = entry.event.actor or payload(entry).get("role")
    line = Text(style="" if entry.live else "abandoned")
    if speaker:
        line.append(f"{one_line(str(speaker))}: " if words else one_line(str(speaker)), "quiet")
    line.append(words)
    return line


def full_text(entry: Entry) -> str:
    """Everything an event says, with its line breaks."""
    named = [
        (content.field, shown(content)) for content in entry.contents if not content.field.endswith("extras")
    ]
    if len(named) == 1 or all(field.startswith("parts.") for field, _ in named):
        return printable("\n".join(text for _, text in named))
    return printable("\n".join(f"{field}: {text}" for field, text in named))


def payload(entry: Entry) -> dict[str, Any]:
    found = payload_of(entry.event)
    return found if isinstance(found, dict) else {}


def said_in(entry: Entry) -> str:
    """What an event says, in the words of its type."""
    fields, texts = payload(entry), _texts(entry.contents)
    phrase = _PHRASES.get(entry.event.type)
    if phrase is not None:
        return phrase(fields, texts)
    spoken = said_by(entry.contents)
    return spoken or ", ".join(f"{name} {_brief(value)}" for name, value in fields.items() if _plain(value))


def said_by(contents: Sequence[NamedContent]) -> str:
    """What contents say together: a message's parts, or the first text of anything else."""
    parts = [content for content in contents if content.field.startswith("parts.")]
    parts = [part for part in parts if not part.field.endswith("extras")]
    return "  ".join(map(shown, parts)) if parts else "".join(map(shown, contents[:1]))


def shown(content: NamedContent) -> str:
    """One content as text."""
    if content.erased:
        return ERASED
    if content.kind == "tool_use":
        return f"{content.name}({_arguments(content.text or '')})"
    text = content.text
    if text is None:
        return f"({content.kind}, {content.media_type}, {size(content.size)})"
    return f"→ {text}" if content.kind == "tool_result" else text


def _arguments(text: str) -> str:
    """A call's arguments as one writes them in code, where they are an object; else as they are."""
    try:
        arguments = json.loads(text)
    except ValueError:
        return text
    if not isinstance(arguments, dict):
        return text
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())


def _texts(contents: Iterable[NamedContent]) -> dict[str, str]:
    return {content.field: shown(content) for content in contents}


def _plain(value: Any) -> bool:
    return isinstance(value, str | int | float | bool) or (
        isinstance(value, list) and all(isinstance(one, str | int | float) for one in value)
    )


def _brief(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _after(lead: str, words: str | None) -> str:
    return f"{lead}: {words}" if words else lead


def _about(field: str, text: str = "") -> Callable[[dict[str, Any], dict[str, str]], str]:
    """A phrase that names what the event is about, then says why."""
    return lambda fields, texts: _after(f"{field} {_brief(fields.get(field, '?'))}", texts.get(text))


_PHRASES: dict[str, Callable[[dict[str, Any], dict[str, str]], str]] = {
    "session.backtracked": lambda fields, texts: _after(f"↶ back to {fields.get('to')}", texts.get("why")),
    "session.forked": lambda fields, texts: _after(
        f"↳ from {short_id(UUID(fields['parent']))} at {fields.get('at')}",
        texts.get("title") or texts.get("why"),
    ),
    "decision.recorded": lambda fields, texts: " — ".join(
        texts[name] for name in ("text", "rationale") if name in texts
    ),
    "goal.updated": _about("goal", "text"),
    "goal.completed": _about("goal"),
    "question.answered": _about("question", "answer"),
    "action.blocked": _about("action", "by"),
    "constraint.removed": _about("constraint", "why"),
    "item.deprecated": _about("item", "why"),
    "items.removed": _about("items", "why"),
    "error.resolved": _about("item", "how"),
    "content.erased": lambda fields, texts: _after(
        f"item {fields.get('item')}, {counted(len(fields.get('erased', ())), 'content')}", texts.get("why")
    ),
}
