"""Items as columns: what a snapshot keeps of a thousand items is small and quick to read, because most of their columns
have one value throughout, or one that follows from another."""

from collections.abc import Iterable
from itertools import repeat
from typing import Any

from backstory.domain.records import MAIN, Item

_ID, _WINDOWS, _BROUGHT, _TOUCHED, _CHANGED, _VERSIONS, _REFERENCES, _FLAGS = (
    Item._fields.index(name)
    for name in ("id", "windows", "brought", "touched", "changed", "versions", "references", "flags")
)


def pack_items(items: Iterable[Item]) -> dict[str, Any]:
    """The number of items, and for each column either its values or the one value that all have. None stands for a
    touch at the time of arrival, a change by the event that brought the item, and contents in that event alone."""
    rows = [_short(item) for item in items]
    columns = [list(column) for column in zip(*rows, strict=True)]
    return {
        "count": len(rows),
        "columns": [
            {"all": column[0]} if all(v == column[0] for v in column) else column for column in columns
        ],
    }


def unpack_items(packed: dict[str, Any]) -> dict[int, Item]:
    count = packed["count"]
    columns = [
        repeat(column["all"], count) if isinstance(column, dict) else column for column in packed["columns"]
    ]
    found: dict[int, Item] = {}
    for values in zip(*columns, strict=True):
        row = list(values)
        id_ = row[_ID]
        windows = row[_WINDOWS]
        row[_WINDOWS] = MAIN if windows == ["main"] else tuple(windows)
        row[_REFERENCES] = tuple(row[_REFERENCES])
        row[_FLAGS] = tuple(row[_FLAGS])
        row[_VERSIONS] = (id_,) if row[_VERSIONS] is None else tuple(row[_VERSIONS])
        if row[_TOUCHED] is None:
            row[_TOUCHED] = row[_BROUGHT]
        if row[_CHANGED] is None:
            row[_CHANGED] = id_
        found[id_] = Item._make(row)
    return found


def _short(item: Item) -> list[Any]:
    row = list(item)
    if item.touched == item.brought:
        row[_TOUCHED] = None
    if item.changed == item.id:
        row[_CHANGED] = None
    if item.versions == (item.id,):
        row[_VERSIONS] = None
    return row
