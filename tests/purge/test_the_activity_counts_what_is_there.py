"""Whatever the activity has counted when a session is purged, it then counts what is there: no more, no less, and the
session once when it comes back."""

import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg

from backstory import Activity, ContextStore, ProjectionRunner
from backstory.application.session import Session
from tests.waiting import until

WAITING = (
    "select 1 from pg_locks l join pg_stat_activity a using (pid) where not l.granted and l.locktype = 'advisory' "
    "and a.query like '%%backstory.purge%%' and a.datname = current_database()"
)


def written(store: ContextStore, project: str) -> Session:
    """A session that changes its project, goes back, and has calls with prices."""
    session = store.start(project=project)
    session.occurred(datetime(2026, 11, 1, tzinfo=UTC)).message("first")
    session.details.set_project("moved")
    session.model_called(None, "gpt-4o", {"prompt_tokens": 1_000, "completion_tokens": 10})
    session.backtrack(2, "again")
    session.message("in the first project again")
    return session


def counted(store: ContextStore) -> list[Activity]:
    ProjectionRunner(store).catch_up()
    return store.activity()


def counted_anew(store: ContextStore) -> list[Activity]:
    ProjectionRunner(store).rebuild("activity")
    return store.activity()


def test_a_session_and_its_fork_go_and_come_back(own_store: ContextStore, tmp_path: Path) -> None:
    written(own_store, "a")
    without = counted(own_store)
    session = written(own_store, "a")
    fork = session.fork(at=2)
    fork.message("in the fork")
    before = counted(own_store)
    assert before != without
    own_store.purge(fork.id, tmp_path / "fork.jsonl")
    own_store.purge(session.id, tmp_path / "session.jsonl")
    assert counted(own_store) == without
    own_store.import_file(tmp_path / "fork.jsonl")
    assert counted(own_store) == before
    assert counted_anew(own_store) == before


def test_what_was_not_counted_yet_is_not_taken_back(own_store: ContextStore) -> None:
    kept, session = written(own_store, "a"), written(own_store, "a")
    with psycopg.connect(own_store._runtime.database.url, autocommit=True) as connection:
        # A runner that was stopped in the middle of the session.
        upto = kept.version + 3
        connection.execute("select backstory.count_activity(0, %s)", (upto,))
        connection.execute("select backstory.track('activity', %s)", (upto,))
    own_store.purge(session.id, without_export=True)
    assert counted(own_store) == counted_anew(own_store)
    assert sum(one.events for one in own_store.activity()) == kept.version


def test_nothing_was_counted_at_all(own_store: ContextStore) -> None:
    kept, session = written(own_store, "a"), written(own_store, "a")
    own_store.purge(session.id, without_export=True)
    assert sum(one.events for one in counted(own_store)) == kept.version


def test_what_was_set_aside_is_not_taken_back(own_store: ContextStore) -> None:
    kept, session = written(own_store, "a"), written(own_store, "a")
    with psycopg.connect(own_store._runtime.database.url, autocommit=True) as connection:
        poisonous = kept.version + 2
        last = kept.version + session.version
        connection.execute("select backstory.count_activity(0, %s)", (poisonous - 1,))
        connection.execute("select backstory.set_aside('activity', %s, 3, 'poison')", (poisonous,))
        connection.execute("select backstory.count_activity(%s, %s)", (poisonous, last))
        connection.execute("select backstory.track('activity', %s)", (last,))
    own_store.purge(session.id, without_export=True)
    assert own_store.set_aside() == []
    assert own_store.activity() == counted_anew(own_store)


def test_a_batch_under_way_is_waited_for(own_store: ContextStore) -> None:
    """The batch has counted the session and not yet committed: the purge takes back what it counted all the same."""
    kept, session = written(own_store, "a"), written(own_store, "a")
    last = kept.version + session.version
    url = own_store._runtime.database.url
    with psycopg.connect(url, autocommit=True) as watching, psycopg.connect(url) as counting:
        counting.execute("select backstory.count_activity(0, %s)", (last,))
        purging = threading.Thread(
            target=own_store.purge, args=(session.id,), kwargs={"without_export": True}
        )
        purging.start()
        until(lambda: watching.execute(WAITING).fetchone())
        counting.execute("select backstory.track('activity', %s)", (last,))
        counting.commit()
        purging.join()
    found = own_store.activity()
    assert sum(one.events for one in found) == kept.version
    assert found == counted_anew(own_store)


def test_an_event_that_is_taken_up_meanwhile_is_waited_for(own_store: ContextStore) -> None:
    kept, session = written(own_store, "a"), written(own_store, "a")
    last = kept.version + session.version
    url = own_store._runtime.database.url
    with psycopg.connect(url, autocommit=True) as watching, psycopg.connect(url) as taking:
        watching.execute("select backstory.count_activity(0, %s)", (last - 1,))
        watching.execute("select backstory.set_aside('activity', %s, 3, 'poison')", (last,))
        watching.execute("select backstory.track('activity', %s)", (last,))
        taking.execute("select backstory.take_up('activity', %s)", (last,))
        purging = threading.Thread(
            target=own_store.purge, args=(session.id,), kwargs={"without_export": True}
        )
        purging.start()
        until(lambda: watching.execute(WAITING.replace("= 'advisory'", "= 'transactionid'")).fetchone())
        taking.execute("select backstory.count_activity(%s, %s)", (last - 1, last))
        taking.commit()
        purging.join()
    assert sum(one.events for one in own_store.activity()) == kept.version


def test_a_purge_in_the_middle_of_a_count_from_the_beginning(own_store: ContextStore) -> None:
    kept = [written(own_store, "a") for _ in range(2)]
    gone = [written(own_store, "a") for _ in range(3)]
    counted(own_store)
    left = list(gone)

    def purge_one(*_: Any) -> None:
        if left:
            own_store.purge(left.pop(0).id, without_export=True)

    ProjectionRunner(own_store, batch_size=4).rebuild("activity", progress=purge_one)
    assert left == []
    found = counted(own_store)
    assert sum(one.events for one in found) == sum(session.version for session in kept)
    assert found == counted_anew(own_store)


def test_sessions_go_and_come_while_a_runner_counts(own_store: ContextStore, tmp_path: Path) -> None:
    with ProjectionRunner(own_store, batch_size=3) as runner:
        for number in range(12):
            session = written(own_store, f"p{number % 2}")
            file = tmp_path / f"{number}.jsonl"
            own_store.purge(session.id, file)
            if number % 3:
                own_store.import_file(file)
        until(lambda: runner.status()[0].behind == 0)
        found = own_store.activity()
    assert found == counted_anew(own_store)
    assert sum(one.events for one in found) == len(list(own_store.feed()))
