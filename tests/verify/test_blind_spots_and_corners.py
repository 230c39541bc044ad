"""What a tampering of single values does not reach: rows that agree with each other, values that cannot be
read, what a fork inherited, and the feed."""

from contextlib import AbstractContextManager
from hashlib import sha256

import pytest

from backstory.application.session import Session
from backstory.domain.errors import UnknownSession, VerificationFailed
from tests.verify.conftest import Record
from tests.verify.tampering import Row, rows_of, tampered


def test_a_position_that_keeps_the_order_is_not_seen(record: Record) -> None:
    session = record.store.start()
    record.connection.execute("select nextval('backstory.positions')")
    session.message("a number was left out before this one")
    moved = {"position": _newest(record, session)["position"] - 1}
    with _changed(record, "events", _newest(record, session), moved):
        assert record.store.verify_all().ok


def test_a_position_that_was_never_drawn(record: Record) -> None:
    session = record.store.start()
    with _changed(record, "events", _newest(record, session), {"position": 2**40}):
        _assert_problem(session, "events.position, version 1", "was never drawn")


def test_a_position_of_two_events_is_seen_in_the_store_as_a_whole(record: Record) -> None:
    session, other = record.store.start(), record.store.start()
    taken = {"position": _newest(record, other)["position"]}
    with _changed(record, "events", _newest(record, session), taken):
        assert session.verify().ok
        with pytest.raises(VerificationFailed, match="is that of several events"):
            record.store.verify_all().require()


def test_a_tombstone_of_a_session_that_lives(record: Record) -> None:
    grave = record.rows("tombstones")[0] | {"stream_id": record.session.id}
    with tampered(record.connection, record.tables["tombstones"], [], [grave]):
        _assert_problem(record.session, "tombstones", "purged")


def test_an_erased_content_that_came_back(record: Record) -> None:
    session = record.store.start()
    item = session.message("my number is 1234")
    (kept,) = [row for row in _rows(record, "contents", session) if row["version"] == item]
    session.erase(item, "asked to")
    with tampered(record.connection, record.tables["contents"], [], [kept]):
        _assert_problem(session, f"contents, version {item} part 0", "although it was erased")


def test_an_event_and_its_branch_point_changed_alike(record: Record) -> None:
    branch_point = next(
        row for row in record.rows("branch_points") if row["resumed_stream"] == record.session.id
    )
    event = _at(record, "events", record.session, branch_point["version"])
    forged = event["effects"].replace(f'"version":{branch_point["resumed_version"]}', '"version":2')
    assert forged != event["effects"]
    with (
        _changed(record, "branch_points", branch_point, {"resumed_version": 2}),
        _changed(record, "events", event, {"effects": forged}),
    ):
        _assert_problem(
            record.session, f"events, version {branch_point['version']}", "does not match its chain"
        )


@pytest.mark.parametrize("beyond", [0, 1, 1000])
def test_a_branch_point_that_resumes_itself_or_its_future(record: Record, beyond: int) -> None:
    branch_point = next(
        row for row in record.rows("branch_points") if row["resumed_stream"] == row["stream_id"]
    )
    session = record.session if branch_point["stream_id"] == record.session.id else record.fork
    with _changed(
        record, "branch_points", branch_point, {"resumed_version": branch_point["version"] + beyond}
    ):
        _assert_problem(
            session, f"branch_points, version {branch_point['version']}", "differs from the event"
        )


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("events", "recorded_at"),
        ("events", "occurred_at"),
        ("streams", "started_at"),
        ("streams", "recorded_at"),
        ("items", "brought_at"),
        ("items", "touched_at"),
    ],
)
def test_a_time_that_no_clock_shows(record: Record, table: str, column: str) -> None:
    session = record.store.start()
    session.message("hello")
    record.connection.execute(
        f"update backstory.{table} set {column} = 'infinity' where stream_id = %s", (session.id,)
    )
    _assert_problem(session, table, "cannot be read")
    record.connection.execute("select backstory.purge(%s)", (session.id,))


@pytest.mark.parametrize("summary", ["[]", "1", "null", "{}", '{"labels": 1, "windows": []}'])
def test_a_summary_of_another_shape(record: Record, summary: str) -> None:
    session = record.store.start()
    record.connection.execute(
        "update backstory.streams set summary = %s::jsonb where stream_id = %s", (summary, session.id)
    )
    _assert_problem(session, "streams.summary", "")
    record.connection.execute("select backstory.purge(%s)", (session.id,))


