"""An event that cannot be applied is set aside with its reason, the others count, and after a mend it counts too. In a
rebuild it ends everything."""

import psycopg
import pytest

from backstory.application.feed.projection_runner import ProjectionRunner
from backstory.application.feed.projections import FeedBatch
from backstory.application.feed.projector import MOST_IN_A_ROW
from backstory.application.store import ContextStore
from backstory.domain.errors import Conflict, ProjectionFailed, UnknownProjection
from tests.projections.conftest import Versions, positions, write
from tests.waiting import until


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backstory.application.feed.projector._PAUSE", 0.001)


def test_it_is_set_aside_and_the_rest_goes_on(
    own_store: ContextStore, versions: Versions, connection: psycopg.Connection
) -> None:
    other = Versions(connection, "other")
    write(own_store, 40)
    versions.poison = {1, 17, 18, 40}
    with ProjectionRunner(own_store, [versions, other], batch_size=16) as runner:
        until(lambda: all(one.behind == 0 for one in runner.status()))
        mine, theirs = runner.status()
    assert (mine.set_aside, mine.error, theirs.set_aside) == (4, None, 0)
    assert versions.rows(connection) == [p for p in positions(own_store) if p not in versions.poison]
    assert other.rows(connection) == positions(own_store)
    found = own_store.set_aside("versions")
    assert [one.position for one in found] == [1, 17, 18, 40]
    assert found[1].reason == "ValueError: position 17 \\0 is poison"
    assert (found[1].attempts, found[1].version, found[1].type) == (3, 17, "message.added")
    assert found[1].session == next(iter(own_store.feed(after=16))).session
    assert own_store.set_aside() == found
    assert own_store.set_aside("other") == []


def test_after_a_mend_it_is_taken_up_once(
    own_store: ContextStore, versions: Versions, connection: psycopg.Connection
) -> None:
    write(own_store, 20)
    versions.poison = {5, 12}
    runner = ProjectionRunner(own_store, [versions], attempts=2)
    runner.catch_up()
    versions.poison = {12}
    assert runner.retry("versions") == (1, 1)
    (left,) = own_store.set_aside()
    assert (left.position, left.attempts) == (12, 3)
    versions.poison = set()
    assert runner.retry("versions") == (1, 0)
    assert runner.retry("versions") == (0, 0)
    assert own_store.set_aside() == []
    assert sorted(versions.rows(connection)) == positions(own_store)


def test_a_few_attempts_are_enough_for_what_fails_now_and_then(
    own_store: ContextStore, versions: Versions, connection: psycopg.Connection
) -> None:
    write(own_store, 8)
    versions.poison = {4}
    alone: list[int] = []
    apply = versions.apply

    def moody(own: psycopg.Connection, batch: FeedBatch) -> None:
        alone.extend(event.position for event in batch if len(batch) == 1)
        if alone.count(4) == 3:
            versions.poison = set()
        apply(own, batch)

    versions.apply = moody  # type: ignore[method-assign]
    (status,) = ProjectionRunner(own_store, [versions]).catch_up()
    assert (status.behind, status.set_aside) == (0, 0)
    assert versions.rows(connection) == positions(own_store)


def test_when_nothing_can_be_applied_it_is_the_projection_that_is_broken(
    own_store: ContextStore, versions: Versions, connection: psycopg.Connection
) -> None:
    other = Versions(connection, "other")
    write(own_store, 60)
    connection.execute("drop table mine.versions")
    with ProjectionRunner(own_store, [versions, other], attempts=1) as runner:
        until(lambda: runner.status()[0].error and runner.status()[1].behind == 0)
        broken, sound = runner.status()
    assert "could apply none of 21 events in a row" in str(broken.error)
    assert "UndefinedTable" in str(broken.error)
    assert (broken.set_aside, broken.leader) == (MOST_IN_A_ROW, None)
    assert sound.error is None
    Versions(connection)
    assert ProjectionRunner(own_store, [versions]).catch_up()[0].behind == 0
    assert runner.retry("versions") == (MOST_IN_A_ROW, 0)
    assert sorted(versions.rows(connection)) == positions(own_store)


def test_in_a_rebuild_it_is_fatal(
    own_store: ContextStore, versions: Versions, connection: psycopg.Connection
) -> None:
    write(own_store, 30)
    runner = ProjectionRunner(own_store, [versions], batch_size=8)
    runner.catch_up()
    versions.poison = {20}
    with pytest.raises(ProjectionFailed, match="versions cannot apply the event at position 20: ValueError"):
        runner.rebuild("versions")
    assert versions.rows(connection) == list(range(1, 20))
    assert own_store.set_aside() == []
    versions.poison = set()
    seen: list[tuple[int, int]] = []
    assert runner.rebuild("versions", lambda position, upto: seen.append((position, upto))) == 30
    assert versions.rows(connection) == positions(own_store)
    assert seen == [(8, 30), (16, 30), (24, 30), (30, 30)]


def test_a_rebuild_while_somebody_leads_and_others_write(
    own_store: ContextStore, versions: Versions, connection: psycopg.Connection
) -> None:
    write(own_store, 50)
    with (
        ContextStore.open(own_store._runtime.database.url) as other_store,
        ProjectionRunner(own_store, [versions], batch_size=8) as leading,
    ):
        until(lambda: leading.status()[0].behind == 0)
        rebuilding = ProjectionRunner(other_store, [Versions(connection)], batch_size=8)
        for _ in range(3):
            write(own_store, 20, together=2)
            rebuilding.rebuild("versions")
            write(own_store, 20, together=2)
        until(lambda: leading.status()[0].behind == 0)
    assert versions.rows(connection) == positions(own_store)


def test_an_unknown_name_is_said_so(store: ContextStore) -> None:
    runner = ProjectionRunner(store)
    for ask in (runner.rebuild, runner.retry):
        with pytest.raises(UnknownProjection, match="no feed projection 'mine'; known: activity"):
            ask("mine")


def test_what_was_purged_meanwhile_is_no_longer_set_aside(
    own_store: ContextStore, versions: Versions, connection: psycopg.Connection
) -> None:
    session = own_store.start()
    versions.poison = {1}
    runner = ProjectionRunner(own_store, [versions])
    runner.catch_up()
    assert len(own_store.set_aside()) == 1
    connection.execute("select backstory.purge(%s)", (session.id,))
    assert own_store.set_aside() == []


def test_taking_up_while_somebody_makes_it_anew_is_a_conflict(
    own_store: ContextStore, versions: Versions, connection: psycopg.Connection
) -> None:
    own_store.start()
    versions.poison = {1}
    runner = ProjectionRunner(own_store, [versions])
    runner.catch_up()
    connection.execute("select pg_advisory_lock(20266, hashtext('versions'))")
    with pytest.raises(Conflict, match="versions anew"):
        runner.retry("versions")
    connection.execute("select pg_advisory_unlock(20266, hashtext('versions'))")
    assert len(own_store.set_aside()) == 1
