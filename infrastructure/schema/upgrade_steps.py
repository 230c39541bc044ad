"""The steps of an upgrade, each so short that writers go on meanwhile.

What needs a table's lock asks for it for half a second and, when it is not free, lets the writers behind it pass before
it asks again. That is less than the second after which Postgres looks for deadlocks, so it is never a writer who is
sent away.
"""

import re
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar
from uuid import UUID

import psycopg

from backstory.infrastructure.postgres.queries import query, query_on

T = TypeVar("T")

PATIENCE = 600.0
"""Seconds that an upgrade goes on asking for a lock."""
OLDER_CALLS = 5.0
"""Seconds that it waits for calls of functions that it has replaced."""
_TOGETHER = 200
_TRIGGER = re.compile(
    r"before (?P<events>.+?) on (?P<table>\S+)\s+for each statement execute function (?P<call>\S+?\(.*?\))",
    re.IGNORECASE | re.DOTALL,
)


class Function(NamedTuple):
    """A function in the catalog: the transaction that wrote it, its name and the statement that drops it."""

    oid: int
    written: str
    name: str
    drop: str


def with_short_locks(connection: psycopg.Connection, work: Callable[[], T]) -> T:
    """Returns the result of the work, done in a transaction that waits half a second for each lock, and repeated until
    all were free."""
    deadline = time.monotonic() + PATIENCE
    pause = 0.05
    while True:
        try:
            with connection.transaction():
                connection.execute(query("limit_lock_wait_shortly"))
                return work()
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
            if time.monotonic() > deadline:
                raise
        time.sleep(pause)
        pause = min(2.0, pause * 2)


def replace_functions(connection: psycopg.Connection, texts: list[str]) -> set[Function]:
    """Makes functions anew; returns those from before that are none of them. Replacing keeps a function's identity, so
    calls that are under way are not disturbed; only one that now returns another type has to be dropped first."""
    before = _functions(connection)
    for text in texts:
        try:
            with connection.transaction():
                connection.execute(text.encode())
        except psycopg.errors.InvalidFunctionDefinition:
            (name,) = re.findall(r"^create or replace function backstory\.(\w+)", text, re.MULTILINE)
            for function in before:
                if function.name == name:
                    connection.execute(function.drop.encode())
            connection.execute(text.encode())
    # Each was just written again, so a row of the catalog that has not changed is of a function from before.
    return before & _functions(connection)


def await_older_calls(connection: psycopg.Connection) -> None:
    """Waits for whatever runs now: a call of a function that was just replaced may go on as the older one."""
    deadline = time.monotonic() + OLDER_CALLS
    running = {row[0] for row in connection.execute(query("running_transactions_of_others"))}
    while running and time.monotonic() < deadline:
        time.sleep(0.01)
        running &= {row[0] for row in connection.execute(query("running_transactions_of_others"))}


def drop_functions(connection: psycopg.Connection, leftover: set[Function]) -> None:
    """Drops functions that are no longer known, when no older one is under way that would call them."""
    # By their ids: that rights were taken away in between has written them again.
    there = {function.oid for function in _functions(connection)}
    with connection.transaction():
        for function in leftover:
            if function.oid in there:
                connection.execute(function.drop.encode())


def _functions(connection: psycopg.Connection) -> set[Function]:
    return {Function._make(row) for row in connection.execute(query("functions"))}


def make_trigger(connection: psycopg.Connection, text: str) -> None:
    """Makes a trigger, unless it stands as it should: making it locks its table for writers and readers."""
    wanted = _trigger(text)
    rows = connection.execute(query("triggers_of_table"), (wanted[0],))
    if any(_trigger(definition) == wanted and enabled == "A" for definition, enabled in rows):
        return
    with_short_locks(connection, lambda: connection.execute(text.encode()))


def _trigger(definition: str) -> tuple[str, frozenset[str], str]:
    """The table, events and call of a trigger's definition."""
    match = _TRIGGER.search(definition)
    assert match is not None, definition
    events = frozenset(
        event.strip().lower() for event in re.split(r"\bor\b", match["events"], flags=re.IGNORECASE)
    )
    return match["table"].lower(), events, re.sub(r"\s", "", match["call"])


def build_indexes(connection: psycopg.Connection, text: str) -> None:
    """Builds indexes without holding up writers. One that was left half built is thrown away and built again."""
    for statement in re.findall(r"^create index concurrently (?s:.)+?;$", text, re.MULTILINE):
        name = statement.split()[3]
        row = connection.execute(query("index_is_valid"), (name,)).fetchone()
        if row is not None and not row[0]:
            connection.execute(query_on("drop_index", name))
        if row is None or not row[0]:
            connection.execute(statement.encode())


def backfill(connection: psycopg.Connection, text: str) -> None:
    """Runs a statement for every stream, each under the lock that its appends take. Done twice it does no harm."""
    last = UUID(int=0)
    while True:
        streams = [row[0] for row in connection.execute(query("streams_after"), (last, _TOGETHER))]
        for stream in streams:
            with_short_locks(connection, partial(_fill, connection, text, stream))
        if len(streams) < _TOGETHER:
            return
        last = streams[-1]


def _fill(connection: psycopg.Connection, text: str, stream: UUID) -> None:
    connection.execute(query("lock_stream"), (stream,))
    connection.execute(text.encode(), {"stream": stream})
