"""A project remembers across sessions, in a stream of its own that can be verified, listed and searched."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from backstory import (
    AsyncContextStore,
    ContextStore,
    InvalidInput,
    ItemNotLive,
    Project,
    Refused,
    Source,
    UnknownItem,
    UnknownSession,
)
from backstory.domain.memory.values import MEMORY_KINDS
from backstory.domain.policies.memory import DEFAULT_MEMORY
from tests.search.indexing import index

NOW = datetime.now(UTC)


def test_what_one_session_remembers_another_recalls_with_its_source(store: ContextStore) -> None:
    name = f"atlas-{uuid4()}"
    first, second = store.start(project=name), store.start(project=name)
    said = first.message("The staging database is on port 6543.")
    memory = first.memory.remember(
        "Staging runs Postgres on port 6543.",
        items=[said],
        kind="knowledge",
        entities=["Postgres", "staging"],
    )
    (found,) = second.memory.recall("which port has the staging database?").found
    assert found.memory.id == memory
    assert found.memory.sources == (Source(session=first.id, items=(said,)),)
    assert (found.memory.kind, found.memory.project) == ("knowledge", name)
    assert found.memory.entities == ("Postgres", "staging")


def test_everything_that_was_given_comes_back(project: Project) -> None:
    source = Source(session=uuid4(), items=(2, 3, 9))
    given: dict[str, Any] = {
        "kind": "lesson",
        "title": "Flaky tests",
        "details": {"files": ["tests/a.py"], "count": 3},
        "entities": ("pytest", "Ana"),
        "valid_from": NOW - timedelta(days=1),
        "valid_until": NOW + timedelta(days=1),
        "key": "flaky",
    }
    memory = project.by("ana").remember("Never sleep in a test.", sources=[source], importance=0.75, **given)
    found = project.memory(memory)
    assert {name: getattr(found, name) for name in given} == given
    assert (found.text, found.by, found.importance, found.sources) == (
        "Never sleep in a test.",
        "ana",
        0.75,
        (source,),
    )
    assert (found.left_at, found.superseded_by, found.made_by) == (None, None, None)


@pytest.mark.parametrize("kind", MEMORY_KINDS)
def test_importance_and_tier_follow_from_the_kind(project: Project, kind: str) -> None:
    found = project.memory(project.remember("something", kind=kind))
    assert found.importance == DEFAULT_MEMORY.importance[kind]
    assert found.tier == ("HOT" if found.importance >= 0.8 else "WARM")


def test_a_project_is_found_by_its_name_and_made_when_it_is_written_to(store: ContextStore) -> None:
    name = f"atlas-{uuid4()}"
    assert store.project(name).id == store.project(name).id != store.project(name + "2").id
    assert (store.project(name).version, store.project(name).recall("anything").found) == (0, ())
    assert store.project(name).memories().memories == ()
    with pytest.raises(UnknownItem, match="has no memory yet"):
        store.project(name).forget(2)
    store.project(name).remember("something")
    assert [event.type for event in store.project(name).events()] == ["project.started", "memory.recorded"]


def test_eight_writers_start_a_project_together_and_lose_nothing(project: Project) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda n: project.remember(f"fact {n}"), range(16)))
    assert len(set(made)) == 16
    assert len(project.memories().memories) == 16
    assert sum(event.type == "project.started" for event in project.events()) == 1


def test_of_memories_with_one_key_the_last_holds_however_many_write(project: Project) -> None:
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda n: project.remember(f"target {n}", key="deploy target"), range(8)))
    (holding,) = project.memories().memories
    assert holding.id == max(made)
    assert sorted(one.id for one in project.history(holding.id)) == sorted(made)


def test_under_its_key_a_memory_is_recorded_once(project: Project) -> None:
    first = project.once("request-7").remember("something", key="k")
    assert project.once("request-7").remember("something", key="k") == first
    assert len(project.memories(past=True).memories) == 1


def test_a_key_supersedes_whoever_recorded_it(project: Project) -> None:
    first = project.remember("we deploy to Fly", key="target")
    second = project.by("ana").remember("we deploy to Hetzner", key="target")
    third = project.by("ben").remember("we deploy to our own servers", key="target")
    private = project.by("ben").remember("ben would not", key="target", agent="ben")
    assert [project.memory(id, agent="ben").superseded_by for id in (first, second, third, private)] == [
        second,
        third,
        None,
        None,
    ]


def test_it_can_be_verified_and_its_read_models_rebuilt(store: ContextStore, project: Project) -> None:
    old = project.remember("we deploy to Fly", key="target")
    project.remember("we deploy to Hetzner", key="target")
    project.forget(project.remember("a mistake"), "it was wrong")
    index(project)
    before, state = project.recall("where do we deploy", past=True), project.state.document()
    assert project.verify().ok
    assert store.rebuild_projections([project.id]).require().changed == ()
    assert project.recall("where do we deploy", past=True) == before
    assert project.state.document() == state
    assert project.memory(old).left_at is not None


def test_a_page_goes_on_where_the_last_one_ended(project: Project) -> None:
    made = [project.remember(f"deploy note number {n}") for n in range(7)]
    listed, after = [], None
    while True:
        page = project.memories(limit=3, after=after)
        listed += [one.id for one in page.memories]
        if (after := page.next) is None:
            break
    assert listed == made[::-1]
    found, cursor = [], None
    while True:
        pages = project.recall("deploy", limit=3, after=cursor)
        found += [one.memory.id for one in pages.found]
        if (cursor := pages.next) is None:
            break
    assert sorted(found) == made


def test_a_search_of_the_store_finds_memories_that_hold(store: ContextStore, project: Project) -> None:
    session = store.start(project=project.name)
    said = session.message("the lantern is in the harbour")
    memory = project.remember("the lantern belongs to Wilhelmina")
    gone = project.remember("the lantern is broken")
    project.forget(gone)
    other = store.project(f"other-{uuid4()}")
    other.remember("the lantern of somebody else")

    def places(**asked: Any) -> set[tuple[Any, int]]:
        return {
            (hit.session, hit.item) for hit in store.search("lantern", project=project.name, **asked).hits
        }

    assert places() == {(session.id, said), (project.id, memory)}
    assert places(types=["memory"]) == {(project.id, memory)}
    assert places(abandoned=True) == {(session.id, said), (project.id, memory), (project.id, gone)}
    index(project)
    assert places() == {(session.id, said), (project.id, memory)}
    store.search("lantern", project=project.name, agent="ana")
    assert project.state.items[memory].accesses == 1


def test_a_memory_cools_and_warms_as_items_do(store: ContextStore, project: Project) -> None:
    memory = project.remember("use tabs", kind="preference")
    store.update_tiers(as_of=datetime.now(UTC) + timedelta(days=30))
    assert project.memory(memory).tier == "COLD"
    assert [one.id for one in project.memories(tier="COLD").memories] == [memory]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda p: p.remember(""), "text: "),
        (lambda p: p.remember("x", kind="thought"), "kind: "),
        (lambda p: p.remember("x", entities="abc"), "entities: must be a list"),
        (lambda p: p.remember("x", importance=2), "importance: "),
        (lambda p: p.remember("x", valid_from=NOW, valid_until=NOW), "valid_until: must be later"),
        (lambda p: p.remember("x", valid_from=NOW.replace(tzinfo=None)), "valid_from: must have a time zone"),
        (lambda p: p.remember("x", key="two\nlines"), "key: must be printable"),
        (lambda p: p.recall(""), "query: "),
        (lambda p: p.recall("x", kinds=["thought"]), "kinds: must be among"),
        (lambda p: p.recall("x", tier="LUKEWARM"), "tier: must be one of"),
        (lambda p: p.memories(limit=0), "limit: must be at least 1"),
        (lambda p: p.memories(after=0), "after: must be a version"),
    ],
)
def test_bad_input_is_named_and_changes_nothing(
    project: Project, wrong: Callable[[Project], object], told: str
) -> None:
    with pytest.raises(InvalidInput, match=told):
        wrong(project)
    assert project.version == 0


def test_only_what_holds_can_be_superseded_or_forgotten(project: Project) -> None:
    memory = project.remember("x")
    project.forget(memory)
    with pytest.raises(ItemNotLive, match=f"memory {memory} was superseded or forgotten"):
        project.forget(memory)
    with pytest.raises(ItemNotLive, match=f"memory {memory} was superseded or forgotten"):
        project.supersede(memory, "y")
    with pytest.raises(UnknownItem, match="memory 99 does not exist"):
        project.remember("y", supersedes=[99])
    with pytest.raises(InvalidInput, match="memory: must be a version"):
        project.memory(0)


def test_a_project_is_no_session_and_a_session_needs_one(store: ContextStore, project: Project) -> None:
    project.remember("x")
    with pytest.raises(UnknownSession, match="is a project, not a session"):
        store.session(project.id)
    assert project.id not in {one.id for one in store.sessions()}
    with pytest.raises(Refused, match="belongs to no project"):
        store.start().memory.remember("x")
    session = store.start(project=project.name)
    with pytest.raises(UnknownItem, match="items: item 99 is not on this branch"):
        session.memory.remember("x", items=[99])


async def test_asyncio_has_the_same(url: str) -> None:
    async with await AsyncContextStore.open(url) as store:
        project = store.project(f"atlas-{uuid4()}")
        memory = await project.by("ana").remember("the lantern is in the harbour")
        (found,) = (await project.recall("lantern")).found
        assert (found.memory.id, found.memory.by) == (memory, "ana")
        session = await store.start(project=project.name)
        await session.memory.forget(memory)
        assert (await session.memory.recall("lantern")).found == ()
        assert [event.type async for event in project.events()][-1] == "memory.forgotten"
        assert (await project.version, (await project.verify()).ok) == (3, True)
