"""Documents as the values that the library returns: by the names of their fields, and by the type of each."""

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from pydantic import BaseModel

from backstory.domain.errors import SchemaMismatch

Reader = Callable[[Any], Any]
_PLAIN = (bool, int, float, str)
_PARSED: dict[Any, Reader] = {
    datetime: datetime.fromisoformat,
    date: date.fromisoformat,
    UUID: UUID,
    Path: Path,
    bytes: bytes.fromhex,
}

_OTHERS: dict[type, Reader] = {}
"""For types whose documents have other fields than they: see `records`."""


def reads(kind: type) -> Callable[[Reader], Reader]:
    """Makes a function the reader of a type's documents."""

    def register(reader: Reader) -> Reader:
        _OTHERS[kind] = reader
        return reader

    return register


def value_of(kind: Any, document: Any) -> Any:
    """The value of a type that a document describes."""
    try:
        return _reader(kind)(document)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        name = getattr(kind, "__name__", kind)
        raise SchemaMismatch(
            f"the service answered with another form of {name} than this version of the client reads: "
            f"{type(error).__name__} {error}."
        ) from None


@cache
def _reader(kind: Any) -> Reader:
    """The function that reads documents of a type."""
    if kind in _OTHERS:
        return _OTHERS[kind]
    if kind in _PARSED:
        return _PARSED[kind]
    if isinstance(kind, type):
        return _class_reader(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _union_reader(arguments)
    if origin in (list, tuple):
        return _sequence_reader(origin, arguments)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key, value = _key_reader(arguments[0]), _reader(arguments[1])
        return lambda document: {key(name): value(inner) for name, inner in document.items()}
    return _as_it_is


def _as_it_is(document: Any) -> Any:
    return document


def _class_reader(kind: type) -> Reader:
    if kind in _PLAIN or kind is type(None):
        return _as_it_is
    if issubclass(kind, Enum):
        return kind
    if issubclass(kind, BaseModel):
        return kind.model_validate
    return by_fields(kind) if hasattr(kind, "_fields") or is_dataclass(kind) else _as_it_is


def by_fields(kind: Any) -> Reader:
    """Reads a named tuple or a dataclass by the names of its fields. Further fields of the document are passed over."""
    if is_dataclass(kind):
        names = {
            field.name: field.default is MISSING and field.default_factory is MISSING
            for field in fields(kind)
        }
    else:
        names = {name: name not in kind._field_defaults for name in kind._fields}
    hints = get_type_hints(kind)
    readers = {name: (_reader(hints[name]), required) for name, required in names.items()}

    def read(document: Any) -> Any:
        given = {
            name: reader(document[name])
            for name, (reader, required) in readers.items()
            if required or name in document
        }
        return kind(**given)

    return read


def _union_reader(kinds: tuple[Any, ...]) -> Reader:
    """Reads an optional value, or one of several plain ones."""
    others = [kind for kind in kinds if kind is not type(None)]
    if len(others) > 1:
        return _as_it_is
    reader = _reader(others[0])
    return lambda document: None if document is None else reader(document)


def _sequence_reader(origin: Any, kinds: tuple[Any, ...]) -> Reader:
    if origin is tuple and (len(kinds) != 2 or kinds[1] is not Ellipsis):
        readers = [_reader(kind) for kind in kinds]
        return lambda document: tuple(reader(inner) for reader, inner in zip(readers, document, strict=True))
    reader = _reader(kinds[0])
    return lambda document: origin(map(reader, document))


def _key_reader(kind: Any) -> Reader:
    """Reads the names of an object, which are texts in JSON."""
    return int if kind is int else _reader(kind)
