import threading

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import SessionBusy


def test_more_threads_than_connections_all_get_through(store, url):
    """Whoever holds a connection must not wait for another one."""
    session = store.start()
    for _ in range(4):
        session.message("x" * 2000)
    failed = []
    with ContextStore.open(url, pool_size=2, patience=20) as small:

        def branch(number):
            try:
                mine = small.session(session.id)
                mine.refresh().fork(2).backtrack(2, "again")
                fork = mine.fork()
                fork.erase(fork.message("mine"), "law")
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=branch, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failed


def test_one_connection_is_enough_for_everything(store, url):
    id = store.start().id
    with ContextStore.open(url, pool_size=1, patience=3) as small:
        session = small.session(id)
        item = session.message("hello")
        session.items.remove(item)
        session.items.bring_back(item)
        session.window.configure(encoding="cl100k_base")
        with session.atomic() as tx:
            tx.message("one")
            tx.items.remove(item)
        session.backtrack(2, "again")
        session.redo()
        session.erase(item, "law")
        fork = session.fork(3)
        fork.backtrack(1, "to before the fork")
        assert fork.verify().ok
        assert session.verify().ok
        assert len(small.sessions()) > 1


@pytest.fixture
def impatient(new_database):
    """A store whose appends wait for a session's lock a tenth of a second."""
    url = new_database()
    with psycopg.connect(url) as connection:
        connection.execute(
            "do $$ begin execute format('alter function %s set lock_timeout = ''100ms''', "
            "(select p.oid::regprocedure from pg_proc p where p.pronamespace = 'backstory'::regnamespace "
            "and p.proname = 'append')); end $$"
        )
    with ContextStore.open(url, migrate=False) as store, psycopg.connect(url) as other:
        yield store, other


@pytest.mark.parametrize("key", [None, "key"])
def test_a_session_whose_lock_is_held_too_long_is_busy(impatient, key):
    store, other = impatient
    session, free = store.start(), store.start()
    other.execute("select pg_advisory_xact_lock(uuid_hash_extended(%s, 20260))", (session.id,))
    writer = session if key is None else session.once(key)
    with pytest.raises(SessionBusy, match=r"lock was not free in time"):
        writer.message("hello")
    assert free.message("others go on") == 2
    other.rollback()
    assert writer.message("hello") == 2
    assert session.verify().ok