def test_an_importance_that_is_no_number(record: Record) -> None:
    with _changed(record, "items", record.rows("items")[0], {"importance": float("nan")}):
        assert not record.session.verify().ok or not record.fork.verify().ok


def test_a_key_with_a_proof_made_up_for_it_is_not_seen(record: Record) -> None:
    """The proof has no secret in it: it ties a row to the chain, so that a row cannot be changed without
    making a new proof. Whoever makes one has told a lie that nothing contradicts."""
    row = next(row for row in record.rows("appends") if row["stream_id"] == record.session.id)
    with _changed(record, "appends", row, {"key": "another", "proof": _proof(record, row, "another")}):
        assert record.session.verify().ok


def test_the_chain_is_the_same_where_plain_text_is_said_in_so_many_words(record: Record) -> None:
    row = next(row for row in record.rows("contents") if row["media_type"] is None)
    with _changed(record, "contents", row, {"media_type": "text/plain"}):
        assert record.session.verify().ok


def test_a_fork_is_only_as_good_as_what_it_began_with(record: Record) -> None:
    event = _at(record, "events", record.session, 6)
    with _changed(record, "events", event, {"actor": "mallory"}):
        _assert_problem(record.fork, f"events, version 6 of {record.session.id}", "does not match its chain")
    content = next(row for row in record.rows("contents") if row["version"] == 6)
    with tampered(record.connection, record.tables["contents"], [content], []):
        _assert_problem(record.fork, f"contents, version 6 part 0 of {record.session.id}", "is missing")


def test_what_a_parent_recorded_later_is_not_the_forks(record: Record) -> None:
    parent = record.store.start()
    parent.message("inherited")
    fork = parent.fork()
    later = parent.message("not inherited")
    with _changed(record, "events", _at(record, "events", parent, later), {"actor": "mallory"}):
        assert not parent.verify().ok
        assert fork.verify().ok


def test_an_inherited_content_that_the_parent_erased_later(record: Record) -> None:
    parent = record.store.start()
    item = parent.message("inherited")
    fork = parent.fork()
    parent.message("between")
    parent.erase(item, "asked to")
    assert fork.verify().ok


def test_nothing_of_a_session_left_but_its_contents(record: Record) -> None:
    session = record.store.start(title="gone")
    for table in ("events", "streams", "items", "snapshots", "checkpoints"):
        record.connection.execute(f"delete from backstory.{table} where stream_id = %s", (session.id,))
    _assert_problem(session, "streams", "contents has")
    assert [p.where for p in record.store.verify_all().orphans] == [f"contents, stream {session.id}"]
    record.connection.execute("delete from backstory.contents where stream_id = %s", (session.id,))


def test_a_session_that_never_was_or_was_purged_is_unknown(record: Record) -> None:
    session = record.store.start()
    record.connection.execute("select backstory.purge(%s)", (session.id,))
    with pytest.raises(UnknownSession, match="was purged"):
        session.verify()


def test_verifying_writes_nothing(record: Record) -> None:
    snapshots = [row for row in record.rows("snapshots") if row["fold_version"] == 1]
    with tampered(record.connection, record.tables["snapshots"], snapshots, []):
        assert record.session.verify().ok
        assert record.fork.verify().ok
        assert not [row for row in record.rows("snapshots") if row["fold_version"] == 1]


def _assert_problem(session: Session, where: str, what: str) -> None:
    problem = session.verify().problem
    assert problem is not None
    assert problem.where.startswith(where)
    assert what in problem.what


def _rows(record: Record, table: str, session: Session) -> list[Row]:
    return rows_of(record.connection, record.tables[table], [session.id])


def _newest(record: Record, session: Session) -> Row:
    return _rows(record, "events", session)[-1]


def _at(record: Record, table: str, session: Session, version: int) -> Row:
    return next(row for row in _rows(record, table, session) if row["version"] == version)


def _changed(record: Record, table: str, row: Row, changes: Row) -> AbstractContextManager[None]:
    return tampered(record.connection, record.tables[table], [row], [row | changes])


def _proof(record: Record, row: Row, key: str) -> bytes:
    chain = _at(record, "events", record.session, row["last_version"])["chain"]
    return sha256(
        chain + row["first_version"].to_bytes(4, "big") + key.encode() + row["fingerprint"]
    ).digest()
