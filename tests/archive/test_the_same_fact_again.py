"""The same fact again is a further source of the memory, and what contradicts it may supersede it: no second copies."""

from datetime import UTC, datetime, timedelta

from backstory import ContextStore, Project, Session
from tests.archive.conftest import Talk

MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)


def said(store: ContextStore, project: Project, text: str, day: int, origin: str = "user") -> Session:
    session = store.start(project=project.name)
    session.occurred(MONDAY + timedelta(days=day)).of_origin(origin).message(text)  # type: ignore[arg-type]
    return session


def test_it_is_said_again(talk: Talk, project: Project) -> None:
    (memory,) = talk("Always moor the ferry at quay 3.").memory.archive().memories
    other = talk("Please always moor the ferry at quay 3!")
    made = other.memory.archive()
    assert (made.memories, made.corroborated) == ((), (memory,))
    (source,) = project.memory(memory).said_again
    assert source.session == other.id
    assert project.memory(memory).trust == "trusted"


def test_twice_in_one_session_it_is_one_memory_with_both_sources(talk: Talk, project: Project) -> None:
    session = talk(
        "Always moor the ferry at quay 3.", "Understood.", "Again: always moor the ferry at quay 3."
    )
    (memory,) = session.memory.archive().memories
    assert [item for source in project.memory(memory).sources for item in source.items] == [2, 4]


def test_what_was_remembered_by_hand_is_not_made_again(talk: Talk, project: Project) -> None:
    session = talk("Hello")
    session.command("/remember always moor the ferry at quay 3")
    session.message("Remember: always moor the ferry at quay 3.")
    made = session.memory.archive()
    assert made.memories == ()
    assert len(project.memories(kinds=["note", "preference"]).memories) == 1


def test_a_later_word_supersedes_what_it_contradicts(store: ContextStore, project: Project) -> None:
    (old,) = said(store, project, "Always squash commits before merging.", 0).memory.archive().memories
    made = said(store, project, "Never squash commits before merging.", 2).memory.archive()
    assert made.superseded == (old,)
    (new,) = made.memories
    assert [one.id for one in project.history(old)] == [old, new]
    tuesday = MONDAY + timedelta(days=1)
    assert [one.id for one in project.memories(kinds=["preference"], as_of=tuesday).memories] == [old]
    assert [one.id for one in project.memories(kinds=["preference"]).memories] == [new]


def test_an_earlier_word_or_a_less_trusted_one_does_not(store: ContextStore, project: Project) -> None:
    said(store, project, "Always squash commits before merging.", 2).memory.archive()
    earlier = said(store, project, "Never squash commits before merging.", 0).memory.archive()
    assert (earlier.superseded, len(earlier.candidates)) == ((), 1)
    document = said(store, project, "Don't squash commits before merging, never without care.", 3, "document")
    assert document.memory.archive().superseded == ()


def test_what_a_session_went_back_on_is_forgotten(talk: Talk, project: Project) -> None:
    session = talk("Which quay?")
    before = session.version
    session.decide("The ferry moors at quay 3")
    (memory,) = session.memory.archive().memories
    session.backtrack(before, "quay 3 is taken")
    session.decide("The ferry moors at quay 5")
    made = session.memory.archive()
    assert made.superseded == (memory,)
    assert [one.text for one in project.memories(kinds=["decision"]).memories] == [
        "The ferry moors at quay 5"
    ]
