"""Lines of a file, and their JSON."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from typing import Any, BinaryIO

from backstory.application.transcripts.steps import Line
from backstory.domain.errors import InvalidInput
from backstory.domain.values import LARGEST, is_label, is_whole_number

LONGEST_LINE = 256 * 2**20
"""The longest line. It is held in memory several times while it is read."""

_BOM = b"\xef\xbb\xbf"
_NO_JSON = object()
_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def lines_of(file: BinaryIO, *, growing: bool = False) -> Iterator[Line]:
    """The lines of a file, split at line feeds only. Of one that is `growing`, a last line without its end is left
    for later."""
    for number in count(1):
        try:
            data = file.readline(LONGEST_LINE + 1)
        except OSError as error:
            raise InvalidInput("file", f"cannot be read: {error.strerror}") from None
        if len(data) > LONGEST_LINE:
            raise InvalidInput("file", f"has more than {LONGEST_LINE // 2**20} MiB on line {number}")
        if not data or (growing and not data.endswith(b"\n")):
            return
        yield Line(number, data)


def json_object(line: Line) -> dict[str, Any] | None:
    """The JSON object of a line, or None. Halves of surrogate pairs are replaced, because UTF-8 cannot represent
    them."""
    value = _parsed(line.data)
    if not isinstance(value, dict):
        return None
    if _ESCAPED_SURROGATE.search(line.data):
        whole: dict[str, Any] = _whole_characters(value)
        return whole
    return value


def kind_of_other(line: Line) -> str:
    """The kind of a line without an object."""
    if not line.data.strip():
        return "blank"
    return "not JSON" if _parsed(line.data) is _NO_JSON else "other JSON"


def text_in(value: dict[str, Any], *keys: str) -> str | None:
    """The text at a path of keys, or None if it is missing or blank."""
    value_at: Any = value
    for key in keys:
        value_at = value_at.get(key) if isinstance(value_at, dict) else None
    return value_at if isinstance(value_at, str) and value_at.strip() else None


def name_in(value: dict[str, Any], *keys: str) -> str | None:
    """The text at a path of keys if it is a valid label, or None."""
    value_at = text_in(value, *keys)
    return value_at if value_at is not None and is_label(value_at) else None


def number_in(value: dict[str, Any], *keys: str) -> int | None:
    """The count at a path of keys."""
    value_at: Any = value
    for key in keys:
        value_at = value_at.get(key) if isinstance(value_at, dict) else None
    return value_at if is_whole_number(value_at) and 0 <= value_at <= LARGEST else None


def moment_in(value: dict[str, Any], key: str) -> datetime | None:
    """The time at a key, with or without a zone."""
    text = text_in(value, key)
    try:
        return None if text is None else datetime.fromisoformat(text)
    except ValueError:
        return None


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data.removeprefix(_BOM).decode())
    except (ValueError, RecursionError):
        return _NO_JSON


def _whole_characters(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole_characters(inner) for inner in value]
    if isinstance(value, dict):
        return {_whole_characters(key): _whole_characters(inner) for key, inner in value.items()}
    return value
