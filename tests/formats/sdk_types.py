"""Whether a value is of one of the SDKs' types, all the way down."""

from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter, ValidationError


def is_valid(adapter: TypeAdapter[Any], value: Any) -> bool:
    try:
        _exhaust(adapter.validate_python(value))
    except ValidationError:
        return False
    return True


def _exhaust(value: Any) -> None:
    """Fields typed as iterables are only checked when they are iterated."""
    if isinstance(value, dict):
        for inner in value.values():
            _exhaust(inner)
    elif isinstance(value, list | Iterator):
        for inner in value:
            _exhaust(inner)
