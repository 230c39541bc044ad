"""A session, or a topic of it, becomes a fragment: title, summary, decisions, entities, files, times and sources."""

import asyncio
from datetime import UTC, datetime

import pytest

from backstory import (
    AsyncContextStore,
    ContextStore,
    InvalidInput,
    MemoryPolicy,
    Project,
    Refused,
    UnknownItem,
)
from backstory.domain.summaries.offline import SUMMARIZER_VERSION
from tests.archive.conftest import Talk

MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_a_session_becomes_a_fragment_with_its_sources(talk: Talk, project: Project) -> None:
    session = talk(
        "Please make the tide parser in `tides/parse.py` reject negative heights.",
        "I fixed `parse_height` in `tides/parse.py`: it raises ValueError below zero now.",
        title="The tide parser",
    )
    decision = session.decide("Negative heights are refused", rationale="the gauge cannot measure them")
    made = session.memory.archive()
    assert (made.project, made.session, made.parts) == (project.name, session.id, 1)
    fragment = project.memory(made.fragments[0])
    assert (fragment.kind, fragment.title) == ("fragment", "The tide parser")
    assert fragment.made_by == f"offline/{SUMMARIZER_VERSION}"
    assert fragment.text is not None
    assert "Negative heights are refused" in fragment.text
    assert "parse_height" in fragment.text
    (source,) = fragment.sources
    assert source.session == session.id
    assert decision in source.items
    assert fragment.details is not None
    assert fragment.details["decisions"] == ["Negative heights are refused"]
    assert fragment.details["files"] == ["tides/parse.py"]
    assert fragment.details["messages"] == 2
    assert "tides/parse.py" in fragment.entities


def test_another_session_recalls_it(talk: Talk) -> None:
    talk("The ferry timetable loses Sundays.", "Fixed: the timetable skipped Sundays.").memory.archive()
    found = talk("Hello").memory.recall("which days did the ferry timetable lose").found
    assert found[0].memory.kind == "fragment"


def test_it_is_known_from_when_it_happened(store: ContextStore, project: Project) -> None:
    session = store.start(project=project.name).occurred(MONDAY)
    session.message("The crane of quay 4 is broken until Friday.")
    made = session.memory.archive()
    assert project.memory(made.fragments[0]).at == MONDAY
    assert [one.id for one in project.memories(as_of=MONDAY).memories] == [*made.fragments]


def test_a_topic_is_a_fragment_of_the_items_that_are_named(talk: Talk, project: Project) -> None:
    session = talk("The crane squeaks when it turns.", "I oiled the crane.", "The buoy drifts to the west.")
    items = [item.id for item in session.state.live()][:2]
    made = session.memory.archive("The crane", items=items)
    fragment = project.memory(made.fragments[0])
    assert (fragment.title, fragment.sources[0].items, made.parts) == ("The crane", tuple(items), 0)
    assert "buoy" not in (fragment.text or "")
    # The session itself is still to be looked through.
    assert session.memory.archive().parts == 1


def test_every_hundred_messages_are_a_fragment_and_a_small_rest_belongs_to_the_last(
    talk: Talk, project: Project
) -> None:
    project.choose(MemoryPolicy(name="short", archive_every=10))
    session = talk(*(f"Ship number {n} has arrived at quay {n % 7}." for n in range(24)))
    made = session.memory.archive()
    counts = [(project.memory(one).details or {})["messages"] for one in made.fragments]
    assert counts == [10, 14]


def test_what_was_looked_through_is_not_again(talk: Talk) -> None:
    session = talk("The lock gate of the old basin leaks.")
    assert session.memory.archive().parts == 1
    assert session.memory.archive().parts == 0
    session.message("The lock gate is repaired now.")
    again = session.memory.archive()
    assert (again.parts, len(again.fragments)) == (1, 1)


def test_a_fork_tells_only_what_is_its_own(talk: Talk, project: Project) -> None:
    session = talk("The lighthouse keeper retires in May.")
    session.memory.archive()
    fork = session.fork()
    fork.message("The new keeper starts in June.")
    made = fork.memory.archive()
    assert "retires" not in (project.memory(made.fragments[0]).text or "")


def test_private_items_stay_with_their_agent(talk: Talk, project: Project) -> None:
    session = talk("The harbour office opens at eight.")
    session.by("planner").items.save("lesson", "The office lies about its hours.", private=True)
    made = session.memory.archive()
    assert "lies" not in (project.memory(made.fragments[0]).text or "")
    assert [one.text for one in project.memories(agent="planner", kinds=["lesson"]).memories] == [
        "The office lies about its hours."
    ]
    assert project.memories(kinds=["lesson"]).memories == ()


def test_a_session_without_a_project_is_refused(store: ContextStore) -> None:
    with pytest.raises(Refused, match="project"):
        store.start().memory.archive()


def test_bad_input_changes_nothing(talk: Talk, project: Project) -> None:
    session = talk("The pilot boat is late.")
    with pytest.raises(InvalidInput, match="title"):
        session.memory.archive("")
    with pytest.raises((InvalidInput, UnknownItem)):
        session.memory.archive(items=[99])
    assert project.version == 0


def test_with_asyncio(store: ContextStore, url: str, project: Project) -> None:
    async def archived() -> tuple[int, ...]:
        async with await AsyncContextStore.open(url) as other:
            session = await other.start(project=project.name)
            await session.message("The dredger works at night.")
            assert (await session.memory.should_archive()).messages == 1
            return (await session.memory.archive()).fragments

    made = asyncio.run(archived())
    assert [one.id for one in project.memories().memories] == [*made]
