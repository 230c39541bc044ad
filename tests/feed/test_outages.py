"""Whoever follows goes on by himself: after a lost connection, and after a server that was killed or restarted."""

import os
import signal
from pathlib import Path

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import OutcomeUnknown
from backstory.infrastructure.embedded import server as embedded
from tests.feed.conftest import reading
from tests.waiting import until


def test_every_connection_is_cut(own_store: ContextStore) -> None:
    session = own_store.start()
    listener = own_store._runtime.database.listener
    with reading(own_store.feed(follow=True)) as feed, reading(session.tail()) as tail:
        for number in range(3):
            until(lambda: listener.hears)
            with psycopg.connect(own_store._runtime.database.url, autocommit=True) as connection:
                connection.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity "
                    "where datname = current_database() and pid <> pg_backend_pid()"
                )
            session.once(f"key-{number}").message("still there?")
            until(lambda n=number: len(feed.met) == len(tail.met) == n + 2)
        until(lambda: listener.hears)
    assert [entry.version for entry in feed.met] == [event.version for event in tail.met] == [1, 2, 3, 4]


def test_the_embedded_server_is_killed_and_a_stopped_one_is_revived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BACKSTORY_DATABASE_URL", raising=False)
    with ContextStore.open(data_dir=tmp_path) as store:
        session = store.start()
        with reading(store.feed(follow=True)) as feed, reading(session.tail()) as tail:
            until(lambda: len(feed.met) == len(tail.met) == 1)
            with psycopg.connect(store._runtime.database.url, autocommit=True) as connection:
                connection.execute("alter system set max_prepared_transactions = 2")
            server = embedded.status(tmp_path)
            assert server is not None
            os.kill(server.pid, signal.SIGKILL)
            until(lambda: (found := embedded.status(tmp_path)) is not None and found.pid != server.pid)
            try:
                session.once("a").message("after the kill")
            except OutcomeUnknown:
                session.once("a").message("after the kill")
            until(lambda: len(feed.met) == len(tail.met) == 2)

            embedded.stop(tmp_path)
            until(lambda: embedded.status(tmp_path) is not None)
            session.once("b").message("after the stop")
            until(lambda: len(feed.met) == len(tail.met) == 3)

            # The server may prepare transactions now: they hold the feed without a process.
            with psycopg.connect(store._runtime.database.url, autocommit=True) as connection:
                connection.execute("begin")
                connection.execute("select pg_current_xact_id()")
                connection.execute("prepare transaction 'forgotten'")
                session.message("held")
                status = until(
                    lambda: found if (found := store.feed_status()).stalled_by_prepared is not None else None
                )
                assert (status.stalled_by, status.stalled_by_prepared) == (None, "forgotten")
                connection.execute("rollback prepared 'forgotten'")
            until(lambda: len(feed.met) == len(tail.met) == 4)
        assert [entry.version for entry in feed.met] == [1, 2, 3, 4]
    embedded.stop(tmp_path)
