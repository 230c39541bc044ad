"""A reader that follows the feed meets every event once and in order, however many write at once, pause where it hurts
and give up. Without the line that gives a writer its transaction id before it draws a position, it would not."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar
from uuid import UUID

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.domain.events import EventBody
from backstory.infrastructure.feed.horizon import Horizon
from backstory.infrastructure.postgres.append import PendingEvent, append
from backstory.infrastructure.schema import migrate as schema
from benchmarks import lost_events
from tests.properties import usually
from tests.waiting import until

EVENTS = usually(2_000, 6_000)


class Ticked(EventBody):
    type: ClassVar[str] = lost_events.TYPE


def test_sixteen_writers_in_two_processes(new_database: Callable[[], str]) -> None:
    found = lost_events.lost_events(new_database(), EVENTS)
    assert found.events >= EVENTS
    assert found.aborted > 0
    assert (found.skipped, found.twice, found.disordered, found.tailed) == (0, 0, 0, 0)


@contextmanager
def held_writer(url: str, stream: UUID, events: int) -> Iterator[psycopg.Connection]:
    """A writer that has drawn its positions and written nothing yet, until the block ends; then it commits."""
    with (
        psycopg.connect(url, autocommit=True) as gate,
        psycopg.connect(url, autocommit=True) as connection,
    ):
        gate.execute("select pg_advisory_lock(4711)")
        connection.execute("set backstory.test_hold = 'on'")
        pending = [PendingEvent(lost_events.TYPE, 1, b"{}")] * events
        writer = threading.Thread(target=append, args=(connection, stream, pending))
        writer.start()
        until(
            lambda: gate.execute(
                "select 1 from pg_locks where locktype = 'advisory' and objid = 4711 and not granted"
            ).fetchone()
        )
        yield gate
        gate.execute("select pg_advisory_unlock(4711)")
        writer.join(60)
        assert not writer.is_alive()


@pytest.mark.parametrize("events", [1, 3], ids=["one event", "several together"])
@pytest.mark.parametrize("without_xid", [False, True], ids=["as it is", "without the line"])
def test_a_writer_that_is_slow_after_it_drew_its_position(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch, events: int, without_xid: bool
) -> None:
    """Another one overtakes it, and a reader looks just then. With its id it is waited for; without, nobody knows of
    it, and the reader goes past the numbers that it has drawn."""
    monkeypatch.setattr(Horizon.advance, "__defaults__", (0.2, None))
    url = new_database()
    lost_events.with_pauses(url, without_xid=without_xid)
    with ContextStore.open(url, migrate=False) as store:
        slow, quick = store.start(), store.start()
        feed = store.feed()
        met = [(entry.session, entry.version) for entry in feed]
        with held_writer(url, slow.id, events):
            quick.record(Ticked())
            feed = store.feed(after=feed.position)
            met += [(entry.session, entry.version) for entry in feed]
        feed = store.feed(after=feed.position)
        met += [(entry.session, entry.version) for entry in feed]
        written = {(entry.session, entry.version) for entry in store.feed()}
    late = {(slow.id, version) for version in range(2, events + 2)}
    assert late <= written
    assert written - set(met) == (late if without_xid else set())
    assert len(met) == len(set(met))


FUNCTIONS = {
    re.findall(r"^create or replace function backstory\.(\w+)", text, re.MULTILINE)[0]: text
    for text in schema.function_files()
}


def test_whoever_draws_positions_has_an_id_before() -> None:
    """The doors into the log, whatever others come: the id's line stands before the draw. Two draw for them."""
    drawing = {"draw_positions", "write_events"}
    doors = {
        name: text
        for name, text in FUNCTIONS.items()
        if name not in drawing
        and re.search(r"nextval\('backstory\.positions'\)|backstory\.(draw_positions|write_events)\(", text)
    }
    assert {"append", "import_events"} <= set(doors)
    for name, text in doors.items():
        body = text.partition("as $$")[2]
        draws = re.search(
            r"nextval\('backstory\.positions'\)|backstory\.(draw_positions|write_events)\(", body
        )
        assert draws is not None
        assert "pg_current_xact_id()" in body[: draws.start()], name


def test_positions_are_drawn_one_by_one(new_database: Callable[[], str]) -> None:
    """A sequence that hands out numbers in advance would have some drawn long before their transaction began."""
    with psycopg.connect(new_database()) as connection:
        row = connection.execute(
            "select cache_size, increment_by from pg_sequences where sequencename = 'positions'"
        ).fetchone()
    assert row == (1, 1)
