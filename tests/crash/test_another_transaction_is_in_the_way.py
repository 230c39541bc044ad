import threading

import psycopg

from tests.waiting import until

WAITING = "select count(*) from pg_locks where relation = 'backstory.contents'::regclass and not granted"


def test_the_victim_of_a_deadlock_is_repeated(new_database, open_store):
    """As when tables are changed in another order than appends use them."""
    url = new_database()
    store = open_store(url)
    session = store.start()
    said = []
    writing = threading.Thread(target=lambda: said.append(session.message("hello")))
    with psycopg.connect(url) as other, psycopg.connect(url, autocommit=True) as watching:
        other.execute("set local deadlock_timeout = '10s'")
        other.execute("lock table backstory.contents in access exclusive mode")
        writing.start()
        until(lambda: watching.execute(WAITING).fetchone() == (1,))
        # Now each waits for the other one, and the append is the first to see it.
        other.execute("lock table backstory.streams in access exclusive mode")
        other.rollback()
        writing.join()
    assert said == [2]
    assert session.verify().ok
