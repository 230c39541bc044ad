"""A projection has every event once: in batches, across restarts, whoever leads it, however its connection ends."""

import threading

import psycopg
import pytest

from backstory.application.feed.projection_runner import ProjectionRunner
from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput
from tests.projections.conftest import Versions, positions, write
from tests.waiting import until


def test_in_batches_with_the_position(
    own_store: ContextStore, versions: Versions, connection: psycopg.Connection
) -> None:
    write(own_store, 25)
    runner = ProjectionRunner(own_store, [versions], batch_size=10)
    (status,) = runner.catch_up()
    assert versions.rows(connection) == positions(own_store)
    assert [upto - after for after, upto in versions.applied] == [10, 10, 5]
    assert (status.position, status.behind, status.seconds, status.set_aside) == (25, 0, 0.0, 0)
    write(own_store, 5)
    assert runner.status()[0].behind == 5
    assert ProjectionRunner(own_store, [versions]).catch_up()[0].behind == 0
    assert versions.rows(connection) == positions(own_store)


def test_only_the_types_it_wants(
    own_store: ContextStore, versions: Versions, connection: psycopg.Connection
) -> None:
    write(own_store, 5)
    versions.types = ("session.started",)
    write(own_store, 5)
    (status,) = ProjectionRunner(own_store, [versions], batch_size=3).catch_up()
    assert versions.rows(connection) == [1, 6]
    assert status.behind == 0


def test_rows_and_position_are_committed_together(
    own_store: ContextStore, versions: Versions, connection: psycopg.Connection
) -> None:
    """The connection is cut in the middle of a batch, after its rows were written."""
    write(own_store, 20)
    cut = []
    apply = versions.apply

    def cutting(own: psycopg.Connection, batch: object) -> None:
        apply(own, batch)
        if not cut:
            cut.append(own.info.backend_pid)
            connection.execute("select pg_terminate_backend(%s)", (own.info.backend_pid,))

    versions.apply = cutting  # type: ignore[method-assign]
    with ProjectionRunner(own_store, [versions], batch_size=7) as runner:
        until(lambda: runner.status()[0].behind == 0)
    assert cut
    assert versions.rows(connection) == positions(own_store)


def test_several_at_once_while_writers_go_on(own_store: ContextStore, connection: psycopg.Connection) -> None:
    several = [Versions(connection, name) for name in ("one", "two", "three")]
    writers = [threading.Thread(target=write, args=(own_store, 60, 3)) for _ in range(4)]
    with ProjectionRunner(own_store, several, batch_size=16) as runner:
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        until(lambda: all(one.position == own_store.feed_status().newest for one in runner.status()))
    for projection in several:
        assert projection.rows(connection) == positions(own_store)
    assert len(positions(own_store)) == 240


def test_one_leads_and_another_takes_over(
    own_store: ContextStore, connection: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backstory.application.feed.projection_runner.STANDBY_INTERVAL", 0.01)
    first, second = Versions(connection), Versions(connection)
    with ContextStore.open(own_store._runtime.database.url) as other_store:
        leading = ProjectionRunner(own_store, [first]).start()
        until(lambda: leading.status()[0].leader)
        leader = leading.status()[0].leader
        with ProjectionRunner(other_store, [second]) as standing_by:
            write(own_store, 10)
            until(lambda: leading.status()[0].behind == 0)
            assert standing_by.status()[0].leader == leader
            assert not second.applied
            assert ProjectionRunner(own_store, [second]).catch_up()[0].leader == leader
            leading.stop()
            write(own_store, 10)
            until(lambda: standing_by.status()[0].behind == 0)
            assert standing_by.status()[0].leader not in (None, leader)
            # A leader that dies leaves the lead with its connection.
            connection.execute("select pg_terminate_backend(%s)", (standing_by.status()[0].leader,))
            write(own_store, 10)
            until(lambda: standing_by.status()[0].behind == 0)
    assert second.applied
    assert first.rows(connection) == positions(own_store)


def test_it_stops_after_the_batch_under_way(
    own_store: ContextStore, versions: Versions, connection: psycopg.Connection
) -> None:
    write(own_store, 40)
    under_way, go_on = threading.Event(), threading.Event()
    apply = versions.apply

    def slow(own: psycopg.Connection, batch: object) -> None:
        under_way.set()
        go_on.wait(60)
        apply(own, batch)

    versions.apply = slow  # type: ignore[method-assign]
    runner = ProjectionRunner(own_store, [versions], batch_size=10).start()
    under_way.wait(60)
    stopping = threading.Thread(target=runner.stop)
    stopping.start()
    until(runner._stopped.is_set)
    go_on.set()
    stopping.join(60)
    assert not stopping.is_alive()
    assert versions.rows(connection) == positions(own_store)[:10]
    assert runner.status()[0].leader is None
    with runner:
        until(lambda: runner.status()[0].behind == 0)
    assert versions.rows(connection) == positions(own_store)


def test_what_passes_is_waited_for(
    own_store: ContextStore,
    versions: Versions,
    connection: psycopg.Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A deadlock or a lock that was not free is nobody's poison."""
    monkeypatch.setattr("backstory.application.feed.projector._PAUSE", 0.001)
    write(own_store, 5)
    refused = [psycopg.errors.DeadlockDetected(), psycopg.errors.LockNotAvailable()] * 4
    apply = versions.apply

    def refusing(own: psycopg.Connection, batch: object) -> None:
        if refused:
            raise refused.pop()
        apply(own, batch)

    versions.apply = refusing  # type: ignore[method-assign]
    (status,) = ProjectionRunner(own_store, [versions], attempts=1).catch_up()
    assert (status.behind, status.set_aside) == (0, 0)
    assert versions.rows(connection) == positions(own_store)


class Nameless:
    types = ()

    def apply(self, connection: object, batch: object) -> None: ...
    def reset(self, connection: object) -> None: ...


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "projection.name"),
        ({"name": "Mine"}, "projection.name"),
        ({"name": "backstory:feed"}, "projection.name"),
        ({"name": "mine", "types": "message.added"}, "mine.types"),
        ({"name": "mine", "types": [""]}, "mine.types"),
        ({"name": "mine", "apply": None}, "mine.apply"),
        ({"name": "mine", "reset": 7}, "mine.reset"),
    ],
)
def test_what_cannot_be_run_is_named(store: ContextStore, fields: dict[str, object], field: str) -> None:
    projection = Nameless()
    for name, value in fields.items():
        setattr(projection, name, value)
    with pytest.raises(InvalidInput) as refused:
        ProjectionRunner(store, [projection])  # type: ignore[list-item]
    assert refused.value.field == field


def test_two_of_one_name_and_bad_sizes_are_refused(store: ContextStore) -> None:
    projection = Nameless()
    projection.name = "mine"  # type: ignore[attr-defined]
    with pytest.raises(InvalidInput, match="two of the name"):
        ProjectionRunner(store, [projection, projection])  # type: ignore[list-item]
    for wrong, why in (({"batch_size": 0}, "at least 1"), ({"attempts": True}, "whole number")):
        with pytest.raises(InvalidInput, match=why):
            ProjectionRunner(store, [], **wrong)
