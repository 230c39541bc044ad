"""Changing rows behind the store's back, and putting them back as they were."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import sql
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

Row = dict[str, Any]


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    nullable: bool


@dataclass(frozen=True)
class Table:
    """A table as the catalog has it, so that no column can be forgotten."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]

    def identity(self, row: Row) -> tuple[Any, ...]:
        return tuple(row[column] for column in self.key)

    @property
    def of_streams(self) -> bool:
        return "stream_id" in [column.name for column in self.columns]


def tables(connection: psycopg.Connection) -> dict[str, Table]:
    """Every table of the schema."""
    columns = connection.execute(
        "select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), not a.attnotnull, "
        "coalesce(a.attnum = any (i.indkey), false) "
        "from pg_class c join pg_attribute a on a.attrelid = c.oid "
        "left join pg_index i on i.indrelid = c.oid and i.indisprimary "
        "where c.relnamespace = 'backstory'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 "
        "and not a.attisdropped order by c.relname, a.attnum"
    ).fetchall()
    found: dict[str, list[Any]] = {}
    for table, *column in columns:
        found.setdefault(table, []).append(column)
    return {
        table: Table(
            table,
            tuple(Column(name, type_, nullable) for name, type_, nullable, _ in rows),
            tuple(name for name, _, _, in_key in rows if in_key),
        )
        for table, rows in found.items()
    }


def rows_of(connection: psycopg.Connection, table: Table, streams: Sequence[UUID] = ()) -> list[Row]:
    """All rows of a table, or those of some streams, in the order of their keys."""
    where = sql.SQL("where stream_id = any (%s)" if streams else "where %s::uuid[] is not null")
    order = sql.SQL(", ").join(map(sql.Identifier, table.key))
    query = sql.SQL("select * from {} {} order by {}").format(
        sql.Identifier("backstory", table.name), where, order
    )
    with connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query, (list(streams),)).fetchall()


@contextmanager
def tampered(
    connection: psycopg.Connection, table: Table, before: Sequence[Row], after: Sequence[Row]
) -> Iterator[None]:
    """The table with these rows in the place of those, committed, until the block ends."""
    replace_rows(connection, table, before, after)
    try:
        yield
    finally:
        replace_rows(connection, table, after, before)


def replace_rows(
    connection: psycopg.Connection, table: Table, old: Sequence[Row], new: Sequence[Row]
) -> None:
    """Takes rows out of a table and puts others in, in one transaction."""
    name = sql.Identifier("backstory", table.name)
    match = sql.SQL(" and ").join(sql.SQL("{} = %s").format(sql.Identifier(column)) for column in table.key)
    columns = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.columns)
    places = sql.SQL(", ").join(sql.Placeholder() * len(table.columns))
    with connection.transaction():
        for row in old:
            deleted = connection.execute(
                sql.SQL("delete from {} where {}").format(name, match), table.identity(row)
            )
            assert deleted.rowcount == 1
        for row in new:
            values = [_adapted(column, row[column.name]) for column in table.columns]
            connection.execute(
                sql.SQL("insert into {} ({}) values ({})").format(name, columns, places), values
            )


def _adapted(column: Column, value: Any) -> Any:
    return Jsonb(value) if column.type == "jsonb" and value is not None else value


def flips(column: Column, value: Any) -> list[Any]:
    """Other values that a column could have instead: a small change, and nothing where nothing is allowed."""
    changed = _PRESENT[column.type](value) if value is not None else _ABSENT[column.type]
    return [changed, None] if column.nullable and value is not None else [changed]


def _flip_bit(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :] if data else b"\0"


def _next_float(value: float) -> float:
    return math.nextafter(value, 2.0)


def _later(value: datetime) -> datetime:
    return value + timedelta(microseconds=1)


_PRESENT: dict[str, Any] = {
    "uuid": lambda _: uuid4(),
    "integer": lambda value: value + 1,
    "bigint": lambda value: value + 1,
    "smallint": lambda value: value + 1,
    "text": lambda value: value + "x",
    "bytea": _flip_bit,
    "boolean": lambda value: not value,
    "double precision": _next_float,
    "timestamp with time zone": _later,
    "jsonb": lambda value: {**value, "tampered": 1},
    "text[]": lambda value: [*value, "tampered"],
    "integer[]": lambda value: [*value, 1],
}

_ABSENT: dict[str, Any] = {
    "uuid": UUID(int=1),
    "integer": 1,
    "smallint": 1,
    "text": "x",
    "bytea": b"x",
    "timestamp with time zone": datetime.fromisoformat("2026-01-01T00:00:00+00:00"),
    "jsonb": {"cl100k_base": 1},
    "integer[]": [1],
}
