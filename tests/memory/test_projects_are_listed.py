"""Projects are listed with their sessions and memories."""

from datetime import UTC, datetime
from uuid import uuid4

from backstory import AsyncContextStore, ContextStore, Project


def test_with_what_belongs_to_them_the_newest_first(store: ContextStore, project: Project) -> None:
    store.start(project=project.name).end()
    store.start(project=project.name)
    project.forget(project.remember("one"))
    project.remember("two")
    project.remember("three", agent="ana")
    other = f"other-{uuid4()}"
    store.project(other).remember("one")
    newest, found = store.projects(limit=2)
    assert (newest.name, newest.sessions, newest.memories) == (other, 0, 1)
    assert (found.name, found.sessions, found.open, found.memories) == (project.name, 2, 1, 1)


def test_what_is_imported_keeps_its_time(store: ContextStore, project: Project) -> None:
    then = datetime(2020, 3, 2, tzinfo=UTC)
    project.occurred(then).remember("one")
    (found,) = [one for one in store.projects(limit=10_000) if one.name == project.name]
    assert found.last_activity == then


async def test_asyncio_has_the_same(url: str) -> None:
    async with await AsyncContextStore.open(url) as store:
        session = await store.start(project=f"atlas-{uuid4()}")
        project = await session.memory.project
        await project.remember("something")
        assert project.name in [one.name for one in await store.projects(limit=10_000)]


def test_search_says_which_hits_are_memories(store: ContextStore, project: Project) -> None:
    memory = project.remember("The lantern burns.")
    said = store.start(project=project.name).message("The lantern is out.")
    hits = store.search("lantern", project=project.name).hits
    assert {(hit.project, hit.item) for hit in hits} == {(project.name, memory), (None, said)}
