"""The short form of messages and tool exchanges: what later work needs of them when they are no longer shown whole.

A call keeps its arguments; a result its first line, its errors and counts, and the names in it, so that the model knows
what it has seen and can ask for it again. It belongs to the renderers: it never changes, or past contexts could not be
made again.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from backstory.domain.entities.code_names import qualified_names_in
from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.prose import prose, result_text, tool_name
from backstory.domain.messages.shapes import TEXT, shape_in, text_of

MOST_ASKED, MOST_SAID, MOST_ARGUMENTS = 600, 400, 300
"""Characters of a user's message, of an agent's, and of a call's arguments. What is behind them is named."""
LINE = 120
"""Characters of a line of a result."""
LEAST_NAMES, MOST_NAMES = 12, 64
CHARACTERS_PER_NAME = 200
"""Of the text, for each name beyond the least."""
LONGEST_NAME = 100
READ = 60_000
"""Characters of a text that are looked through for names."""
HEAD = 2 / 3
"""Of a result that is cut, the share of its beginning; the rest is its end, where commands say how they went."""
_FAILURE = re.compile(r"error|exception|fail|panic|fatal|denied|not found|refused", re.IGNORECASE)
_COUNT = re.compile(r"\d")
_STUB = re.compile(r"\[result left out; item \d+, \d+ tokens, has it\] ")


def shortened(messages: Sequence[Message]) -> str:
    """The messages of one item in one line."""
    return " ".join(
        filter(None, (_part(message.role, part) for message in messages for part in message.parts))
    )


def _part(role: str, part: Part) -> str:
    if part.kind == "tool_use":
        return f"[{tool_name(part)}] {_cut(_arguments(part), MOST_ARGUMENTS)}"
    if part.kind == "tool_result":
        return f"→ {short_result(result_text(part))}"
    return _cut(prose(part), MOST_ASKED if role == "user" else MOST_SAID)


def stub_of(item: int, tokens: int, text: str) -> str:
    """What stands for the result of a call: the same short form, and where the whole one is."""
    return f"[result left out; item {item}, {tokens} tokens, has it] {short_result(text)}"


def with_cut_results(item: int, messages: Sequence[Message], most: int) -> tuple[Message, ...]:
    """A tool exchange whose results have at most so many characters of their own each: the beginning and the end, and
    between them how much is left out, the names in it, and the item that has it."""
    return with_results(messages, lambda text: _without_middle(item, text, most))


def with_results(messages: Sequence[Message], shorter: Callable[[str], str]) -> tuple[Message, ...]:
    """A tool exchange with other texts for its results. The call and each result stay, with the same ids, so that every
    provider takes them. A result stays as it is if the other text is not shorter."""
    return tuple(
        replace(message, parts=tuple(_with_result(part, shorter) for part in message.parts))
        for message in messages
    )


def _with_result(part: Part, shorter: Callable[[str], str]) -> Part:
    # Results of a provider's own tools have a shape that the provider checks.
    if part.kind != "tool_result" or shape_in(part).get("type", "tool_result") != "tool_result":
        return part
    text = result_text(part)
    short = shorter(text)
    return part if len(short) >= len(text) else replace(part, data=short.encode(), media_type=TEXT)


def _without_middle(item: int, text: str, most: int) -> str:
    if len(text) <= most:
        return text
    first = int(most * HEAD)
    last = len(text) - (most - first)
    gap = _with_names(f"{last - first} characters left out; item {item} has them", text[first:last])
    return f"{text[:first]}\n[… {gap} …]\n{text[last:]}"


def short_result(text: str) -> str:
    """A result by its first line, its first failure, its last line where that counts something, and its names."""
    if (stub := _STUB.match(text)) is not None:
        return text[stub.end() :]
    lines = [" ".join(line.split()) for line in text[:READ].splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        return ""
    telling = lines[:1]
    telling += [line for line in lines[1:] if _FAILURE.search(line)][:1]
    telling += [line for line in lines[-1:] if _COUNT.search(line)]
    shown = " … ".join(line[:LINE] for line in dict.fromkeys(telling))
    return _with_names(shown, text)


def _cut(text: str, most: int) -> str:
    """The beginning of a text, and the names in the rest."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else _with_names(f"{flat[:most]}…", flat[most:])


def _with_names(shown: str, text: str) -> str:
    most = min(MOST_NAMES, max(LEAST_NAMES, len(text) // CHARACTERS_PER_NAME))
    # Counters keep the order of appearance, and sorting keeps the order of equals.
    counted = Counter(qualified_names_in(text[:READ]))
    names = [name for name, _ in counted.most_common() if len(name) <= LONGEST_NAME and name not in shown]
    return f"{shown} ({', '.join(names[:most])})" if names else shown


def _arguments(part: Part) -> str:
    """The values of a call's arguments, without their names, which come with the tool."""
    text = text_of(part)
    try:
        return " | ".join(_values(json.loads(text)))
    except (ValueError, RecursionError):
        return text


def _values(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _values(inner)
    elif isinstance(value, str):
        yield value
    else:
        yield json.dumps(value)
