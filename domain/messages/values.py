"""JSON values: what may stand in a message, and the bytes it is kept as."""

import base64
import binascii
import json
from collections.abc import Mapping
from math import isfinite
from typing import Any, NoReturn

from backstory.domain.errors import InvalidMessage
from backstory.domain.messages.contents import text_bytes

# Providers nest a handful of levels. Beyond some hundreds Python's own JSON encoder gives up.
MAX_DEPTH = 100
# Python refuses to print integers of more than 4,300 digits; a number that cannot be printed is not JSON.
MAX_INTEGER_BITS = 14_000

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def json_value(value: Any, field: str, depth: int = 0) -> Any:
    """A copy of the value in plain JSON types. Objects of the providers' SDKs become what the API sent."""
    if isinstance(value, str):
        text_bytes(field, value)
        return value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if value.bit_length() > MAX_INTEGER_BITS:
            raise InvalidMessage(field, "is an integer of more than 4,200 digits")
        return value
    if isinstance(value, float):
        if not isfinite(value):
            raise InvalidMessage(field, "must be a finite number: JSON has no NaN and no infinity")
        return value
    if depth >= MAX_DEPTH:
        raise InvalidMessage(field, f"is nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, Mapping):
        return {_key(k, field): json_value(v, f"{field}.{k}", depth + 1) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(v, f"{field}[{n}]", depth + 1) for n, v in enumerate(value)]
    if callable(dump := getattr(value, "model_dump", None)) and not isinstance(value, type):
        # Unset fields were not in the provider's answer; sending them back as null is refused by some APIs.
        sent = dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
        return json_value(sent, field, depth + 1)
    raise InvalidMessage(field, f"must be a JSON value, not {type(value).__name__}")


def _key(key: Any, field: str) -> str:
    if not isinstance(key, str):
        raise InvalidMessage(field, f"has a key that is not a string but {type(key).__name__}")
    text_bytes(field, key)
    return key


def json_object(value: Any, field: str) -> dict[str, Any]:
    plain = json_value(value, field)
    if not isinstance(plain, dict):
        raise InvalidMessage(field, "must be an object")
    return plain


def dumps(value: Any) -> bytes:
    """Compact UTF-8 JSON that keeps the order of keys."""
    return _encode(value).encode()


def loads(data: bytes) -> Any:
    """The value of bytes that `dumps` made."""
    return json.loads(data)


def foreign_json(text: str | bytes) -> Any:
    """The value of JSON that a model wrote, or None where it is not JSON that could be sent on."""
    try:
        return json_value(json.loads(text, parse_constant=_no_constant), "")
    except (ValueError, RecursionError, InvalidMessage):
        return None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def from_base64(text: str) -> bytes | None:
    """The bytes, or None where encoding them again would not give the same text."""
    try:
        data = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return None
    return data if to_base64(data) == text else None


def to_base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def required_text(block: Mapping[str, Any], key: str, field: str) -> str:
    return checked_text(block.get(key), f"{field}.{key}", missing=key not in block)


def checked_text(value: Any, field: str, *, missing: bool = False) -> str:
    if missing:
        raise InvalidMessage(field, "is missing")
    if not isinstance(value, str):
        raise InvalidMessage(field, "must be a string")
    return value


def required_object(block: Mapping[str, Any], key: str, field: str) -> dict[str, Any]:
    if key not in block:
        raise InvalidMessage(f"{field}.{key}", "is missing")
    value = block[key]
    if not isinstance(value, dict):
        raise InvalidMessage(f"{field}.{key}", "must be an object")
    return value
