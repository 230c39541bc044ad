"""A project that was exported, its memory and its sessions, goes on elsewhere as if it had always been there."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from backstory import (
    AsyncContextStore,
    ContextStore,
    InvalidInput,
    NotFound,
    Project,
    Session,
    SessionDiffers,
    audit_export,
)
from backstory.domain.commands.memory import project_id


@pytest.fixture
def project(store: ContextStore) -> Project:
    return store.project(f"shop-{uuid4()}")


@pytest.fixture
def session(store: ContextStore, project: Project) -> Session:
    session = store.start(project=project.name)
    said = session.message("We deploy to Fly.")
    old = session.memory.remember("Deploys go to Fly.", items=[said], key="target")
    project.by("ana").once("first").remember("Deploys go to Hetzner.", key="target")
    project.forget(project.remember("a mistake"), "it was wrong")
    session.message("Where do we deploy?")
    session.context(4_000)
    assert project.memory(old).left_at is not None
    return session


@pytest.fixture
def exported(store: ContextStore, project: Project, session: Session, tmp_path: Path) -> Path:
    store.export(None, tmp_path / "shop.jsonl", projects=[project.name])
    return tmp_path / "shop.jsonl"


@pytest.fixture
def elsewhere(new_database: Callable[[], str]) -> Iterator[ContextStore]:
    with ContextStore.open(new_database()) as other:
        yield other


def test_it_is_the_same_there(
    project: Project, session: Session, exported: Path, elsewhere: ContextStore, tmp_path: Path
) -> None:
    memory, conversation = elsewhere.import_file(exported)
    assert (memory.session, memory.project, memory.memories) == (project.id, project.name, 3)
    assert (conversation.session, conversation.project, conversation.messages) == (session.id, None, 2)
    there = elsewhere.project(project.name)
    assert there.memories(past=True) == project.memories(past=True)
    assert there.state.document() == project.state.document()
    assert there.recall("deploy").found == project.recall("deploy").found
    assert there.verify().chain == project.verify().chain
    assert elsewhere.verify_all().problems == ()
    assert elsewhere.check_projections().ok
    assert [one.name for one in elsewhere.projects()] == [project.name]
    elsewhere.export(None, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == exported.read_bytes()


def test_a_second_import_changes_nothing(exported: Path, elsewhere: ContextStore, project: Project) -> None:
    elsewhere.import_file(exported)
    there = elsewhere.project(project.name)
    there.remember("something new")
    version = there.version
    assert all(one.already_there for one in elsewhere.import_file(exported))
    assert there.version == version


def test_a_call_from_before_the_move_is_still_known(
    exported: Path, elsewhere: ContextStore, project: Project
) -> None:
    elsewhere.import_file(exported)
    there = elsewhere.project(project.name)
    version = there.version
    there.by("ana").once("first").remember("Deploys go to Hetzner.", key="target")
    assert there.version == version


def test_it_is_audited_without_a_database_with_its_contexts(exported: Path, project: Project) -> None:
    audit = audit_export(exported).require()
    assert (audit.contexts, audit.contexts_elsewhere) == (1, 0)
    assert [one.project for one in audit.streams] == [project.name, None]


def test_memory_comes_before_the_sessions_that_show_it(
    store: ContextStore, project: Project, session: Session, tmp_path: Path
) -> None:
    done = store.export([session.id, project.id], tmp_path / "both.jsonl")
    assert [(one.stream, one.project) for one in done.streams] == [
        (project.id, project.name),
        (session.id, None),
    ]
    assert audit_export(tmp_path / "both.jsonl").require().contexts == 1


def test_another_memory_of_the_same_name_is_refused(
    exported: Path, elsewhere: ContextStore, project: Project, session: Session
) -> None:
    elsewhere.project(project.name).remember("our own")
    with pytest.raises(SessionDiffers, match=f"the memory of project '{project.name}' is there with"):
        elsewhere.import_file(exported)
    assert elsewhere.sessions() == []


def test_what_is_no_memory_of_a_project_is_found(exported: Path, project: Project) -> None:
    """The header alone says which kind a stream is of: it is not under the chain."""
    lines = exported.read_text().splitlines(keepends=True)
    header = json.loads(lines[0])
    header["streams"][0]["kind"] = "session"
    exported.write_text(json.dumps(header, separators=(",", ":")) + "\n" + "".join(lines[1:]))
    problem = audit_export(exported).problem
    assert problem is not None
    assert problem.what == "does not begin a stream of the kind 'session'"


def test_a_project_of_nobody(store: ContextStore, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="project 'nobody' has no session and no memory"):
        store.export(None, tmp_path / "x.jsonl", projects=["nobody"])
    with pytest.raises(InvalidInput, match="sessions: must name at least one"):
        store.export([], tmp_path / "x.jsonl")
    with pytest.raises(InvalidInput, match="projects: must be a list"):
        store.export([], tmp_path / "x.jsonl", projects="shop")
    assert not (tmp_path / "x.jsonl").exists()


def test_anchors_and_rebuilds_take_it_along(own_store: ContextStore, tmp_path: Path) -> None:
    from backstory import read_anchors

    project = own_store.project("shop")
    project.remember("Deploys go to Fly.")
    kept = own_store.anchor(tmp_path / "anchors.json", key=tmp_path / "key.pem")
    anchors = read_anchors([kept.file], tmp_path / "key.pub")
    assert anchors.chains.keys() == {project.id}
    assert own_store.verify_all(anchors=anchors).ok
    assert own_store.rebuild_projections().require().sessions == 1
    own_store.purge_memory("shop", without_export=True)
    assert own_store.verify_all(anchors=anchors).ok


async def test_asyncio_has_the_same(url: str, new_database: Callable[[], str], tmp_path: Path) -> None:
    name = f"shop-{uuid4()}"
    async with await AsyncContextStore.open(url) as store:
        await store.project(name).remember("Deploys go to Fly.")
        done = await store.export(None, tmp_path / "shop.jsonl", projects=[name])
        assert [one.project for one in done.streams] == [name]
        left = await store.purge_memory(name, tmp_path / "purged.jsonl")
        assert left.session == project_id(name)
    async with await AsyncContextStore.open(new_database()) as other:
        (back,) = await other.import_file(tmp_path / "purged.jsonl")
        assert (back.project, back.memories) == (name, 1)
        assert UUID(str(back.session)) == project_id(name)
