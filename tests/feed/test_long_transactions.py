"""A transaction that has an id and does not end might still bring an event: the feed waits, and says for whom. A tail
does not wait."""

import logging
from itertools import pairwise

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.infrastructure.feed.horizon import Horizon
from backstory.infrastructure.postgres.queries import query
from tests.feed.conftest import reading
from tests.waiting import until


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A feed that is soon out of patience."""
    monkeypatch.setattr("backstory.application.feed.feed.PATIENCE", 0.05)
    monkeypatch.setattr("backstory.application.feed.feed._STEP_PATIENCE", 0.05)
    monkeypatch.setattr(Horizon.advance, "__defaults__", (0.05, None))


def test_the_status_names_the_process_and_the_lag(own_store: ContextStore) -> None:
    session = own_store.start()
    before = own_store.feed_status()
    assert (before.behind, before.seconds, before.stalled_by) == (0, 0.0, None)
    with psycopg.connect(own_store._runtime.database.url) as foreign:
        foreign.execute("select pg_current_xact_id()")
        session.message("hello")
        session.message("hello again")
        held = own_store.feed_status()
        assert (held.position, held.newest, held.behind) == (before.newest, before.newest + 2, 2)
        assert held.stalled_by == foreign.info.backend_pid
        assert held.seconds > 0
        until(lambda: own_store.feed_status().seconds > held.seconds)
    after = own_store.feed_status()
    assert (after.position, after.behind, after.seconds, after.stalled_by) == (held.newest, 0, 0.0, None)


def test_consumers_are_in_the_status(own_store: ContextStore) -> None:
    session = own_store.start()
    session.message("hello")
    newest = own_store.feed_status().newest
    own_store._runtime.database.read(
        lambda c: c.execute("select backstory.track('slow', 1), backstory.track('quick', %s)", (newest,))
    )
    quick, slow = own_store.feed_status().consumers
    assert (quick.name, quick.position, quick.behind, quick.seconds) == ("quick", newest, 0, 0.0)
    assert (slow.name, slow.position, slow.behind) == ("slow", 1, newest - 1)
    assert slow.seconds > 0


@pytest.mark.usefixtures("quick")
def test_the_feed_waits_and_a_tail_does_not(
    own_store: ContextStore, caplog: pytest.LogCaptureFixture
) -> None:
    session = own_store.start()
    with (
        caplog.at_level(logging.WARNING),
        reading(own_store.feed(follow=True)) as feed,
        reading(session.tail()) as tail,
    ):
        until(lambda: len(feed.met) == 1)
        with psycopg.connect(own_store._runtime.database.url) as foreign:
            foreign.execute("select pg_current_xact_id()")
            session.message("hello")
            until(lambda: len(tail.met) == 2)
            said = f"held at position 1 by a long transaction of process {foreign.info.backend_pid}"
            until(lambda: said in caplog.text)
            assert len(feed.met) == 1
        until(lambda: len(feed.met) == 2)
    assert caplog.text.count(said) == 1


@pytest.mark.usefixtures("quick")
def test_transactions_that_overlap_do_not_hold_it_for_ever(own_store: ContextStore) -> None:
    """At every moment one is open, and none is open for long."""
    session = own_store.start()
    own_store.feed_status()
    url = own_store._runtime.database.url
    transactions = [psycopg.connect(url) for _ in range(4)]
    transactions[0].execute("select pg_current_xact_id()")
    session.message("hello")
    reached = []
    for earlier, later in pairwise(transactions):
        reached.append(own_store.feed_status().position)
        later.execute("select pg_current_xact_id()")
        earlier.close()
    reached.append(own_store.feed_status().position)
    transactions[-1].close()
    assert reached[0] == 1
    assert reached[-1] == 2


@pytest.mark.usefixtures("quick")
def test_a_reader_that_begins_meanwhile_is_served_what_others_knew_to_be_certain(
    own_store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backstory.infrastructure.feed.horizon.NOTE_EVERY", 0.0)
    session = own_store.start()
    for number in range(3):
        session.message(str(number))
        assert own_store.feed_status().behind == 0
    url = own_store._runtime.database.url
    with psycopg.connect(url) as foreign:
        foreign.execute("select pg_current_xact_id()")
        session.message("not yet")
        with ContextStore.open(url) as newcomer:
            assert [entry.version for entry in newcomer.feed()] == [1, 2, 3]
            assert newcomer.feed_status().stalled_by == foreign.info.backend_pid
    with ContextStore.open(url) as newcomer:
        assert [entry.version for entry in newcomer.feed()] == [1, 2, 3, 4, 5]


def test_no_transaction_id_is_used_up_while_nobody_writes(
    own_store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def noting(name: str) -> bytes:
        asked.append(name)
        return query(name)

    monkeypatch.setattr("backstory.infrastructure.feed.horizon.query", noting)
    own_store.start()
    assert own_store.feed_status().behind == 0
    assert asked.count("mark_feed") == 1
    for _ in range(5):
        assert own_store.feed_status().behind == 0
        assert len(list(own_store.feed())) == 1
    assert asked.count("mark_feed") == 1


def test_a_look_of_somebody_else_does_not_stand_for_a_later_one(own_store: ContextStore) -> None:
    """A look that began before an append, and has to wait, is no answer to one that begins after it."""
    session = own_store.start()
    own_store.feed_status()
    with psycopg.connect(own_store._runtime.database.url) as foreign:
        foreign.execute("select pg_current_xact_id()")
        session.message("looked for")
        assert own_store.feed_status().behind == 1  # The look that waits.
    session.message("after the look")
    assert [entry.version for entry in own_store.feed()] == [1, 2, 3]
