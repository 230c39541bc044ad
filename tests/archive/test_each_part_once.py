"""Each part of a session is made into memory once, whoever tries and whatever breaks."""

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest

from backstory import ContextStore, Project, Unavailable
from backstory.application.archive import archive
from backstory.application.archive.due import archive_if_due
from backstory.domain.events import MemoryRecorded, SessionReviewed
from tests.archive.conftest import Talk

IMPORTANT = (
    "We decided to moor the ferry at quay 3 because quay 2 is too shallow.",
    "The mooring plan is updated.",
)


def ended(talk: Talk) -> UUID:
    session = talk(*(f"{text} ({n})" for n in range(4) for text in IMPORTANT))
    session.decide("The ferry moors at quay 3")
    session.decide("Quay 2 is for pilots")
    # Not through `Session.end`, which makes the memories at once.
    with session.atomic() as tx:
        tx.end()
    return session.id


def test_many_workers_at_once_make_them_once(url: str, talk: Talk, project: Project) -> None:
    session = ended(talk)

    def work(_: int) -> None:
        with ContextStore.open(url) as store:
            archive_if_due(store._runtime, session)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    assert [event.type for event in project.events(types=[SessionReviewed.type])] == [SessionReviewed.type]
    assert len(project.memories(kinds=["fragment"]).memories) == 1
    assert len(project.memories(kinds=["decision"]).memories) == 2
    assert project.verify().ok


def test_sessions_at_once_say_the_same_fact_once(url: str, talk: Talk, project: Project) -> None:
    sessions = [talk("From now on always sound the horn twice in fog.") for _ in range(4)]

    def work(session: UUID) -> None:
        with ContextStore.open(url) as store:
            store.session(session).memory.archive()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, [session.id for session in sessions]))
    (memory,) = project.memories(kinds=["preference"]).memories
    assert len(memory.said_again) == 3


def test_a_crash_before_the_append_leaves_nothing_and_the_next_one_makes_all(
    store: ContextStore, talk: Talk, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = ended(talk)

    def crash(*args: object, **named: object) -> None:
        raise Unavailable("the database is away.")

    with monkeypatch.context() as broken:
        broken.setattr(archive, "decide_and_append", crash)
        with pytest.raises(Unavailable):
            archive_if_due(store._runtime, session)
    assert not list(project.events(types=[MemoryRecorded.type, SessionReviewed.type]))
    assert archive_if_due(store._runtime, session) is not None
    assert len(project.memories(kinds=["fragment"]).memories) == 1
    assert archive_if_due(store._runtime, session) is None
