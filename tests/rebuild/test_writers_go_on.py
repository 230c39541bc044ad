"""A rebuild while sessions are written to, backtracked and forked: nobody is refused, and all is as the log says."""

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from backstory.application.rebuild import session_rebuild
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.errors import BackstoryError, BranchMoved, Refused, UnknownItem
from backstory.infrastructure.postgres.queries import query

WRITES = 60


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that short sessions are drawn as long ones are: without the lock, in several steps, and caught up with."""
    monkeypatch.setattr(session_rebuild, "SHORT", 10)
    monkeypatch.setattr(session_rebuild, "DRAWN_AT_ONCE", 7)


@pytest.fixture
def store(database: str) -> Iterator[ContextStore]:
    with ContextStore.open(database) as store:
        yield store


def test_rebuilds_among_writers_backtracks_and_forks(database: str, store: ContextStore) -> None:
    sessions = [store.start(limit=100_000) for _ in range(3)]
    forks: list[Session] = []
    with ThreadPoolExecutor() as threads, psycopg.connect(database, autocommit=True) as connection:
        writing = [threads.submit(_write, session, seed) for seed, session in enumerate(sessions * 2)]
        moving = [threads.submit(_move, session, forks) for session in sessions]
        rounds = tampered = 0
        while rounds < 3 or not all(job.done() for job in (*writing, *moving)):
            if rounds % 2:
                connection.execute("update backstory.items set touched_at = now() where item % 5 = 0")
                tampered += 1
            rebuilt = store.rebuild_projections().require()
            assert rebuilt.sessions >= 3
            if not rounds % 2:
                assert rebuilt.changed == (), "the last round left something, or writers were not waited for"
            rounds += 1
        refused = [error for job in writing for error in job.result()]
        assert [job.result() for job in moving] == [None] * 3
    assert tampered
    assert refused == []
    assert len(forks) == 3 * 4
    store.rebuild_projections()
    assert store.check_projections().require().ok
    assert store.verify_all().problems == ()


def _write(session: Session, seed: int) -> list[str]:
    """Writes of every kind; returns why some were refused for another reason than a backtrack."""
    dice = random.Random(seed)
    refused = []
    for number in range(WRITES):
        item = 2 + dice.randrange(number + 1)
        try:
            match dice.randrange(6):
                case 0:
                    session.items.touch(item)
                case 1:
                    session.items.remove(item)
                case 2:
                    session.decide(f"decision {number}")
                case 3:
                    session.checkpoints.create(f"checkpoint {number}")
                case _:
                    session.message(f"message {number} of {seed}")
        except BranchMoved:
            session.refresh()
        except (Refused, UnknownItem):
            continue  # The item has left already, is on another branch, or is still to come.
        except BackstoryError as error:
            refused.append(repr(error))
    return refused


def _move(session: Session, forks: list[Session]) -> None:
    dice = random.Random(7)
    for number in range(4):
        session.message("before")
        while True:
            try:
                session.backtrack(dice.randint(1, session.version - 1), f"try {number}")
                break
            except BranchMoved:
                session.refresh()
        fork = session.fork(title=f"fork {number}")
        fork.message("in the fork")
        forks.append(fork)


def test_a_session_that_is_backtracked_while_it_is_drawn(
    store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Again and again: at last it is drawn under the lock, where nobody can."""
    session = store.start()
    for number in range(30):
        session.message(f"message {number}")
    attempts = []
    draw = session_rebuild.SessionRebuild._draw

    def draw_and_be_overtaken(self: session_rebuild.SessionRebuild, plan: session_rebuild._Plan) -> None:
        draw(self, plan)
        attempts.append(plan.version)
        if len(attempts) <= session_rebuild.ATTEMPTS:
            session.backtrack(session.version - 2, "overtaken")
            session.message("after it")

    monkeypatch.setattr(session_rebuild.SessionRebuild, "_draw", draw_and_be_overtaken)
    rebuilt = store.rebuild_projections([session.id])
    assert len(attempts) == session_rebuild.ATTEMPTS + 1
    assert rebuilt.changed == ()
    assert rebuilt.events == session.version
    assert session.verify().ok


def test_what_comes_while_a_long_session_is_drawn_is_caught_up_with(
    database: str, store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = store.start()
    for number in range(30):
        session.message(f"message {number}")
    draw = session_rebuild.SessionRebuild._draw

    def draw_while_others_write(self: session_rebuild.SessionRebuild, plan: session_rebuild._Plan) -> None:
        draw(self, plan)
        for number in range(25):
            session.message(f"meanwhile {number}")
        session.checkpoints.create("meanwhile")

    monkeypatch.setattr(session_rebuild.SessionRebuild, "_draw", draw_while_others_write)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("delete from backstory.items where stream_id = %s and item < 10", (session.id,))
    rebuilt = store.rebuild_projections([session.id])
    assert rebuilt.changed[0].differing == 8
    assert rebuilt.changed[0].version == session.version == 57
    assert session.verify().ok


def test_a_session_whose_lock_is_not_free_is_left_for_later(
    database: str, store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the others are done."""
    monkeypatch.setattr(session_rebuild, "query", _impatient_query)
    held, other = store.start(), store.start()
    locked, done = threading.Event(), threading.Event()

    def hold() -> None:
        with psycopg.connect(database) as connection:
            connection.execute("select pg_advisory_xact_lock(uuid_hash_extended(%s, 20260))", (held.id,))
            locked.set()
            done.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert locked.wait(60)
        rebuilt = store.rebuild_projections()
    finally:
        done.set()
        holder.join()
    assert rebuilt.busy == (held.id,)
    assert rebuilt.sessions == 1
    with pytest.raises(Exception, match=f"{held.id} was not rebuilt"):
        rebuilt.require()
    assert store.rebuild_projections().busy == ()
    assert other.verify().ok


def _impatient_query(name: str) -> bytes:
    return b"set local lock_timeout = '50ms'" if name == "limit_lock_wait" else query(name)
