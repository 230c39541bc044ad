"""Verifying takes no lock, and what is written meanwhile is no false alarm."""

import threading
from collections.abc import Callable

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.errors import Conflict, ItemNotLive

CHECKS = 25


def test_writers_and_backtracks_give_no_false_alarm(store: ContextStore) -> None:
    session = store.start(limit=10_000)
    done = threading.Event()
    failures: list[BaseException] = []

    def keep_on(step: Callable[[Session, int], object]) -> None:
        mine = store.session(session.id)
        count = 0
        while not done.is_set():
            count += 1
            try:
                step(mine, count)
            except Conflict:
                mine.refresh()
            except ItemNotLive:
                pass
            except BaseException as error:
                failures.append(error)
                return

    threads = [threading.Thread(target=keep_on, args=(step,)) for step in (_talk, _tidy, _turn_back)]
    for thread in threads:
        thread.start()
    try:
        found = [session.verify() for _ in range(CHECKS)]
        assert store.session(session.fork().id).verify().problem is None
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert failures == []
    assert [check.problem for check in found] == [None] * CHECKS
    assert found[-1].version > found[0].version


def _talk(session: Session, count: int) -> None:
    session.message(f"message {count} " + "x" * 1100 * (count % 2))


def _tidy(session: Session, count: int) -> None:
    item = session.once(f"tidy {count}").decide(f"decision {count}")
    session.items.touch(item)
    session.items.remove(item)
    session.items.bring_back(item)


def _turn_back(session: Session, count: int) -> None:
    session.refresh()
    version = session.version
    if version > 10 * count:
        session.backtrack(max(1, version - 5), "try again")
