"""Read models made anew from the log, beside the library's own projection runner.

Ours: sessions in which an agent talks, calls tools, decides and looks at older items. Every row of the read models is
thrown away, and all are made anew, compared and written; once more, they are only compared. The library's runner gets
as simple a projection as there is: one row an event, in its own stock tables.
"""

import time
from statistics import median
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import Tracking
from eventsourcing.postgres import PostgresTrackingRecorder
from eventsourcing.projection import Projection, ProjectionRunner
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL

from backstory import ContextStore
from benchmarks.messages import MESSAGES

SESSIONS, QUICK_SESSIONS = 40, 8
STEPS = 400
"""Of an agent in one session, some five events each."""
STOCK_EVENTS, QUICK_STOCK_EVENTS = 6_000, 1_500
TOGETHER = 20
OLDER = 50
"""Items that are looked at again."""


class Rebuilt(NamedTuple):
    """Events per second, medians."""

    events: int
    lost: float
    """When every row was lost."""
    compared: float
    """When nothing differed."""
    stock: float


class Conversation(Aggregate):
    @event("Said")
    def say(self, text: str) -> None:
        pass


class Row(PostgresTrackingRecorder):
    """A view with one row an event."""

    def __init__(self, datastore: Any, **named: Any) -> None:
        super().__init__(datastore, **named)
        self.sql_create_statements.append(
            SQL(
                "create table if not exists stock_rows (stream_id uuid, version integer, length integer, "
                "primary key (stream_id, version))"
            )
        )

    def add(self, stream: UUID, version: int, length: int, tracking: Tracking) -> None:
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute("insert into stock_rows values (%s, %s, %s)", (stream, version, length))
            self._insert_tracking(cursor, tracking)


class Rows(Projection[Row]):
    def process_event(self, domain_event: Any, tracking: Tracking) -> None:
        text = getattr(domain_event, "text", "")
        self.view.add(domain_event.originator_id, domain_event.originator_version, len(text), tracking)


def rebuild(url: str, stock_url: str, rounds: int, *, quick: bool) -> Rebuilt:
    """Ours and theirs in turns."""
    lost, compared, stock = [], [], []
    with ContextStore.open(url) as store:
        for _ in range(QUICK_SESSIONS if quick else SESSIONS):
            _work(store)
        stock_events = QUICK_STOCK_EVENTS if quick else STOCK_EVENTS
        with _stock(stock_url) as application:
            for _ in range(rounds):
                stock.append(_run_stock(stock_url, application, stock_events))
                with psycopg.connect(url, autocommit=True) as connection:
                    connection.execute("truncate backstory.items, backstory.checkpoints, backstory.seams")
                    connection.execute("update backstory.streams set summary = '{}'")
                lost.append(_run(store, changes=True))
                compared.append(_run(store, changes=False))
        assert store.check_projections().ok
        events = store.rebuild_projections().events
    return Rebuilt(events, median(lost), median(compared), median(stock))


def _work(store: ContextStore) -> None:
    session = store.start(limit=2_000_000)
    with session.atomic() as tx:
        for number in range(OLDER):
            tx.message(MESSAGES[number])
    for step in range(0, STEPS, TOGETHER):
        with session.atomic() as tx:
            for number in range(step, step + TOGETHER):
                tx.message(MESSAGES[number % len(MESSAGES)])
                tx.tool_call("grep", {"pattern": f"word {number}"}, call_id=f"call {number}")
                tx.tool_result(f"call {number}", "found in three files")
                tx.message("that is where it is", role="agent")
                tx.touch(2 + number % OLDER)
            tx.decide(f"decision {step}")
        session.checkpoint(f"step {step}")


def _run(store: ContextStore, *, changes: bool) -> float:
    began = time.perf_counter()
    done = store.rebuild_projections()
    taken = time.perf_counter() - began
    assert bool(done.changed) == changes
    return done.events / taken


def _stock(url: str) -> Application[UUID]:
    return Application(_environment(url))


def _run_stock(url: str, application: Application[UUID], events: int) -> float:
    conversation = Conversation()
    for number in range(1, events):
        conversation.say(MESSAGES[number % len(MESSAGES)])
        # In one go its pipeline fills the socket both ways, and both sides wait for ever.
        if number % TOGETHER == 0:
            application.save(conversation)
    newest = application.save(conversation)[-1].notification.id
    began = time.perf_counter()
    with ProjectionRunner(
        application_class=Application, projection_class=Rows, view_class=Row, env=_environment(url)
    ) as runner:
        runner.wait(newest, timeout=600)
        return events / (time.perf_counter() - began)


def _environment(url: str) -> dict[str, str]:
    parts = conninfo_to_dict(url)
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": str(parts["dbname"]),
        "POSTGRES_HOST": str(parts["host"]),
        "POSTGRES_PORT": str(parts.get("port", 5432)),
        "POSTGRES_USER": str(parts["user"]),
        "POSTGRES_PASSWORD": "",
    }
