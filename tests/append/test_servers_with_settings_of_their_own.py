"""A Postgres that somebody else set up: what its defaults are must not matter, and what it forbids has a name."""

import threading
from datetime import UTC, datetime

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import ServerUnavailable, Unavailable

SETTINGS = [
    "default_transaction_isolation = 'repeatable read'",
    "default_transaction_isolation = 'serializable'",
    "client_encoding = 'LATIN1'",
    "timezone = 'America/New_York'",
    "datestyle = 'SQL, DMY'",
    "extra_float_digits = -3",
    "bytea_output = 'escape'",
    "array_nulls = off",
    "search_path = 'pg_temp'",
    "plan_cache_mode = 'force_generic_plan'",
    "lock_timeout = '1ms'",
]


@pytest.fixture
def set_up(new_database):
    """A database with a setting, as whoever connects to it finds it."""

    def make(setting: str) -> str:
        url: str = new_database()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"alter database {connection.info.dbname} set {setting}".encode())
        return url

    return make


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting_does_not_matter(set_up, setting):
    with ContextStore.open(set_up(setting)) as store:
        session = store.start(title="a title")
        session.message("hällo 漢字", importance=0.1 + 0.2)
        session.items.save("code", "y" * 2000, importance=1 / 3)
        session.window.configure("small", encoding="cl100k_base")
        session.occurred(datetime(1905, 1, 1, 3, 4, 5, 6, tzinfo=UTC)).message(
            "then", windows=("small", "other")
        )
        session.items.remove(2)
        session.items.bring_back(2)
        session.backtrack(2, "again")
        session.redo()
        fork = session.fork(3)
        fork.erase(3, "law")
        failed = []

        def write():
            mine = store.session(session.id)
            try:
                for _ in range(10):
                    mine.message("at once")
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=write) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failed
        assert store.summary(session.id).title == "a title"
        assert session.text(2) == "hällo 漢字"
        assert session.by("jürgen").message("x") == session.version
        assert next(session.events(after=session.version - 1)).actor == "jürgen"
        assert session.items.list()[0].importance == 0.1 + 0.2
        assert session.verify().problem is None
        assert fork.verify().problem is None


def test_a_database_that_may_only_be_read(set_up):
    with ContextStore.open(set_up("default_transaction_read_only = on")) as store:
        with pytest.raises(ServerUnavailable, match="read-only"):
            store.start()
        assert store.sessions() == []


def test_a_statement_that_the_server_cuts_off(set_up):
    url = set_up("statement_timeout = '200ms'")
    with ContextStore.open(url) as store, psycopg.connect(url) as other:
        session = store.start()
        other.execute("select pg_advisory_xact_lock(uuid_hash_extended(%s, 20260))", (session.id,))
        with pytest.raises(
            Unavailable, match="could not do it: canceling statement due to statement timeout"
        ):
            session.message("too late")
        other.rollback()
        assert session.message("in time") == 2


def test_a_store_that_was_closed(url):
    store = ContextStore.open(url)
    session = store.start()
    store.close()
    for attempt in (lambda: session.message("x"), lambda: session.state, store.start, store.sessions):
        with pytest.raises(ServerUnavailable, match="the store was closed"):
            attempt()
    store.close()
