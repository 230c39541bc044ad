"""The index is a projection of the feed: it lags, catches up, is filled anew, and loses what is erased or purged."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from backstory import ContextStore, ProjectionRunner, Session, VerificationFailed
from backstory.application.search.index import index_stream, read_segments
from tests.search.indexing import index, index_rows
from tests.waiting import until

Found = list[tuple[int, float]]


def found(session: Session, query: str, **chosen: Any) -> Found:
    return [(hit.item, hit.score) for hit in session.search(query, **chosen).hits]


def covered(store: ContextStore, session: Session) -> list[tuple[int, int]]:
    segments = read_segments(store._runtime, [session.id])
    return [(segment.range.first, segment.range.last) for segment in segments]


def test_what_it_has_not_come_to_is_found_all_the_same(own_store: ContextStore) -> None:
    session = own_store.start(project="p")
    items = [session.message(f"lantern {n}") for n in range(3)]
    before = found(session, "lantern")
    runner = ProjectionRunner(own_store)
    status = {one.name: one for one in runner.status()}["search"]
    assert (status.position, status.behind) == (0, 4)
    assert {one.name: one.behind for one in runner.catch_up()}["search"] == 0
    assert covered(own_store, session) == [(1, 4)]
    assert found(session, "lantern") == before
    newer = session.message("lantern and a harbour")
    assert {item for item, _ in found(session, "lantern")} == {*items, newer}
    (listed,) = [one for one in own_store.projections() if one.name == "search"]
    assert (listed.rows, listed.behind) == (3, 1)
    assert listed.bytes


def test_a_session_that_is_indexed_event_by_event_has_few_segments(own_store: ContextStore) -> None:
    session = own_store.start()
    runner = ProjectionRunner(own_store, batch_size=1)
    for n in range(40):
        session.message(f"lantern {n}")
        index(session)
    runner.catch_up()
    ranges = covered(own_store, session)
    assert len(ranges) <= 6
    assert [first for first, _ in ranges[1:]] == [last + 1 for _, last in ranges[:-1]]
    assert (ranges[0][0], ranges[-1][1]) == (1, session.version)
    assert own_store.check_projections().ok


def test_emptied_and_filled_again_it_is_the_same(own_store: ContextStore) -> None:
    session = own_store.start()
    for n in range(9):
        session.message(f"lantern {'harbour ' * n}")
        index(session)
    before = found(session, "harbour lantern")
    runner = ProjectionRunner(own_store, batch_size=4)
    assert runner.rebuild("search") == session.version
    assert found(session, "harbour lantern") == before
    assert own_store.check_projections().ok


def test_a_purge_takes_it_and_an_import_brings_it_back(own_store: ContextStore, tmp_path: Path) -> None:
    session = own_store.start(project="p")
    item = session.message("The lantern of the harbour.")
    runner = ProjectionRunner(own_store)
    runner.catch_up()
    assert index_rows(own_store, session)
    own_store.purge(session.id, tmp_path / "purged.jsonl")
    assert index_rows(own_store, session) == []
    assert own_store.search("lantern").hits == ()
    own_store.import_file(tmp_path / "purged.jsonl")
    assert [hit.item for hit in own_store.search("lantern", project="p").hits] == [item]
    runner.catch_up()
    assert index_rows(own_store, session)
    assert [hit.item for hit in own_store.search("lantern", project="p").hits] == [item]


def test_an_erasure_waits_for_an_index_that_is_being_written_and_then_takes_it(
    own_store: ContextStore, database: str
) -> None:
    session = own_store.start()
    item = session.message("The nightingale sings.")
    with psycopg.connect(database) as connection:
        with connection.transaction():
            index_stream(own_store._runtime, connection, session.id, session.version)
            erasing = threading.Thread(target=session.erase, args=(item, "law"))
            erasing.start()
            until(lambda: _waits_for_a_lock(own_store))
        erasing.join()
    assert index_rows(own_store, session) == []
    assert found(session, "nightingale") == []


def _waits_for_a_lock(store: ContextStore) -> bool:
    text = b"select exists (select from pg_locks where locktype = 'advisory' and not granted)"
    return bool(store._runtime.database.read(lambda c: c.execute(text).fetchone())[0])


def test_a_large_history_has_several_segments_and_pages(own_store: ContextStore) -> None:
    session = own_store.start()
    with session.atomic() as tx:
        for n in range(2_400):
            tx.message(f"note {n} of the lantern" if n % 200 == 7 else f"note {n}")
    assert covered(own_store, session) == []
    before = found(session, "lantern")
    # Whoever had to read so much leaves it indexed.
    assert len(covered(own_store, session)) == 2
    assert found(session, "lantern") == before
    assert len(before) == 12
    assert own_store.check_projections().ok


def test_many_small_histories_are_left_indexed_too(own_store: ContextStore) -> None:
    sessions = [own_store.start() for _ in range(3)]
    for session in sessions:
        with session.atomic() as tx:
            for n in range(80):
                tx.message(f"lantern {n}")
    before = own_store.search("lantern 7", limit=5)
    assert [len(covered(own_store, session)) for session in sessions] == [1, 1, 1]
    assert own_store.search("lantern 7", limit=5) == before
    assert own_store.check_projections().ok


@pytest.fixture
def damaged(own_store: ContextStore, database: str) -> Callable[[str], Session]:
    def damage(statement: str) -> Session:
        session = own_store.start()
        session.message("The lantern of the harbour.")
        ProjectionRunner(own_store).catch_up()
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(statement.encode())
        return session

    return damage


DAMAGES = [
    "update backstory.search_postings set postings = '\\x00'",
    "update backstory.search_segments set documents = '\\x00'",
    "delete from backstory.search_postings",
]


@pytest.mark.parametrize("statement", DAMAGES)
def test_damage_is_named_and_mended(
    own_store: ContextStore, damaged: Callable[[str], Session], statement: str
) -> None:
    session = damaged(statement)
    checked = own_store.check_projections()
    assert not checked.ok
    with pytest.raises(VerificationFailed, match="projections rebuild --feed search"):
        checked.require()
    ProjectionRunner(own_store).rebuild("search")
    assert own_store.check_projections().ok
    assert len(found(session, "lantern")) == 1


def test_an_index_that_cannot_be_read_says_so(
    own_store: ContextStore, damaged: Callable[[str], Session]
) -> None:
    session = damaged(DAMAGES[1])
    with pytest.raises(VerificationFailed, match="rebuild --feed search"):
        session.search("lantern")


def test_a_content_that_was_altered_is_not_shown_and_stops_nothing(
    own_store: ContextStore, database: str
) -> None:
    session = own_store.start()
    altered, kept = session.message("lantern one"), session.message("lantern two")
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("alter table backstory.contents disable trigger all")
        connection.execute(
            "update backstory.contents set bytes = 'lantern six' where version = %s", (altered,)
        )
    for _ in range(2):
        assert [item for item, _ in found(session, "lantern")] == [kept]
        (status,) = [one for one in ProjectionRunner(own_store).catch_up() if one.name == "search"]
        assert (status.behind, status.set_aside) == (0, 0)


def test_a_segment_of_long_texts_holds_fewer(
    own_store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backstory.application.search.index.MOST_POSTINGS", 10)
    session = own_store.start()
    for n in range(8):
        session.message(f"the lantern of harbour master number {n}")
    before = found(session, "harbour lantern")
    index(session)
    assert covered(own_store, session) == [(1, 3), (4, 5), (6, 7), (8, 9)]
    assert found(session, "harbour lantern") == before
    assert own_store.check_projections().ok
