"""After a deploy with another fold, reads find snapshots; only sessions that need some get them."""

import pytest

from backstory import Worker
from backstory.application.bootstrap import make_runtime
from backstory.application.jobs.snapshots import warm
from backstory.infrastructure.states.replay import StateReader

EVERY = 5
FOLD = 1_000


@pytest.fixture
def runtime(own_store):
    """The store as code with another fold has it, and with short stretches."""
    database = own_store._runtime.database
    return make_runtime(database, StateReader(database, fold_version=FOLD, snapshot_every=EVERY))


def grown(store, messages):
    session = store.start()
    for number in range(messages):
        session.message(f"message {number}")
    return session


def kept(superuser, session):
    rows = superuser.execute(
        "select version from backstory.snapshots where stream_id = %s and fold_version = %s order by 1",
        (session.id, FOLD),
    )
    return [version for (version,) in rows]


def test_sessions_that_need_it_get_snapshots(own_store, runtime, superuser):
    long, short, ended = grown(own_store, 17), grown(own_store, 3), grown(own_store, 17)
    ended.end("done")
    first = warm(runtime, None)
    assert first.sessions == 1
    assert kept(superuser, long) == [5, 10, 15]
    assert kept(superuser, short) == kept(superuser, ended) == []
    assert runtime.reader.state(long.id) == own_store._runtime.reader.state(long.id)
    assert warm(runtime, None).sessions == 0
    assert warm(runtime, first.mark) == (0, first.mark)


def test_a_branch_point_gets_its_snapshot(own_store, runtime, superuser):
    session = grown(own_store, 4)
    session.backtrack(3, "another way")
    child = session.fork()
    assert warm(runtime, None).sessions == 2
    assert (kept(superuser, session), kept(superuser, child)) == ([6], [7])
    for one in (session, child):
        assert runtime.reader.state(one.id).digest() == own_store._runtime.reader.state(one.id).digest()


def test_the_next_run_looks_at_what_was_written_since(own_store, runtime, superuser):
    first, second = grown(own_store, 17), grown(own_store, 2)
    mark = warm(runtime, None).mark
    superuser.execute("delete from backstory.snapshots")
    for _ in range(EVERY):
        second.message("more")
    # The first one is cold too, but was warm at the mark and has nothing new.
    later = warm(runtime, mark)
    assert (later.sessions, kept(superuser, first), kept(superuser, second)) == (1, [], [5])
    # A mark of another fold says nothing.
    assert warm(runtime, mark.replace(str(FOLD), "7")).sessions == 1
    assert kept(superuser, first) == [5, 10, 15]


def test_one_that_cannot_be_read_does_not_keep_the_others_cold(own_store, runtime, superuser):
    sessions = sorted((grown(own_store, 8) for _ in range(3)), key=lambda session: session.id)
    superuser.execute("alter table backstory.events disable trigger all")
    superuser.execute(
        "update backstory.events set effects = 'nonsense' where stream_id = %s and version = 3",
        (sessions[0].id,),
    )
    assert warm(runtime, None).sessions == 2
    assert [kept(superuser, session) for session in sessions] == [[], [5], [5]]


def test_when_time_is_short_the_rest_is_left_to_the_next_run(own_store, runtime, superuser):
    sessions = [grown(own_store, 8) for _ in range(3)]
    asked = iter([False, True])
    assert warm(runtime, None, enough=lambda: next(asked)) == (1, None)
    assert warm(runtime, None).sessions == 2
    assert all(kept(superuser, session) == [5] for session in sessions)


def test_the_worker_goes_on_from_its_mark(own_store, superuser):
    grown(own_store, 2)
    for _ in range(2):
        (run,) = Worker(own_store, only=["snapshots"]).run_once()
        assert (run.outcome, run.changed) == ("done", 0)
    marks = superuser.execute("select mark from backstory.job_runs where job = 'snapshots'").fetchall()
    assert len(set(marks)) == 1
    assert marks[0][0].endswith(", position 3")
