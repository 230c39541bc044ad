"""The ways of appending that are compared. Each gives one thread's writer: a function that appends once."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import psycopg
from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.numeric import Int2, Int4

from backstory import ContextStore
from benchmarks.messages import MESSAGES

Append = Callable[[int], None]
Contender = Callable[[], Any]

_COLUMNS = (
    "stream_id, version, position, type, schema_version, recorded_at, occurred_at, epoch, cause, actor, chain, "
    "effects, payload"
)

RAW_TABLES = f"""
create table raw_events as select {_COLUMNS} from backstory.events with no data;
alter table raw_events add primary key (stream_id, version);
create index on raw_events (position);
create sequence raw_positions;
create table raw_contents as select * from backstory.contents with no data;
alter table raw_contents add primary key (stream_id, version, part);
create table raw_items as select * from backstory.items with no data;
alter table raw_items add primary key (stream_id, item);
create table raw_streams as select * from backstory.streams with no data;
alter table raw_streams add primary key (stream_id);
alter table raw_streams set (fillfactor = 50);
"""

EFFECTS = '{"brings":{"type":"message","tokens":120,"importance":0.7,"tier":"WARM"}}'
REFERENCE = b'{"role":"user","parts":[{"content":{"sha256":"' + b"a" * 43 + b'","size":540}}]}'
SUMMARY = (
    '{"labels":{"status":"open"},"counts":{"message":120},"windows":{"main":{"items":120,"tokens":14400}}}'
)

_EVENT = (
    f"insert into raw_events ({_COLUMNS}) values "
    "(%s, %s, nextval('raw_positions'), %s, %s, %s, null, %s, null, %s, %s, %s, %s)"
)
_CONTENT = "insert into raw_contents (stream_id, version, part, salt, bytes) values (%s, %s, %s, %s, %s)"
_ITEM = (
    "insert into raw_items (stream_id, brought_at, touched_at, importance, item, changed, tokens, accesses, private, "
    "tier, type, windows) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
)
_STREAM = (
    "update raw_streams set version = %s, chain = %s, recorded_at = %s, summary = %s where stream_id = %s"
)


def event_row(stream: UUID, version: int, payload: bytes) -> tuple[Any, ...]:
    now = datetime.now(UTC)
    return (
        stream, Int4(version), "message.added", Int2(1), now, Int4(0), "user", os.urandom(32), EFFECTS, payload,
    )  # fmt: skip


@contextmanager
def raw_event_row(url: str) -> Iterator[Contender]:
    """psycopg: the event's row alone, with the message in it, one statement a commit."""

    def writer() -> tuple[Append, Callable[[], None]]:
        connection = psycopg.connect(url, autocommit=True)
        stream = uuid4()

        def append(number: int) -> None:
            text = MESSAGES[number % len(MESSAGES)].encode()
            connection.execute(_EVENT, event_row(stream, number, text))

        return append, connection.close

    yield writer


@contextmanager
def raw_same_rows(url: str) -> Iterator[Contender]:
    """psycopg: the four rows that Backstory writes, in one pipelined transaction."""

    def writer() -> tuple[Append, Callable[[], None]]:
        connection = psycopg.connect(url, autocommit=True)
        stream = uuid4()
        connection.execute(
            "insert into raw_streams values (%s, now(), now(), 0, 0, 'session', '', %s)", (stream, SUMMARY)
        )

        def append(number: int) -> None:
            text = MESSAGES[number % len(MESSAGES)].encode()
            now = datetime.now(UTC)
            with connection.pipeline(), connection.transaction():
                connection.execute(_EVENT, event_row(stream, number, REFERENCE))
                connection.execute(_CONTENT, (stream, Int4(number), Int2(0), os.urandom(16), text))
                connection.execute(
                    _ITEM,
                    (stream, now, now, 0.7, Int4(number), Int4(number), Int4(120), Int4(0), False, "WARM", "message",
                     ["main"]),
                )  # fmt: skip
                connection.execute(_STREAM, (Int4(number), os.urandom(32), now, SUMMARY, stream))

        return append, connection.close

    yield writer


@contextmanager
def stock_eventsourcing(url: str) -> Iterator[Contender]:
    """eventsourcing's own Postgres recorder, one stored event a call."""
    parts = conninfo_to_dict(url)
    datastore = PostgresDatastore(
        dbname=str(parts["dbname"]),
        host=str(parts["host"]),
        port=str(parts.get("port", 5432)),
        user=str(parts["user"]),
        password="",
        pool_size=40,
        max_overflow=0,
        connect_timeout=30,
    )
    recorder = PostgresApplicationRecorder(datastore, events_table_name="stock_events")
    recorder.create_table()

    def writer() -> tuple[Append, Callable[[], None]]:
        stream = uuid4()

        def append(number: int) -> None:
            text = MESSAGES[number % len(MESSAGES)].encode()
            recorder.insert_events([StoredEvent(stream, number, "message.added", text)])

        return append, lambda: None

    try:
        yield writer
    finally:
        datastore.close()


@contextmanager
def backstory_message(url: str, pool_size: int = 40) -> Iterator[Contender]:
    """Backstory, everything included: tokens counted, sealed, chained, read models kept."""
    with ContextStore.open(url, pool_size=pool_size) as store:

        def writer() -> tuple[Append, Callable[[], None]]:
            session = store.start()

            def append(number: int) -> None:
                session.message(MESSAGES[number % len(MESSAGES)])

            return append, lambda: None

        yield writer


APPENDERS: dict[str, Callable[[str], Any]] = {
    "raw event row": raw_event_row,
    "raw same rows": raw_same_rows,
    "stock eventsourcing": stock_eventsourcing,
    "backstory": backstory_message,
}


def create_raw_tables(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(RAW_TABLES)
