"""Changes in a JSON text that leave every other byte as it is."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from backstory.domain.errors import InvalidInput

Path = tuple[str | int, ...]

_SPACE = " \t\r\n"


class _Member(NamedTuple):
    """A member of an object, or an element of a list."""

    key: str | int
    start: int
    """The place where it begins, with its key."""
    value: int
    """The place where its value begins."""
    end: int


def parsed(text: str) -> Any:
    """The value of a text. Raises InvalidInput with the place of the fault."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(
            "settings", f"are no valid JSON: {error.msg} on line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise InvalidInput("settings", "are nested too deeply") from None


def added(text: str, path: Path, value: Any) -> str:
    """The text with a member at the end of an object, or an element at the end of a list: the last step of the path
    is its key, or anything for a list."""
    start = _value_at(text, path[:-1])
    members = list(_members(text, start))
    new = "" if text[start] == "[" else json.dumps(path[-1]) + ": "
    line_end = "\r\n" if "\r\n" in text else "\n"
    if members:
        last = members[-1]
        before = text[_after_space_back(text, last.start) : last.start]
        if "\n" not in before:
            return f"{text[: last.end]}, {new}{json.dumps(value)}{text[last.end :]}"
        indent = before.rpartition("\n")[2]
        unit = _unit(text)
        return f"{text[: last.end]},{line_end}{indent}{new}{_block(value, indent, unit, line_end)}{text[last.end :]}"
    close = text.index("]" if text[start] == "[" else "}", start)
    line = text[:start].rpartition("\n")[2]
    outer = line[: len(line) - len(line.lstrip(_SPACE))]
    unit = _unit(text)
    body = f"{line_end}{outer}{unit}{new}{_block(value, outer + unit, unit, line_end)}{line_end}{outer}"
    return f"{text[: start + 1]}{body}{text[close:]}"


def removed(text: str, path: Path) -> str:
    """The text without a member or an element, and without its comma."""
    start = _value_at(text, path[:-1])
    members = list(_members(text, start))
    # Of a key that stands twice the last one counts.
    place = max(place for place, member in enumerate(members) if member.key == path[-1])
    if place:
        return text[: members[place - 1].end] + text[members[place].end :]
    if len(members) > 1:
        return text[: members[0].start] + text[members[1].start :]
    close = _past_space(text, members[0].end)
    return text[: start + 1] + text[close:]


def _value_at(text: str, path: Path) -> int:
    place = _past_space(text, 0)
    for key in path:
        place = [member.value for member in _members(text, place) if member.key == key][-1]
    return place


def _members(text: str, start: int) -> Iterator[_Member]:
    """The members of the object or the list that begins at a place, in valid JSON."""
    decoder = json.JSONDecoder()
    place = _past_space(text, start + 1)
    number = 0
    while text[place] not in "]}":
        begin, key = place, number
        if text[start] == "{":
            key, place = decoder.raw_decode(text, place)
            place = _past_space(text, _past_space(text, place) + 1)
        _, end = decoder.raw_decode(text, place)
        yield _Member(key, begin, place, end)
        place = _past_space(text, end)
        if text[place] == ",":
            place = _past_space(text, place + 1)
        number += 1


def _past_space(text: str, place: int) -> int:
    while place < len(text) and text[place] in _SPACE:
        place += 1
    return place


def _after_space_back(text: str, place: int) -> int:
    while place > 0 and text[place - 1] in _SPACE:
        place -= 1
    return place


def _unit(text: str) -> str:
    """The indentation of one level: that of the first indented line."""
    for line in text.splitlines():
        if line.strip() and line[0] in " \t":
            return line[: len(line) - len(line.lstrip(_SPACE))]
    return "  "


def _block(value: Any, indent: str, unit: str, line_end: str) -> str:
    lines = json.dumps(value, indent=unit, ensure_ascii=False).split("\n")
    return (line_end + indent).join(lines)
