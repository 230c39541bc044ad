"""Reading while others write, backtrack and tidy up: every answer is one that was true at some moment."""

import threading
from contextlib import contextmanager

import psycopg

from backstory.domain.errors import BackstoryError
from tests.properties import usually
from tests.replay.histories import a_store


@contextmanager
def meanwhile(work):
    """Does something over and over until the block ends."""
    done = threading.Event()
    failed = []

    def run():
        try:
            while not done.is_set():
                work()
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
    assert not failed


def test_reading_and_verifying_among_writers_and_backtracks(store, busy):
    store = a_store(store)
    session = store.start()
    first = session.message("first")
    goal = session.work.set_goal("goal")

    def backtrack():
        other = store.session(session.id)
        other.backtrack(goal, "again")

    with busy(session, threads=2), meanwhile(backtrack):
        for _ in range(usually(4, 12)):
            version = session.version
            state = session.state
            assert state.version >= version
            assert state.windows["main"].items == len(state.live())
            assert session.at(version).version == version
            assert [event.version for event in session.events(upto=version)] == list(range(1, version + 1))
            assert session.text(first) == "first"
            assert session.messages()[0].parts[0].data == b"first"
            assert session.items.list()[0].id == first
            assert session.diff(1, version).goals_added.keys() == {goal}
            assert session.views.current_context()
            assert store.summary(session.id).version >= version
            assert session.fork(version).state.goals.keys() == {goal}
            assert session.verify().problem is None


def test_reading_while_snapshots_are_deleted(store, url):
    store = a_store(store, snapshot_every=2)
    session = store.start()
    for number in range(12):
        session.message(str(number))
        if number % 4 == 3:
            session.backtrack(session.version - 2, "again")
    fork = session.fork(7)
    fork.message("more")
    fork.backtrack(3, "again")
    seen = {version: session.at(version) for version in range(1, session.version + 1)}
    with psycopg.connect(url, autocommit=True) as connection:

        def delete():
            for id in (session.id, fork.id):
                connection.execute("delete from backstory.snapshots where stream_id = %s", (id,))

        with meanwhile(delete):
            for _ in range(8):
                for version, state in seen.items():
                    assert session.at(version) == state
                assert fork.at(5) == seen[5]
                assert session.verify().problem is None


def test_two_readers_make_the_same_snapshots(store, url):
    store = a_store(store, snapshot_every=2)
    session = store.start()
    for number in range(10):
        session.message(str(number))
    session.backtrack(4, "again")
    seen = session.state
    for _ in range(5):
        with psycopg.connect(url) as connection:
            connection.execute("delete from backstory.snapshots where stream_id = %s", (session.id,))
        together = threading.Barrier(4)
        found = []

        def read(together=together, found=found):
            together.wait()
            try:
                found.append(session.state)
            except BackstoryError as error:
                found.append(error)

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [seen] * 4
    assert session.verify().ok
