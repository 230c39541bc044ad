"""Events a second through a projection: our runner beside the library's, on the same Postgres, doing the same."""

import json
import time
from collections import Counter
from collections.abc import Collection
from statistics import median
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import psycopg
from eventsourcing.application import Application
from eventsourcing.persistence import Tracking
from eventsourcing.postgres import PostgresTrackingRecorder
from eventsourcing.projection import Projection, ProjectionRunner as StockRunner
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL

from backstory.activity import ActivityProjection
from backstory.infrastructure.appending import PendingEvent, append
from backstory.projecting import FeedBatch, FeedProjection
from backstory.projection_runner import ProjectionRunner
from backstory.store import ContextStore

TOGETHER = 200
COUNTED = (
    "insert into counted values (%s, %s) "
    "on conflict (type) do update set events = counted.events + excluded.events"
)
COUNTED_BY_STOCK = SQL(COUNTED.replace("counted", "stock.counted", 1))


class Rates(NamedTuple):
    """Events a second."""

    counting: float
    """Backstory's runner, counting in Python."""
    activity: float
    """Backstory's runner, keeping the activity, which counts in SQL."""
    stock: float
    """The library's runner, counting in Python."""


class Counting:
    """Counts events by type, as users write it."""

    name = "counting"
    types: Collection[str] = ()

    def apply(self, connection: psycopg.Connection, batch: FeedBatch) -> None:
        for type_, events in Counter(event.event.type for event in batch).items():
            connection.execute(COUNTED, (type_, events))

    def reset(self, connection: psycopg.Connection) -> None:
        connection.execute("delete from counted")


def projection_rates(url: str, events: int, stock_events: int, rounds: int) -> Rates:
    """Medians of rounds in turn. The library's runner gets fewer events, since it takes its time."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("create table counted (type text primary key, events bigint not null)")
        connection.execute("create schema stock")
        connection.execute("create table stock.counted (type text primary key, events bigint not null)")
    with ContextStore.open(url) as store:
        _write(store, events)
        # All of them were decided safe once, as they are for a runner that goes on.
        newest = store.feed_status().newest
        counting, activity, stock = [], [], []
        for number in range(rounds):
            counting.append(newest / _rebuild_seconds(store, Counting()))
            activity.append(newest / _rebuild_seconds(store, ActivityProjection()))
            stock.append(stock_events / _stock_seconds(url, stock_events, number))
    return Rates(median(counting), median(activity), median(stock))


def _rebuild_seconds(store: ContextStore, projection: FeedProjection) -> float:
    began = time.perf_counter()
    ProjectionRunner(store, [projection]).rebuild(projection.name)
    return time.perf_counter() - began


def _write(store: ContextStore, events: int) -> None:
    """Messages and calls, as a conversation has them."""
    content = {"media_type": "text/plain", "sha256": "0" * 64, "size": 540, "part": 0}
    message = json.dumps({"role": "user", "parts": [{"kind": "text", "content": content}]}).encode()
    call = json.dumps({"model": "m", "input_tokens": 900, "output_tokens": 90, "cost_usd": 0.002}).encode()
    brings = json.dumps({"brings": {"type": "message", "tokens": 120, "importance": 0.5, "tier": "HOT"}})
    database = store._core.database
    for first in range(0, events, TOGETHER):
        if first % (20 * TOGETHER) == 0:
            session = store.start(project=f"p{first % 7}")
        pending = [
            PendingEvent("model.called", 2, call)
            if n % 4 == 3
            else PendingEvent("message.added", 1, message, brings)
            for n in range(TOGETHER)
        ]
        database.read(lambda c, stream=session.id, pending=pending: append(c, stream, pending))


class Counters(Application[UUID]):
    """The library's application, whose events are followed."""


class CountedView(PostgresTrackingRecorder):
    """The library's view: the rows and the position in one transaction, an event at a time."""

    def count(self, type_: str, tracking: Tracking) -> None:
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute(COUNTED_BY_STOCK, (type_, 1), prepare=True)
            self._insert_tracking(cursor, tracking)


class CountingProjection(Projection[CountedView]):
    name = "counting"

    def process_event(self, domain_event: Any, tracking: Tracking) -> None:
        self.view.count(type(domain_event).__name__, tracking)


def _stock_seconds(url: str, events: int, number: int) -> float:
    """The library's own recorder, subscription, runner and tracking, on tables of this round's own."""
    from eventsourcing.domain import Aggregate

    parts = conninfo_to_dict(url)
    schema = f"stock_{number}_{uuid4().hex[:6]}"
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
