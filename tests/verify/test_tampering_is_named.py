"""Every table × column × {flip, delete a row, insert a row, swap two}, behind the store's back, with triggers
off.

What verification cannot see, and why, is in NOT_COVERED and in docs/explanation/tamper-evidence.md. Each
entry is tried too: it must really not be seen, so that neither list can promise too little or too much.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import combinations, islice, pairwise
from typing import Any
from uuid import uuid4

import pytest

from tests.properties import usually
from tests.verify.conftest import Record
from tests.verify.tampering import Column, Row, Table, flips, tampered

TABLES = (
    "activity",
    "activity_projects",
    "answers",
    "appends",
    "calls",
    "checkpoints",
    "code_commits",
    "code_files",
    "contents",
    "embeddings",
    "events",
    "items",
    "job_runs",
    "keys",
    "rebuilds",
    "retention_rules",
    "schema_migrations",
    "search_postings",
    "search_segments",
    "branch_points",
    "set_aside",
    "snapshots",
    "streams",
    "tombstones",
    "tracking",
)

NOT_COVERED = {
    ("activity", "*", "*"): "counted from the feed, which may lag: it is compared by counting anew",
    ("activity_projects", "*", "*"): "the same",
    (
        "embeddings",
        "*",
        "*",
    ): "made by a model, which may lag; they order what is found, and hold nothing that is shown",
    ("answers", "*", "*"): "what a service answers again, for a day; not what was recorded",
    ("code_files", "*", "*"): "indexed from files outside the log, and made again from them",
    ("code_commits", "*", "*"): "the same, from commits",
    ("search_postings", "*", "*"): "an index, which may lag: it is compared by `projections check`",
    ("search_segments", "*", "*"): "the same",
    ("set_aside", "*", "*"): "says what consumers went on without, which is theirs to know",
    ("job_runs", "*", "*"): "says what workers did and when the next one is to, not what was recorded",
    ("keys", "*", "*"): "says who may ask, not what was recorded",
    ("calls", "*", "*"): "says who asked, not what was recorded",
    ("rebuilds", "*", "*"): "says how far a rebuild has come, not what was recorded",
    ("retention_rules", "*", "*"): "says how long sessions are kept, not what was recorded",
    ("schema_migrations", "*", "*"): "says what the schema is, not what was recorded",
    ("tombstones", "*", "*"): "nothing is left of a purged stream to hold its tombstone against",
    ("tracking", "*", "*"): "says how far consumers have come, which is theirs to know",
    ("appends", "*", "delete"): "a missing key is one that was never used; a retry would then append again",
    ("snapshots", "*", "delete"): "derived: a missing one is made anew from the log",
    ("snapshots", "fold_version", "flip"): "of another fold: no read uses it",
}
"""(table, column, operation) and the reason. A snapshot of another fold version is not covered in any way."""

SAMPLES = usually(2, 4)


Change = tuple[str, list[Row], list[Row]]
"""The column that it is about, or "*", the rows that go, and those that come in their place."""


@pytest.mark.parametrize("table", TABLES)
def test_a_flipped_column(record: Record, table: str) -> None:
    _assert_named(record, table, "flip", _flipped(record.tables[table], record.rows(table)))


def _flipped(table: Table, rows: list[Row]) -> Iterator[Change]:
    for column in table.columns:
        for row in _spread(rows, column):
            if column.name in table.key:
                values = [_unused(rows, column)]
            elif column.name == "position":
                values = [_position_of_another(rows, row)]
            else:
                values = flips(column, row[column.name])
            for value in values:
                yield column.name, [row], [row | {column.name: value}]


@pytest.mark.parametrize("table", TABLES)
def test_a_deleted_row(record: Record, table: str) -> None:
    _assert_named(record, table, "delete", (("*", [row], []) for row in record.rows(table)))


@pytest.mark.parametrize("table", TABLES)
def test_an_inserted_row(record: Record, table: str) -> None:
    _assert_named(record, table, "insert", _inserted(record.tables[table], record.rows(table)))


def _inserted(table: Table, rows: list[Row]) -> Iterator[Change]:
    for column in table.columns:
        if column.name in table.key:
            for row in (rows[0], rows[-1]):
                yield column.name, [], [row | {column.name: _unused(rows, column)}]


@pytest.mark.parametrize("table", TABLES)
def test_two_values_swapped(record: Record, table: str) -> None:
    _assert_named(record, table, "swap", _values_swapped(record, table))


def _values_swapped(record: Record, table: str) -> Iterator[Change]:
    for column in record.tables[table].columns:
        for one, other in _pairs(record, table, column):
            swapped = [
                one | {column.name: other[column.name]},
                other | {column.name: one[column.name]},
            ]
            yield column.name, [one, other], swapped


@pytest.mark.parametrize("table", TABLES)
def test_two_rows_swapped(record: Record, table: str) -> None:
    """All but their keys."""
    _assert_named(record, table, "swap", _rows_swapped(record.tables[table], record.rows(table)))


def _rows_swapped(table: Table, rows: list[Row]) -> Iterator[Change]:
    for one, other in _neighbours(rows):
        swapped = [other | {name: one[name] for name in table.key}]
        swapped.append(one | {name: other[name] for name in table.key})
        if swapped != [one, other]:
            yield "*", [one, other], swapped


def test_every_table_is_tried(record: Record) -> None:
    assert sorted(record.tables) == sorted(TABLES)


def test_every_column_has_something_to_tamper_with(record: Record) -> None:
    empty = [
        f"{table.name}.{column.name}"
        for table in record.tables.values()
        for column in table.columns
        if all(row[column.name] is None for row in record.rows(table.name))
    ]
    assert empty == []


def _assert_named(record: Record, name: str, operation: str, changes: Iterable[Change]) -> None:
    """Each change is named as one of this table, or is a blind spot and is not seen."""
    table = record.tables[name]
    if (name, "*", "*") in NOT_COVERED:
        # Nothing reads such a table: after one change has shown that, others only repeat it.
        changes = islice(changes, usually(1, None))
    for column, before, after in changes:
        stream = (before or after)[0].get("stream_id", record.session.id)
        with tampered(record.connection, table, before, after):
            problem = record.problem(stream)
        tried = f"{operation} of {name}.{column} in {before or after}"
        if _is_blind_spot(record, table, column, operation, [*before, *after]):
            assert problem is None, f"{tried} is seen after all: {problem}"
        else:
            assert problem is not None, f"{tried} is not seen"
            assert problem.where.split(",")[0].split(".")[0].split(" ")[0] == name, f"{tried}: {problem}"


def _is_blind_spot(record: Record, table: Table, column: str, operation: str, rows: list[Row]) -> bool:
    fold = record.store._runtime.reader.fold_version
    if table.name == "snapshots" and not any(row["fold_version"] == fold for row in rows):
        # A row that was moved to a stream that is not there is seen, of whatever fold it is.
        return all(row["stream_id"] in record.streams for row in rows)
    return any(
        NOT_COVERED.keys()
        & {(table.name, column, operation), (table.name, "*", operation), (table.name, "*", "*")}
    )


def _spread(rows: list[Row], column: Column) -> Iterator[Row]:
    """Some rows with a value in the column and some without, from all over the table."""
    for group in (
        [row for row in rows if row[column.name] is not None],
        [row for row in rows if row[column.name] is None],
    ):
        yield from group[:: max(1, len(group) // SAMPLES)]


def _pairs(record: Record, table: str, column: Column) -> Iterator[tuple[Row, Row]]:
    """Some pairs of rows that differ in a column, and whose keys differ after the swap."""
    key = record.tables[table].key
    rows = record.rows(table)
    known = {tuple(row[name] for name in key) for row in rows}
    found = 0
    for one, other in combinations(rows, 2):
        if one[column.name] == other[column.name]:
            continue
        if column.name in key:
            moved = [
                tuple((b if name == column.name else a)[name] for name in key)
                for a, b in ((one, other), (other, one))
            ]
            if known & {*moved}:
                continue
        yield one, other
        found += 1
        if found == SAMPLES:
            return


def _neighbours(rows: list[Row]) -> Iterator[tuple[Row, Row]]:
    pairs = list(pairwise(rows))
    yield from pairs[:: max(1, len(pairs) // SAMPLES)]


def _unused(rows: list[Row], column: Column) -> Any:
    if column.type == "uuid":
        return uuid4()
    if column.type == "text":
        return max(row[column.name] for row in rows) + "x"
    more = {"bytea": b"x", "date": timedelta(days=1)}.get(column.type, 1)
    return max(row[column.name] for row in rows) + more


def _position_of_another(rows: list[Row], row: Row) -> int:
    """One that breaks the order: that one which keeps it is not seen has a test of its own."""
    return next(
        other["position"] for other in rows if other["stream_id"] == row["stream_id"] and other is not row
    )
