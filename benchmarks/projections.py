"""Read models rebuilt from the log and feed projections, beside the `eventsourcing` library's projection runner.

The library's runner and our feed projection do the same: they count events by type. The rebuild makes every row of the
read models anew after all rows were deleted.
"""

import json
import time
from collections import Counter
from collections.abc import Collection, Iterator
from statistics import median
from typing import Any
from uuid import UUID, uuid4

import psycopg
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate
from eventsourcing.persistence import Tracking
from eventsourcing.postgres import PostgresTrackingRecorder
from eventsourcing.projection import Projection, ProjectionRunner as StockRunner
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL

from backstory import ContextStore
from backstory.application.feed.projection_runner import ProjectionRunner
from backstory.application.feed.projections import FeedBatch
from backstory.infrastructure.postgres.append import PendingEvent, append
from benchmarks.goals import Row
from benchmarks.messages import MESSAGES

EVENTS, QUICK_EVENTS = 200_000, 20_000
STOCK_EVENTS, QUICK_STOCK_EVENTS = 5_000, 1_000
SESSIONS, QUICK_SESSIONS = 40, 8
"""Sessions of the rebuild, with about 2,000 events each."""
TOGETHER = 200
COUNT = (
    "insert into counted values (%s, %s) "
    "on conflict (type) do update set events = counted.events + excluded.events"
)


def projection_rows(rebuild_url: str, feed_url: str, rounds: int, *, quick: bool) -> Iterator[Row]:
    """Our runner and the library's in turns."""
    stock_events = QUICK_STOCK_EVENTS if quick else STOCK_EVENTS
    with psycopg.connect(feed_url, autocommit=True) as connection:
        connection.execute("create table counted (type text primary key, events bigint not null)")
    rebuilt, counted, stock = [], [], []
    with ContextStore.open(rebuild_url) as worked, ContextStore.open(feed_url) as written:
        for _ in range(QUICK_SESSIONS if quick else SESSIONS):
            _work(worked)
        _write(written, QUICK_EVENTS if quick else EVENTS)
        for _ in range(rounds):
            stock.append(stock_events / _stock_seconds(feed_url, stock_events))
            rebuilt.append(_rebuild_rate(worked, rebuild_url))
            counted.append(_feed_rate(written))
    for what, rates in (("rebuild, every row lost", rebuilt), ("feed projection", counted)):
        ours, theirs = median(rates), median(stock)
        measured = f"{ours / theirs:.0f} × ({ours:,.0f} events/s; stock runner {theirs:,.0f})"
        yield Row(what, measured, "≥ 20 ×", ours >= 20 * theirs)


def _rebuild_rate(store: ContextStore, url: str) -> float:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("truncate backstory.items, backstory.checkpoints, backstory.branch_points")
        connection.execute("update backstory.streams set summary = '{}'")
    began = time.perf_counter()
    done = store.rebuild_projections()
    taken = time.perf_counter() - began
    assert done.changed
    return done.events / taken


def _work(store: ContextStore) -> None:
    """An agent that talks, calls tools, decides and looks at older items."""
    session = store.start(limit=2_000_000)
    older = session.message(MESSAGES[0])
    for step in range(20):
        with session.atomic() as tx:
            for number in range(20 * step, 20 * step + 20):
                tx.message(MESSAGES[number])
                tx.tool_call("grep", {"pattern": f"word {number}"}, call_id=f"call {number}")
                tx.tool_result(f"call {number}", "found in three files")
                tx.message("that is where it is", role="agent")
                tx.items.touch(older)
            tx.decide(f"decision {step}")
        session.checkpoints.create(f"step {step}")


class Counting:
    """Counts events by type."""

    name = "counting"
    types: Collection[str] = ()

    def apply(self, connection: psycopg.Connection, batch: FeedBatch) -> None:
        for type_, events in Counter(event.event.type for event in batch).items():
            connection.execute(COUNT, (type_, events))

    def reset(self, connection: psycopg.Connection) -> None:
        connection.execute("delete from counted")


def _feed_rate(store: ContextStore) -> float:
    began = time.perf_counter()
    ProjectionRunner(store, [Counting()]).rebuild(Counting.name)
    return store.feed_status().newest / (time.perf_counter() - began)


def _write(store: ContextStore, events: int) -> None:
    """Messages and model calls."""
    content = {"media_type": "text/plain", "sha256": "0" * 64, "size": 540, "part": 0}
    message = json.dumps({"role": "user", "parts": [{"kind": "text", "content": content}]}).encode()
    call = json.dumps({"model": "m", "input_tokens": 900, "output_tokens": 90, "cost_usd": 0.002}).encode()
    brings = json.dumps({"brings": {"type": "message", "tokens": 120, "importance": 0.5, "tier": "HOT"}})
    pending = [
        PendingEvent("model.called", 2, call)
        if number % 4 == 3
        else PendingEvent("message.added", 1, message, brings)
        for number in range(TOGETHER)
    ]
    database = store._runtime.database
    for first in range(0, events, TOGETHER):
        if first % (20 * TOGETHER) == 0:
            session = store.start()
        database.read(lambda connection, stream=session.id: append(connection, stream, pending))


class Counters(Application[UUID]):
    """The library's application, whose events are followed."""


class CountedView(PostgresTrackingRecorder):
    """The library's view: the rows and the position in one transaction, an event at a time."""

    def count(self, type_: str, tracking: Tracking) -> None:
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute(SQL("insert into public." + COUNT.removeprefix("insert into ")), (type_, 1))
            self._insert_tracking(cursor, tracking)


class CountingProjection(Projection[CountedView]):
    name = "counting"

    def process_event(self, domain_event: Any, tracking: Tracking) -> None:
        self.view.count(type(domain_event).__name__, tracking)


def _stock_seconds(url: str, events: int) -> float:
    """The library's recorder, subscription, runner and tracking, on tables of this round's own."""
    parts = conninfo_to_dict(url)
    schema = f"stock_{uuid4().hex[:6]}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"create schema {schema}".encode())
    env = {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": str(parts["dbname"]),
        "POSTGRES_HOST": str(parts["host"]),
        "POSTGRES_PORT": str(parts.get("port", 5432)),
        "POSTGRES_USER": str(parts["user"]),
        "POSTGRES_PASSWORD": "-",
        "POSTGRES_SCHEMA": schema,
    }
    with Counters(env=env) as application:
        for first in range(0, events, TOGETHER):
            aggregate = Aggregate()
            while len(aggregate.pending_events) < min(TOGETHER, events - first):
                aggregate.trigger_event(Aggregate.Event)
            application.save(aggregate)
    began = time.perf_counter()
    with StockRunner(
        application_class=Counters, projection_class=CountingProjection, view_class=CountedView, env=env
    ) as runner:
        runner.wait(events, timeout=600)
        return time.perf_counter() - began
