"""Without following, the feed is every event there is, and then it ends."""

from uuid import uuid4

import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput
from backstory.domain.events import UnknownBody


def test_all_streams_in_the_order_of_their_positions(own_store: ContextStore) -> None:
    one, other = own_store.start(title="one"), own_store.start(title="other", project="orders")
    one.message("a")
    other.message("b")
    one.backtrack(1, "again")
    fork = other.fork(at=1)
    found = list(own_store.feed())
    assert [(entry.session, entry.version) for entry in found] == [
        (one.id, 1),
        (other.id, 1),
        (one.id, 2),
        (other.id, 2),
        (one.id, 3),
        (fork.id, 2),
    ]
    assert [entry.position for entry in found] == sorted({entry.position for entry in found})
    assert [entry.event for entry in found if entry.session == one.id] == list(one.events())
    assert [entry.project for entry in found] == [None, "orders", None, "orders", None, "orders"]
    assert found[2].type == found[2].event.type == "message.added"


def test_a_reader_goes_on_where_another_one_ended(any_store: ContextStore) -> None:
    project = f"p{uuid4().hex}"
    session = any_store.start(project=project)
    for number in range(5):
        session.message(str(number))
    first = any_store.feed(project=project)
    seen = [next(first).version for _ in range(3)]
    second = any_store.feed(after=first.position, project=project)
    seen += [entry.version for entry in second]
    assert seen == [1, 2, 3, 4, 5, 6]
    session.message("and more")
    assert [entry.version for entry in any_store.feed(after=second.position, project=project)] == [7]
    assert list(second) == []


def test_only_some_types_or_one_project(any_store: ContextStore) -> None:
    project = f"p{uuid4().hex}"
    session, other = any_store.start(project=project), any_store.start()
    for one in (session, other):
        one.message("hello")
        one.decide("Use RS256")
    mine = any_store.feed(project=project, types=["decision.recorded", "session.started"])
    assert [(entry.session, entry.version) for entry in mine] == [(session.id, 1), (session.id, 3)]
    assert list(any_store.feed(types=["no:such"])) == []


def test_a_reader_of_what_is_rare_need_not_look_again_at_what_is_not(own_store: ContextStore) -> None:
    session = own_store.start()
    session.message("hello")
    rare = own_store.feed(types=["acme:rare"])
    assert list(rare) == []
    assert rare.position == own_store.feed_status().newest


def test_many_batches_and_long_gaps(own_store: ContextStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backstory.infrastructure.feed.feed.WINDOW", 3)
    database = own_store._runtime.database
    session = own_store.start()
    with session.atomic() as together:
        for number in range(700):
            together.message(str(number))
    with database.apart("to leave a gap") as connection:
        connection.execute("reset role")
        connection.execute("select setval('backstory.positions', 5000000000)")
    session.message("beyond the gap")
    assert [entry.version for entry in own_store.feed()] == list(range(1, 703))
    assert [len(batch) for batch in own_store.feed(types=["message.added"]).batches()][-1] == 1


def test_events_of_other_applications_come_as_they_are(own_store: ContextStore) -> None:
    from eventsourcing.persistence import StoredEvent

    from backstory.infrastructure.eventsourcing_library.recorder import LogRecorder

    stream = uuid4()
    LogRecorder(own_store._runtime.database).insert_events(
        [StoredEvent(stream, 1, "app:Topic", b"\x00bytes")]
    )
    (found,) = own_store.feed()
    assert (found.session, found.version, found.type, found.payload) == (stream, 1, "app:Topic", b"\x00bytes")
    assert found.event.body == UnknownBody(payload=b"\x00bytes")


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"after": -1}, "after"),
        ({"after": True}, "after"),
        ({"after": "7"}, "after"),
        ({"after": 2**63}, "after"),
        ({"types": "message.added"}, "types"),
        ({"types": [7]}, "types"),
        ({"project": ""}, "project"),
        ({"project": 7}, "project"),
    ],
)
def test_bad_input_is_named(any_store: ContextStore, wrong: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        any_store.feed(**wrong)
    assert refused.value.field == field


@pytest.mark.parametrize("wrong", [{"after": -1}, {"after": "1"}, {"upto": 2**31}, {"actor": ""}])
def test_so_it_is_of_a_tail(any_store: ContextStore, wrong: dict[str, object]) -> None:
    session = any_store.start()
    with pytest.raises(InvalidInput):
        session.tail(**wrong)
