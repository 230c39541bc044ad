"""Calls that only read go to a standby, and never miss what this store wrote: where the standby is behind or away, the
primary answers."""

from collections.abc import Iterator

import psycopg
import pytest

from backstory.application.operations.administration import database_status
from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput
from backstory.infrastructure.postgres import standby
from tests.blocking import open_blocking
from tests.replica.conftest import Pair
from tests.waiting import until


@pytest.fixture
def store(pair: Pair) -> Iterator[ContextStore]:
    with ContextStore.open(pair.primary, read_url=pair.standby) as store:
        yield store


@pytest.fixture(autouse=True)
def soon_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A standby that was away is asked again at once, instead of after seconds, and a slow machine is given time."""
    monkeypatch.setattr(standby, "AVOIDED", 0.0)
    monkeypatch.setattr(standby, "CONNECT_SECONDS", 30)


def test_reads_are_answered_by_the_standby(pair: Pair, store: ContextStore, asked: list[str]) -> None:
    session = store.start(title="read me")
    session.message("hello")
    pair.caught_up()
    asked.clear()
    assert [message.parts[0].data for message in session.messages()] == [b"hello"]
    assert session.state.version == session.version == 2
    assert [event.version for event in session.events()] == [1, 2]
    assert store.summary(session.id).title == "read me"
    assert [hit.item for hit in session.search("hello").hits] == [2]
    assert [hit.item for hit in store.search("hello", sessions=[session.id]).hits] == [2]
    assert asked
    assert set(asked) == {"standby"}


def test_own_writes_are_read_while_replay_is_paused(
    pair: Pair, store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standby, "PATIENCE", 0.05)
    session = store.start()
    session.message("before")
    pair.caught_up()
    assert len(session.messages()) == 1
    pair.on_standby("select pg_wal_replay_pause()")
    until(lambda: pair.on_standby("select pg_get_wal_replay_pause_state() = 'paused'"))
    item = session.message("while it is paused")
    assert [message.parts[0].data for message in session.messages()] == [b"before", b"while it is paused"]
    assert session.text(item) == "while it is paused"
    assert session.version == 3
    assert [found.id for found in session.items.list()] == [2, 3]
    session.backtrack(2, "again")
    assert [found.id for found in session.items.list()] == [2]
    assert store.start().version == 1
    with psycopg.connect(pair.standby) as connection:
        newest = connection.execute(
            "select version from backstory.streams where stream_id = %s", (session.id,)
        ).fetchone()
    assert newest == (2,), "the standby is behind, as it was made to be"


def test_a_session_of_another_process_is_found_once_the_standby_has_it(
    pair: Pair, store: ContextStore, asked: list[str]
) -> None:
    with ContextStore.open(pair.primary) as other:
        id = other.start(title="elsewhere").id
    pair.caught_up()
    asked.clear()
    assert store.summary(id).title == "elsewhere"
    assert "standby" in asked


def test_a_standby_that_goes_away_and_comes_back(
    pair: Pair, store: ContextStore, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = store.start()
    session.message("hello")
    pair.caught_up()
    assert len(session.messages()) == 1
    pair.follower.stop()
    monkeypatch.setattr(standby, "CONNECT_SECONDS", 0.5)
    try:
        session.message("while it is away")
        assert len(session.messages()) == 2
        assert session.version == 3
    finally:
        pair.follower.start()

    def answered() -> bool:
        asked.clear()
        assert len(session.messages()) == 2
        return "standby" in asked

    until(answered)


def test_an_address_where_nothing_is(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standby, "CONNECT_SECONDS", 0.1)
    with ContextStore.open(pair.primary, read_url="postgresql://nobody@/none?host=/nowhere") as store:
        session = store.start()
        session.message("hello")
        assert len(session.messages()) == 1


def test_a_server_that_follows_nobody_is_not_read_from(pair: Pair, asked: list[str]) -> None:
    """It was promoted, or is another primary: nobody can say what it has."""
    with ContextStore.open(pair.primary, read_url=pair.primary) as store:
        session = store.start()
        session.message("hello")
        asked.clear()
        assert len(session.messages()) == 1
        assert "standby" not in asked


def test_what_decides_a_write_reads_the_primary(pair: Pair, store: ContextStore) -> None:
    """However far the standby is behind what others wrote."""
    session = store.start()
    goal = session.work.set_goal("be useful")
    pair.caught_up()
    assert session.state.version == 2
    pair.on_standby("select pg_wal_replay_pause()")
    until(lambda: pair.on_standby("select pg_get_wal_replay_pause_state() = 'paused'"))
    with ContextStore.open(pair.primary) as other:
        theirs = other.session(session.id)
        for number in range(20):
            theirs.work.update_goal(goal, text=f"be useful {number}")
    session.work.update_goal(goal, text="be very useful")
    session.work.complete_goal(goal)
    with session.atomic() as tx:
        assert tx.state.version == 24
        tx.message("on the newest state")
    assert session.verify().ok


def test_the_asynchronous_store(pair: Pair, asked: list[str]) -> None:
    with open_blocking(pair.primary, read_url=pair.standby) as store:
        session = store.start()
        session.message("hello")
        pair.caught_up()
        asked.clear()
        assert len(session.messages()) == 1
        assert set(asked) == {"standby"}


def test_the_environment_names_it(pair: Pair, monkeypatch: pytest.MonkeyPatch, asked: list[str]) -> None:
    monkeypatch.setenv("BACKSTORY_READ_URL", pair.standby)
    with ContextStore.open(pair.primary) as store:
        session = store.start()
        pair.caught_up()
        asked.clear()
        assert session.version == 1
        assert asked == ["standby"]


@pytest.mark.parametrize("url", ["not an address", "postgresql://a:b:c@[", 7])
def test_an_address_that_is_none(pair: Pair, url: str) -> None:
    with pytest.raises(InvalidInput, match="read_url"):
        ContextStore.open(pair.primary, read_url=url)


def test_status_tells_of_replication(pair: Pair, store: ContextStore) -> None:
    store.start()
    pair.caught_up()
    ours = database_status(pair.primary).replication
    assert ours is not None
    assert (ours.standby, [one.state for one in ours.standbys]) == (False, ["streaming"])
    theirs = database_status(pair.standby).replication
    assert theirs is not None
    assert theirs.standby
    assert theirs.replayed_at is not None


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Who answered each read. A standby that only is behind is waited for."""
    monkeypatch.setattr(standby, "PATIENCE", 60.0)
    answers: list[str] = []
    read = standby.Standby.read

    def told(self: standby.Standby, reading: object) -> object:
        try:
            found = read(self, reading)  # type: ignore[arg-type]
        except standby.StandbyAway:
            answers.append("primary")
            raise
        answers.append("standby")
        return found

    monkeypatch.setattr(standby.Standby, "read", told)
    return answers
