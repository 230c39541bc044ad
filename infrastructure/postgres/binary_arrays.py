"""Long arrays as the driver sends them, made in one go. The driver's own way looks at each element several times, which
for an import is most of what the client does."""

import struct
from collections.abc import Iterable, Sequence

from psycopg import Connection
from psycopg.adapt import Dumper
from psycopg.pq import Format

_TEXT, _BYTES, _INT2, _INT4, _TIME = 25, 17, 21, 23, 1184
"""Postgres' numbers for its built-in types, the same in every version."""
_FROM_1970_TO_2000 = 946_684_800_000_000
"""Microseconds: Postgres counts from 2000."""
_LENGTH = struct.Struct(">i").pack
_HEAD = struct.Struct(">iiiii").pack
_SHORT = struct.Struct(">ih").pack
_INTEGER = struct.Struct(">ii").pack
_LONG = struct.Struct(">iq").pack
_ABSENT = _LENGTH(-1)


class BinaryArray:
    """An array of one dimension, in Postgres' binary form. Its parameter must be cast, as in ``%b::text[]``."""

    __slots__ = ("data",)

    def __init__(self, element: int, count: int, elements: Iterable[bytes]) -> None:
        # One dimension, perhaps with nulls, from index 1. An empty array has no dimension.
        head = _HEAD(1, 1, element, count, 1) if count else struct.pack(">iii", 0, 0, element)
        self.data = head + b"".join(elements)


def texts(values: Sequence[str | None]) -> BinaryArray:
    return BinaryArray(
        _TEXT, len(values), _framed(None if text is None else text.encode() for text in values)
    )


def byte_strings(values: Sequence[bytes | None]) -> BinaryArray:
    return BinaryArray(_BYTES, len(values), _framed(values))


def shorts(values: Sequence[int | None]) -> BinaryArray:
    return BinaryArray(_INT2, len(values), (_ABSENT if one is None else _SHORT(2, one) for one in values))


def integers(values: Sequence[int | None]) -> BinaryArray:
    return BinaryArray(_INT4, len(values), (_ABSENT if one is None else _INTEGER(4, one) for one in values))


def times(values: Sequence[int | None]) -> BinaryArray:
    """Of microseconds since 1970."""
    return BinaryArray(
        _TIME,
        len(values),
        (_ABSENT if one is None else _LONG(8, one - _FROM_1970_TO_2000) for one in values),
    )


def _framed(values: Iterable[bytes | None]) -> Iterable[bytes]:
    for value in values:
        if value is None:
            yield _ABSENT
        else:
            yield _LENGTH(len(value))
            yield value


class _ArrayDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: BinaryArray) -> bytes:
        return obj.data


def allow_binary_arrays(connection: Connection) -> None:
    """Lets a connection send them."""
    connection.adapters.register_dumper(BinaryArray, _ArrayDumper)
