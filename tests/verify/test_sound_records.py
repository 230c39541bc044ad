"""Records that nobody tampered with pass, whatever they went through, in each form of the store."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from backstory.application.bootstrap import make_runtime
from backstory.application.integrity.findings import Finding
from backstory.application.integrity.verification import verify_session
from backstory.application.store import ContextStore
from backstory.domain.errors import VerificationFailed
from backstory.infrastructure.states.replay import StateReader
from tests.blocking import open_blocking
from tests.verify.rich_session import write_fork, write_session


def test_a_rich_session_and_its_forks(any_store: Any) -> None:
    session = write_session(any_store)
    fork = write_fork(session)
    again = write_fork(fork)
    for one in (session, fork, again):
        found = one.verify()
        assert found.problem is None
        assert found.version == one.version
        assert found.require() is found
    assert session.verify().erased > 0


def test_items_that_left_before_a_backtrack_and_came_back_after_it(any_store: Any) -> None:
    session = any_store.start()
    item = session.message("hello")
    left = session.items.remove(item)
    session.items.touch(item)
    session.items.bring_back(item)
    session.items.touch(item)
    session.backtrack(left, "it had left")
    assert session.verify().problem is None
    session.items.bring_back(item)
    session.message("more")
    session.redo()
    assert session.verify().problem is None


def test_snapshots_of_an_older_fold_are_not_held_against_it(store: ContextStore) -> None:
    session = write_session(store)
    newer = StateReader(store._runtime.database, fold_version=2)
    newer.state(session.id)
    assert verify_session(make_runtime(store._runtime.database, newer), session.id).ok


@pytest.mark.parametrize("form", ["sync", "async"])
def test_a_whole_store(new_database: Callable[[], str], form: str) -> None:
    url = new_database()
    with ContextStore.open(url) if form == "sync" else open_blocking(url) as store:
        assert store.verify_all().ok
        ids = {store.start().id for _ in range(3)}
        found = store.verify_all()
        assert {check.session for check in found.sessions} == ids
        assert found.problems == ()
        assert found.require() is found


def test_a_problem_says_where_and_what(store: ContextStore) -> None:
    found = replace(store.start().verify(), problem=Finding("events, version 3", "does not match its chain"))
    assert not found.ok
    with pytest.raises(VerificationFailed, match=r"^events, version 3: does not match its chain\.$"):
        found.require()
    assert "kept outside the database" in found.cannot_see
